import type { ComponentChildren, Ref } from 'preact';

interface FormProps {
  readonly class?: string;
  /** Makes this a search form, with this accessible name. */
  readonly search?: string;
  readonly formRef?: Ref<HTMLFormElement>;
  readonly onSubmit: (form: HTMLFormElement) => void;
  readonly children: ComponentChildren;
}

/** A form. The service validates it, so the browser's own validation is off. */
export function Form({ class: name = 'form', search, formRef, onSubmit, children }: FormProps) {
  return (
    <form
      class={name}
      {...(search === undefined ? {} : { role: 'search' as const, 'aria-label': search })}
      {...(formRef === undefined ? {} : { ref: formRef })}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(event.currentTarget);
      }}
    >
      {children}
    </form>
  );
}

interface ButtonProps {
  readonly children: ComponentChildren;
  /** `primary`: the main action of the page. `danger`: an action that removes something. */
  readonly kind?: 'primary' | 'quiet' | 'danger';
  readonly type?: 'button' | 'submit';
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  readonly onClick?: () => void;
}

/** A button. While it is busy it keeps its place and the focus, and ignores clicks. */
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

/** Moves the focus to the first field with an error, if there is one. */
export function focusFirstInvalid(form: HTMLFormElement): void {
  // The errors are rendered by the next frame.
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
