import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface LongFieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Some lines of text. */
export function LongField({ label, hint, error, value, onChange }: LongFieldProps) {
  const id = useId();
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`].join(' ').trim();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        rows={3}
        dir="auto"
        value={value}
        aria-invalid={error !== undefined}
        {...(described === '' ? {} : { 'aria-describedby': described })}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {hint === undefined ? null : (
        <p id={`${id}-hint`} class="small quiet">
          {hint}
        </p>
      )}
      {error === undefined ? null : (
        <p id={`${id}-error`} class="small wrong">
          {error}
        </p>
      )}
    </div>
  );
}
