import { REFUSAL_COMMENT_LENGTH_MAX } from '../../../core/limits.ts';

/* Fields that several forms of the recipient's page have. They work without a script. */

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly name: string;
  readonly values: readonly Value[];
  readonly words: Readonly<Record<Value, string>>;
}

/** A list of values, of which none is chosen at first. */
export function Choice<Value extends string>({ label, name, values, words }: ChoiceProps<Value>) {
  return (
    <label class="field">
      {label}
      <select name={name} required>
        <option value="" />
        {values.map((value) => (
          <option key={value} value={value}>
            {words[value]}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Some lines for the merchant, which may stay empty. */
export function CommentField({ label }: { readonly label: string }) {
  return (
    <label class="field">
      {label}
      <textarea name="comment" dir="auto" rows={2} maxLength={REFUSAL_COMMENT_LENGTH_MAX} />
    </label>
  );
}
