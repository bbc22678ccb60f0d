import type { ComponentChildren } from 'preact';

interface FormProps {
  readonly class?: string;
  readonly onSubmit: () => void;
  readonly children: ComponentChildren;
}

/** A form whose rules are the service's: the browser checks nothing, and sends nothing by itself. */
export function Form({ class: name = 'form', onSubmit, children }: FormProps) {
  return (
    <form
      class={name}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}
