import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Work } from '../service/use-loaded.ts';
import { textsOf } from '../shell/locale.ts';
import { Button } from './button.tsx';
import { ChangeFailure } from './change-failure.tsx';
import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';

const TEXTS = { en: 'Leave it', ar: 'تراجع' };

interface ConfirmProps {
  readonly title: string;
  /** The button that does it, named for what it does. */
  readonly verb: string;
  readonly work: Work<undefined>;
  /** Whether what had to be shown or typed before was. */
  readonly isReady?: boolean;
  readonly isDanger?: boolean;
  /** Reads the current version, where what is done names one. */
  readonly reload?: () => void;
  /** Fields within that say themselves what is wrong with them. */
  readonly fields?: readonly string[];
  readonly onDone: () => void;
  readonly onClose: () => void;
  /** What comes of it. */
  readonly children: ComponentChildren;
}

/** Asks before something is done that is not undone by another click. */
export function Confirm(props: ConfirmProps) {
  const { title, verb, work, isReady = true, isDanger = true, reload, fields = [], onDone, onClose, children } = props;
  const submit = async () => {
    if (isReady && (await work.start(undefined))) onDone();
  };
  const form = useRef<HTMLFormElement>(null);
  // The dialog would give the focus to its cross. What has to be said comes first; else what does no harm.
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
          <Button type="submit" kind={isDanger ? 'danger' : 'primary'} isBusy={work.isBusy} isDisabled={!isReady}>
            {verb}
          </Button>
          <Button onClick={onClose}>{textsOf(TEXTS)}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
