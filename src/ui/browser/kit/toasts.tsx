import { useEffect, useState } from 'preact/hooks';

interface Toast {
  readonly id: number;
  readonly text: string;
}

const SHOWN_MS = 6_000;
let toasts: readonly Toast[] = [];
let lastId = 0;
/** The places that can show toasts, the newest last. An open dialog covers the page and hides it from screen readers. */
let places: readonly { readonly update: () => void }[] = [];

/** Shows a short message that disappears by itself. Screen readers announce it. */
export function showToast(text: string): void {
  lastId += 1;
  const toast = { id: lastId, text };
  change([...toasts, toast]);
  setTimeout(() => change(toasts.filter(({ id }) => id !== toast.id)), SHOWN_MS);
}

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const { update } of places) update();
}

/** A place for toasts: one on the page, and one in each open dialog. The newest shows them. */
export function Toasts() {
  const [, render] = useState({});
  const [place] = useState(() => ({ update: () => render({}) }));
  useEffect(() => {
    places = [...places, place];
    change(toasts);
    return () => {
      places = places.filter((other) => other !== place);
      change(toasts);
    };
  }, []);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {place === places.at(-1) ? toasts.map(({ id, text }) => <p key={id}>{text}</p>) : null}
    </div>
  );
}
