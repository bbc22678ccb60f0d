import { useId } from 'preact/hooks';
import './checks.css';

interface ChecksProps<Value extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly label: string; readonly isCode?: boolean }[];
  readonly values: readonly Value[];
  readonly onChange: (values: readonly Value[]) => void;
  readonly error?: string | undefined;
}

/** Any of a few. */
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

/** One thing that is on or off. */
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
