import type { ComponentChildren, Ref } from 'preact';

interface FormProps {
  readonly class?: string;
  /** Names a form that searches. */
  readonly search?: string;
  readonly formRef?: Ref<HTMLFormElement>;
  readonly onSubmit: (form: HTMLFormElement) => void;
  readonly children: ComponentChildren;
}

/** A form whose rules are the service's: the browser checks nothing, and sends nothing by itself. */
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
