import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { textsOf } from '../base/locale.ts';
import type { Work } from '../service/loading.ts';
import { Button, Form } from './form.tsx';
import { ChangeFailure } from './problem-notice.tsx';
import { Toasts } from './toasts.tsx';

const TEXTS = { en: 'Close', ar: 'إغلاق' };

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly onClose: () => void;
}

/** A native modal dialog. The browser keeps the focus inside, and Escape closes it. */
export function Dialog({ title, children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    // By default the browser focuses the close button.
    dialog.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
    // The browser restores the focus when a dialog closes, but not when the element is removed.
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" class="plain" aria-label={textsOf(TEXTS)} onClick={onClose}>
          ×
        </button>
      </header>
      {children}
      <Toasts />
    </dialog>
  );
}

const CONFIRM_TEXTS = { en: 'Cancel', ar: 'إلغاء' };

interface ConfirmProps {
  readonly title: string;
  /** The label of the confirming button: a verb. */
  readonly verb: string;
  readonly work: Work<undefined>;
  /** Whether everything that the person must enter first is there. */
  readonly isReady?: boolean;
  readonly isDanger?: boolean;
  readonly isForCompany?: boolean;
  /** Loads the current version, for an action that sends `If-Match`. */
  readonly reload?: () => void;
  /** Fields inside the dialog that show their own errors. */
  readonly fields?: readonly string[];
  readonly onDone: () => void;
  readonly onClose: () => void;
  /** What the action will do. */
  readonly children: ComponentChildren;
}

/** Asks for confirmation before an action that cannot be undone with one click. */
export function Confirm(props: ConfirmProps) {
  const { title, verb, work, isReady = true, isDanger = true, isForCompany = false } = props;
  const { reload, fields = [], onDone, onClose, children } = props;
  const submit = async () => {
    if (isReady && (await work.start(undefined))) onDone();
  };
  const form = useRef<HTMLFormElement>(null);
  // The first field gets the focus. Without a field, the harmless button gets it.
  useEffect(() => form.current?.querySelector<HTMLElement>('input, select, .button:last-child')?.focus(), []);
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        formRef={form}
        onSubmit={() => {
          void submit();
        }}
      >
        {children}
        <ChangeFailure work={work} fields={fields} reload={() => reload?.()} />
        <div class="actions">
          <Button
            type="submit"
            kind={isDanger ? 'danger' : 'primary'}
            isBusy={work.isBusy}
            isDisabled={!isReady}
            isForCompany={isForCompany}
          >
            {verb}
          </Button>
          <Button onClick={onClose}>{textsOf(CONFIRM_TEXTS)}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
