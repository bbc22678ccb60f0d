import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** What is wrong with the value. */
  readonly error?: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Gets what is pasted. Returns whether it used the text; if not, the browser inserts it. */
  readonly onPaste?: (text: string) => boolean;
  /** The keyboard that a phone shows. Only the service validates the value. */
  readonly inputMode?: 'numeric' | 'decimal' | 'text' | 'email' | 'tel' | 'url';
  readonly autocomplete?: 'username' | 'one-time-code' | 'email' | 'tel' | 'name' | 'organization';
  /** A line of text, what to search for, or a local date, with or without its time. */
  readonly type?: 'text' | 'search' | 'date' | 'datetime-local';
  readonly isRequired?: boolean;
  readonly maxLength?: number;
  /** `ltr` for codes, numbers and e-mail addresses. */
  readonly dir?: 'ltr' | 'auto';
  /** Focuses the field when it appears. */
  readonly isFirst?: boolean;
  /** Values that the browser offers while somebody types. Others can be typed too. */
  readonly suggestions?: readonly string[];
}

/** A one-line text field with its label, hint and error. */
export function Field(props: FieldProps) {
  const { label, hint, error, value, onChange, isRequired = false, isFirst = false, dir = 'auto' } = props;
  const { suggestions, onPaste } = props;
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(attributes) => (
        <>
          <input
            {...attributes}
            {...typeOf(props.type)}
            dir={dir}
            value={value}
            required={isRequired}
            {...(props.inputMode === undefined ? {} : { inputMode: props.inputMode })}
            {...(props.autocomplete === undefined ? {} : { autoComplete: props.autocomplete })}
            {...(props.maxLength === undefined ? {} : { maxLength: props.maxLength })}
            {...(suggestions === undefined ? {} : { list: `${attributes.id}-suggestions` })}
            {...(isFirst ? { ref: focus } : {})}
            onInput={(event) => onChange(event.currentTarget.value)}
            onPaste={(event) => {
              if (onPaste?.(event.clipboardData?.getData('text/plain') ?? '') === true) event.preventDefault();
            }}
          />
          {suggestions === undefined ? null : (
            <datalist id={`${attributes.id}-suggestions`}>
              {suggestions.map((suggestion) => (
                <option key={suggestion} value={suggestion} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Labelled>
  );
}

/** The types of JSX allow each kind of input other attributes. */
function typeOf(type: FieldProps['type'] = 'text') {
  if (type === 'text') return { type };
  return type === 'search' ? { type } : { type };
}

/** A text field of several lines. */
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

/** A choice of one value from a list. */
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
  /** Renders the field with the attributes that connect it to its label, hint and error. */
  readonly children: (attributes: {
    readonly id: string;
    readonly 'aria-invalid': boolean;
    readonly 'aria-describedby'?: string;
  }) => ComponentChildren;
}

/** The label, hint and error around any kind of field. */
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

interface ChecksProps<Value extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly label: string; readonly isCode?: boolean }[];
  readonly values: readonly Value[];
  readonly onChange: (values: readonly Value[]) => void;
  readonly error?: string | undefined;
}

/** A choice of any number of values. */
export function Checks<Value extends string>({ label, options, values, onChange, error }: ChecksProps<Value>) {
  const id = useId();
  const toggle = (value: Value) =>
    onChange(values.includes(value) ? values.filter((one) => one !== value) : [...values, value]);
  return (
    <fieldset class="field checks" {...(error === undefined ? {} : { 'aria-describedby': `${id}-error` })}>
      <legend>{label}</legend>
      <div class="check-grid">
        {options.map((option) => (
          <label key={option.value} for={`${id}-${option.value}`}>
            <input
              id={`${id}-${option.value}`}
              type="checkbox"
              checked={values.includes(option.value)}
              onChange={() => toggle(option.value)}
            />
            {option.isCode === true ? (
              <bdi dir="ltr">
                <code>{option.label}</code>
              </bdi>
            ) : (
              option.label
            )}
          </label>
        ))}
      </div>
      {error === undefined ? null : (
        <p id={`${id}-error`} class="small wrong">
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** A single checkbox. */
export function Check({
  label,
  isOn,
  onChange,
}: {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}) {
  const id = useId();
  return (
    <div class="field checks">
      <label for={id}>
        <input id={id} type="checkbox" checked={isOn} onChange={() => onChange(!isOn)} />
        {label}
      </label>
    </div>
  );
}
