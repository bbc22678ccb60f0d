import type { ComponentChildren } from 'preact';

/** A list that has nothing in it yet, and the one thing to do about that. */
export function Empty({ text, children }: { readonly text: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>{text}</p>
      {children}
    </div>
  );
}
