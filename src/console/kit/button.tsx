import type { ComponentChildren } from 'preact';

interface ButtonProps {
  readonly children: ComponentChildren;
  /** The one that the page is for, one among others, or one that takes something away. */
  readonly kind?: 'primary' | 'quiet' | 'danger';
  readonly type?: 'button' | 'submit';
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  readonly onClick?: () => void;
}

/** A button. While it is busy it keeps its place and its focus, and does nothing when pressed again. */
export function Button({
  children,
  kind = 'quiet',
  type = 'button',
  isBusy = false,
  isDisabled = false,
  onClick,
}: ButtonProps) {
  return (
    <button
      type={type}
      class={`button ${kind}`}
      aria-busy={isBusy}
      aria-disabled={isBusy || isDisabled}
      onClick={(event) => {
        if (isBusy || isDisabled) event.preventDefault();
        else onClick?.();
      }}
    >
      {children}
    </button>
  );
}
