import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { textsOf } from '../shell/locale.ts';

const TEXTS = { en: 'Close', ar: 'إغلاق' };

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly onClose: () => void;
}

/** A dialog of the browser's own: it keeps the focus inside, and Escape closes it. */
export function Dialog({ title, children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    // The browser would give the focus to the cross.
    dialog.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
    // A dialog that is closed gives the focus back; one that is taken away does not.
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
    </dialog>
  );
}
