import { useId } from 'preact/hooks';
import { textsOf } from '../base/locale.ts';
import { sentenceOf } from '../service/failure.ts';
import { SHIPMENT_FORM_TEXTS } from './shipment-form-texts.ts';
import { fieldOf, labelOf, type Matching, type UploadField, type UploadRow, type Verdict } from './upload-rows.ts';

/** More rows would make typing slow. The next ones follow when these are corrected. */
const SHOWN = 50;
const TEXTS = {
  en: {
    title: 'Rows to correct',
    row: 'Row',
    others: 'Other problems',
    more: (count: number) => `${count} more rows follow when these are corrected.`,
  },
  ar: {
    title: 'صفوف للتصحيح',
    row: 'الصف',
    others: 'مشكلات أخرى',
    more: (count: number) => `بعد تصحيح هذه الصفوف يظهر ${count} صف آخر.`,
  },
};

interface TableProps {
  readonly rows: readonly UploadRow[];
  readonly matching: Matching;
  readonly outcome: ReadonlyMap<number, Verdict | undefined>;
  readonly onCell: (row: number, field: UploadField, value: string) => void;
}

/** The refused rows. What is wrong stands in the cells, which can be corrected. */
export function UploadTable({ rows, matching, outcome, onCell }: TableProps) {
  const text = textsOf(TEXTS);
  const refused = rows.filter(({ number }) => outcome.get(number) !== undefined);
  const shown = refused.slice(0, SHOWN);
  const verdicts = shown.flatMap(({ number }) => outcome.get(number) ?? []);
  const wrong = verdicts.flatMap(({ violations }) => violations.flatMap((violation) => fieldOf(violation) ?? []));
  const matched = matching.flatMap((field) => (field === '' ? [] : field));
  // What is wrong stands beside the reference, so that nobody has to scroll to it.
  const fields = [...new Set<UploadField>(['externalReference', ...wrong, ...matched])];
  if (shown.length === 0) return null;
  return (
    <>
      <section class="mend" aria-label={text.title} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{text.row}</th>
              {fields.map((field) => (
                <th key={field} scope="col">
                  {labelOf(field, textsOf(SHIPMENT_FORM_TEXTS))}
                </th>
              ))}
              <th scope="col">{text.others}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Row key={row.number} row={row} fields={fields} verdict={outcome.get(row.number)} onCell={onCell} />
            ))}
          </tbody>
        </table>
      </section>
      {refused.length > shown.length ? <p class="quiet">{text.more(refused.length - shown.length)}</p> : null}
    </>
  );
}

interface RowProps {
  readonly row: UploadRow;
  readonly fields: readonly UploadField[];
  readonly verdict: Verdict | undefined;
  readonly onCell: TableProps['onCell'];
}

function Row({ row: { number, values }, fields, verdict, onCell }: RowProps) {
  const text = textsOf(TEXTS);
  const violations = verdict?.violations ?? [];
  const others = violations.filter((violation) => fieldOf(violation) === undefined);
  return (
    <tr>
      <th scope="row">{number}</th>
      {fields.map((field) => {
        const value = values[field] ?? '';
        const violation = violations.find((one) => fieldOf(one) === field);
        return (
          <td key={field}>
            <Cell
              label={`${text.row} ${number}, ${labelOf(field, textsOf(SHIPMENT_FORM_TEXTS))}`}
              value={value}
              error={violation === undefined ? undefined : sentenceOf(violation, value)}
              onChange={(changed) => onCell(number, field, changed)}
            />
          </td>
        );
      })}
      <td class="small wrong">
        {[verdict?.title ?? [], ...others.map((violation) => `${violation.field}: ${sentenceOf(violation)}`)]
          .flat()
          .join(' ')}
      </td>
    </tr>
  );
}

interface CellProps {
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

function Cell({ label, value, error, onChange }: CellProps) {
  const id = useId();
  return (
    <div class="field">
      <input
        type="text"
        dir="auto"
        aria-label={label}
        aria-invalid={error !== undefined}
        {...(error === undefined ? {} : { 'aria-describedby': id })}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {error === undefined ? null : (
        <p id={id} class="small wrong">
          {error}
        </p>
      )}
    </div>
  );
}
