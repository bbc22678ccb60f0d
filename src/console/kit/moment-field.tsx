import { useId } from 'preact/hooks';

interface MomentFieldProps {
  readonly label: string;
  /** `2026-01-31T09:00`, in the time zone of the reader. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: string | undefined;
}

/** A day and a time, by the browser's own field. */
export function MomentField({ label, value, onChange, error }: MomentFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="datetime-local"
        value={value}
        aria-invalid={error !== undefined}
        {...(error === undefined ? {} : { 'aria-describedby': `${id}-error` })}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {error === undefined ? null : (
        <p id={`${id}-error`} class="small wrong">
          {error}
        </p>
      )}
    </div>
  );
}

/** What such a field holds for a moment, given in milliseconds since 1970. */
export function fieldOf(millis: number): string {
  const date = new Date(millis);
  const local = new Date(millis - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** The instant that was typed; an empty text where nothing was, which the service refuses by its name. */
export function instantOf(typed: string): string {
  const millis = Date.parse(typed);
  return Number.isNaN(millis) ? '' : new Date(millis).toISOString();
}
