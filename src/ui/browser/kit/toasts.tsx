import { useEffect, useState } from 'preact/hooks';

interface Toast {
  readonly id: number;
  readonly text: string;
}

const SHOWN_MS = 6_000;
const listeners = new Set<(toast: Toast) => void>();
let lastId = 0;

/** Shows a short message that disappears by itself. Screen readers announce it. */
export function showToast(text: string): void {
  lastId += 1;
  for (const listener of listeners) listener({ id: lastId, text });
}

export function Toasts() {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  useEffect(() => {
    const show = (toast: Toast) => {
      setToasts((before) => [...before, toast]);
      setTimeout(() => setToasts((before) => before.filter(({ id }) => id !== toast.id)), SHOWN_MS);
    };
    listeners.add(show);
    return () => void listeners.delete(show);
  }, []);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
