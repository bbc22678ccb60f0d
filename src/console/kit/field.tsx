import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** What is wrong with what stands there. */
  readonly error?: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Which keys a phone shows. What may stand here is checked by the service alone. */
  readonly inputMode?: 'numeric' | 'decimal' | 'text' | 'email' | 'tel' | 'url';
  readonly autocomplete?: 'username' | 'one-time-code' | 'email' | 'tel' | 'name' | 'organization';
  /** A line of text, or a day and a time of day where the reader is. */
  readonly type?: 'text' | 'datetime-local';
  readonly isRequired?: boolean;
  readonly maxLength?: number;
  /** Codes, numbers and addresses keep their direction. */
  readonly dir?: 'ltr' | 'auto';
  /** Takes the focus when it appears. */
  readonly isFirst?: boolean;
}

/** One line of text with its label, a hint and what is wrong with it. */
export function Field(props: FieldProps) {
  const { label, hint, error, value, onChange, isRequired = false, isFirst = false, dir = 'auto' } = props;
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(attributes) => (
        <input
          {...attributes}
          {...(props.type === 'datetime-local' ? { type: props.type } : { type: 'text' as const })}
          dir={dir}
          value={value}
          required={isRequired}
          {...(props.inputMode === undefined ? {} : { inputMode: props.inputMode })}
          {...(props.autocomplete === undefined ? {} : { autoComplete: props.autocomplete })}
          {...(props.maxLength === undefined ? {} : { maxLength: props.maxLength })}
          {...(isFirst ? { ref: focus } : {})}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Labelled>
  );
}

/** Some lines of text. */
export function LongField({
  value,
  onChange,
  ...about
}: Pick<FieldProps, 'label' | 'hint' | 'error' | 'value' | 'onChange'>) {
  return (
    <Labelled {...about}>
      {(attributes) => (
        <textarea
          {...attributes}
          rows={3}
          dir="auto"
          value={value}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Labelled>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
  readonly error?: string | undefined;
  readonly hint?: ComponentChildren;
}

/** One of a few, by the browser's own list. */
export function Choice<Value extends string>({ value, options, onChange, ...about }: ChoiceProps<Value>) {
  return (
    <Labelled {...about}>
      {(attributes) => (
        <select
          {...attributes}
          value={value}
          onChange={(event) => {
            const chosen = options.find((option) => option.value === event.currentTarget.value);
            if (chosen !== undefined) onChange(chosen.value);
          }}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

interface LabelledProps extends Pick<FieldProps, 'label' | 'hint' | 'error'> {
  /** The field itself, with what ties it to its label and to what is said of it. */
  readonly children: (attributes: {
    readonly id: string;
    readonly 'aria-invalid': boolean;
    readonly 'aria-describedby'?: string;
  }) => ComponentChildren;
}

/** What stands around a field, whatever kind it is. */
function Labelled({ label, hint, error, children }: LabelledProps) {
  const id = useId();
  const described = [hint === undefined ? [] : `${id}-hint`, error === undefined ? [] : `${id}-error`].flat().join(' ');
  const attributes = { id, 'aria-invalid': error !== undefined };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(described === '' ? attributes : { ...attributes, 'aria-describedby': described })}
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

function focus(input: HTMLInputElement | null): void {
  input?.focus();
}
