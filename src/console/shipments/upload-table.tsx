import { useId, useState } from 'preact/hooks';
import { nearCityOf } from '../../core/typed/near-city.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { loadCities, nameOf, useCitySuggestions } from '../../ui/browser/kit/city-field.tsx';
import { CellField, Check } from '../../ui/browser/kit/field.tsx';
import { TEXT } from '../../ui/browser/kit/readers.ts';
import { sentenceOf } from '../../ui/browser/service/failure.ts';
import { useLoaded } from '../../ui/browser/service/loading.ts';
import { SHIPMENT_FORM_TEXTS } from './shipment-form-words.ts';
import { fieldOf, labelOf, type Matching, readerOf, type UploadField } from './upload-fields.ts';
import { sentenceOfCell } from './upload-sentences.ts';
import type { RefusedRow } from './upload-verdicts.ts';

/** More rows would make typing slow. The next ones follow when these are corrected. */
const SHOWN = 50;
const TEXTS = {
  en: {
    title: 'Rows to correct',
    row: 'Row',
    others: 'Other problems',
    all: 'Show all columns',
    more: (count: number) => `${count} more rows follow when these are corrected.`,
    near: (city: string) => `${city}?`,
  },
  ar: {
    title: 'صفوف للتصحيح',
    row: 'الصف',
    others: 'مشكلات أخرى',
    all: 'أظهر كل الأعمدة',
    more: (count: number) => `صفوف أخرى تظهر بعد تصحيح هذه: ${count}.`,
    near: (city: string) => `${city}؟`,
  },
};

interface TableProps {
  readonly refused: readonly RefusedRow[];
  readonly matching: Matching;
  readonly onCell: (row: number, field: UploadField, value: string) => void;
  /** Replaces a name of a city in all rows. */
  readonly onCity: (typed: string, name: string) => void;
}

/** The refused rows: their references and the columns with errors. What is wrong stands in the cells, which can be corrected. */
export function UploadTable({ refused, matching, onCell, onCity }: TableProps) {
  const text = textsOf(TEXTS);
  const [isWhole, setIsWhole] = useState(false);
  const suggestions = useCitySuggestions();
  const cities = useLoaded('cities', loadCities).value ?? [];
  const id = useId();
  const shown = refused.slice(0, SHOWN);
  const wrong = shown.flatMap(({ verdict }) => verdict.violations.flatMap((violation) => fieldOf(violation) ?? []));
  const matched = matching.flatMap((field) => (field === '' ? [] : field));
  // Another fault of the row can hide that the service does not know its city. A column does not go while it is corrected.
  const isCityAsked = shown.some(
    ({ row: { values, corrected } }) =>
      corrected['destination.cityCode'] !== undefined ||
      nearCityOf(cities, values['destination.cityCode'] ?? '') !== undefined,
  );
  const asked: UploadField[] = isCityAsked ? ['destination.cityCode'] : [];
  // What is wrong stands beside the reference, so that nobody has to scroll to it.
  const fields = [...new Set<UploadField>(['externalReference', ...wrong, ...asked, ...(isWhole ? matched : [])])];
  const hasOthers = shown.some((one) => othersOf(one) !== '');
  if (shown.length === 0) return null;
  return (
    <>
      <Check label={text.all} isOn={isWhole} onChange={setIsWhole} />
      <datalist id={id}>
        {suggestions.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
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
              {hasOthers ? <th scope="col">{text.others}</th> : null}
            </tr>
          </thead>
          <tbody>
            {shown.map((one) => (
              <Row
                key={one.row.number}
                refused={one}
                fields={fields}
                hasOthers={hasOthers}
                cityList={id}
                cities={cities}
                onCell={onCell}
                onCity={onCity}
              />
            ))}
          </tbody>
        </table>
      </section>
      {refused.length > shown.length ? <p class="quiet">{text.more(refused.length - shown.length)}</p> : null}
    </>
  );
}

interface RowProps {
  readonly refused: RefusedRow;
  readonly fields: readonly UploadField[];
  readonly hasOthers: boolean;
  /** The id of the list of cities. */
  readonly cityList: string;
  readonly cities: Awaited<ReturnType<typeof loadCities>>;
  readonly onCell: TableProps['onCell'];
  readonly onCity: TableProps['onCity'];
}

function Row({ refused, fields, hasOthers, cityList, cities, onCell, onCity }: RowProps) {
  const text = textsOf(TEXTS);
  const { number, values } = refused.row;
  const { violations } = refused.verdict;
  return (
    <tr>
      <th scope="row">{number}</th>
      {fields.map((field) => {
        const value = values[field] ?? '';
        const violation = violations.find((one) => fieldOf(one) === field);
        const near = field === 'destination.cityCode' ? nearCityOf(cities, value) : undefined;
        return (
          <td key={field}>
            <CellField
              label={`${text.row} ${number}, ${labelOf(field, textsOf(SHIPMENT_FORM_TEXTS))}`}
              value={value}
              reads={readerOf(field) ?? TEXT}
              list={field === 'destination.cityCode' ? cityList : undefined}
              error={violation === undefined ? undefined : sentenceOfCell(violation, value)}
              onChange={(changed) => onCell(number, field, changed)}
            />
            {near === undefined ? null : (
              <button type="button" class="plain" onClick={() => onCity(value, nameOf(near))}>
                {text.near(nameOf(near))}
              </button>
            )}
          </td>
        );
      })}
      {hasOthers ? <td class="small wrong">{othersOf(refused)}</td> : null}
    </tr>
  );
}

/** What is wrong with a row that no cell shows. */
function othersOf({ verdict: { title, violations } }: RefusedRow): string {
  const others = violations.filter((violation) => fieldOf(violation) === undefined);
  return [title ?? [], ...others.map((violation) => `${violation.field}: ${sentenceOf(violation)}`)].flat().join(' ');
}
