import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { textsOf } from '../base/locale.ts';
import { type Reader, TEXT } from './readers.ts';

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** What is wrong with the value. */
  readonly error?: string | undefined;
  /** The value as `reads` returned it. While a person types, the field shows their spelling of it. */
  readonly value: string;
  /** Receives the value as `reads` returned it. Only the service validates it. */
  readonly onChange: (value: string) => void;
  /** Reads what a person types. By default it removes white and invisible edges. */
  readonly reads?: Reader;
  /** Gets what is pasted. Returns whether it used the text; if not, the browser inserts it. */
  readonly onPaste?: (text: string) => boolean;
  readonly autocomplete?: 'username' | 'one-time-code' | 'email' | 'tel' | 'name' | 'organization';
  /** A line of text, what to search for, or a local date, with or without its time. */
  readonly type?: 'text' | 'search' | 'date' | 'datetime-local';
  readonly isRequired?: boolean;
  readonly maxLength?: number;
  /** `ltr` for dates and times. A reader's own direction comes first. */
  readonly dir?: 'ltr';
  /** Focuses the field when it appears. */
  readonly isFirst?: boolean;
  /** Values that the browser offers while somebody types. Others can be typed too. */
  readonly suggestions?: readonly string[];
}

const TEXTS = { en: { read: 'Read as' }, ar: { read: 'تُقرأ القيمة' } };

/** The text that a field shows: the person's spelling, as long as it still means the value. */
function useSpelling({ value, onChange, reads = TEXT }: Pick<FieldProps, 'value' | 'onChange' | 'reads'>) {
  const [typed, setTyped] = useState<string>();
  const { read, doubt } = reads;
  const shown = typed !== undefined && read(typed) === value ? typed : value;
  return {
    shown,
    doubt: shown === typed ? doubt?.(typed) : undefined,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) => {
      setTyped(currentTarget.value);
      onChange(read(currentTarget.value));
    },
  };
}

/** A one-line text field with its label, hint and error. */
export function Field(props: FieldProps) {
  const { label, hint, error, isRequired = false, isFirst = false, suggestions, onPaste } = props;
  const { inputMode, dir = props.dir ?? 'auto' } = props.reads ?? TEXT;
  const { shown, doubt, onInput } = useSpelling(props);
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(attributes) => (
        <>
          <input
            {...attributes}
            {...typeOf(props.type)}
            dir={dir}
            value={shown}
            required={isRequired}
            {...(inputMode === undefined ? {} : { inputMode })}
            {...(props.autocomplete === undefined ? {} : { autoComplete: props.autocomplete })}
            {...(props.maxLength === undefined ? {} : { maxLength: props.maxLength })}
            {...(suggestions === undefined ? {} : { list: `${attributes.id}-suggestions` })}
            {...(isFirst ? { ref: focus } : {})}
            onInput={onInput}
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
          {doubt === undefined ? null : (
            <p class="small" role="status">
              {textsOf(TEXTS).read}: <bdi dir="ltr">{doubt}</bdi>
            </p>
          )}
        </>
      )}
    </Labelled>
  );
}

interface CellProps {
  readonly label: string;
  readonly error: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly reads: Reader;
  /** The id of a list of values that the browser offers. */
  readonly list: string | undefined;
}

/** A field in a cell of a table. Its name is not shown, because the head of the column says it. */
export function CellField({ label, error, list, ...about }: CellProps) {
  const id = useId();
  const { shown, onInput } = useSpelling(about);
  return (
    <div class="field">
      <input
        type="text"
        dir="auto"
        aria-label={label}
        aria-invalid={error !== undefined}
        {...(error === undefined ? {} : { 'aria-describedby': id })}
        {...(list === undefined ? {} : { list })}
        value={shown}
        onInput={onInput}
      />
      {error === undefined ? null : (
        <p id={id} class="small wrong">
          {error}
        </p>
      )}
    </div>
  );
}

/** The types of JSX allow each kind of input other attributes. */
function typeOf(type: FieldProps['type'] = 'text') {
  if (type === 'text') return { type };
  return type === 'search' ? { type } : { type };
}

/** A text field of several lines. */
export function LongField(props: Pick<FieldProps, 'label' | 'hint' | 'error' | 'value' | 'onChange'>) {
  const { label, hint, error } = props;
  const { shown, onInput } = useSpelling(props);
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(attributes) => <textarea {...attributes} rows={3} dir="auto" value={shown} onInput={onInput} />}
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
