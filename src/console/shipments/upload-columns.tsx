import { useRef, useState } from 'preact/hooks';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { Field } from '../../ui/browser/kit/field.tsx';
import { Listing } from '../../ui/browser/kit/listing.tsx';
import { shopOf } from './export-headers.ts';
import { keepMatching } from './kept-columns.ts';
import type { ShipmentDraft } from './shipment-draft.ts';
import { OriginChoices, type Origins } from './shipment-form.tsx';
import { SHIPMENT_FORM_TEXTS } from './shipment-form-words.ts';
import { JOINTS, labelOf, type Matching, type OrderFile, UPLOAD_FIELDS, type UploadField } from './upload-fields.ts';
import { UploadWeights, type Weights } from './upload-weights.tsx';

const TEXTS = {
  en: {
    title: 'Columns',
    shop: (name: string) => `An export of ${name}.`,
    all: (count: number) => `All ${count} columns of the file are used`,
    some: (used: number, count: number) => `${used} of ${count} columns of the file are used`,
    column: 'Column of the file',
    example: 'First row',
    field: 'Field of the shipment',
    fieldOf: (column: string) => `Field of the column ${column}`,
    none: 'Not used',
    others: 'For rows without a value of their own',
  },
  ar: {
    title: 'الأعمدة',
    shop: (name: string) => `ملف من ${name}.`,
    all: (count: number) => `كل أعمدة الملف مستخدمة (${count})`,
    some: (used: number, count: number) => `المستخدم ${used} من ${count} من أعمدة الملف`,
    column: 'عمود الملف',
    example: 'الصف الأول',
    field: 'حقل الشحنة',
    fieldOf: (column: string) => `حقل العمود ${column}`,
    none: 'لا يُستخدم',
    others: 'للصفوف التي ليس لها قيمة',
  },
};

interface ColumnChanges {
  readonly matching?: Matching;
  readonly defaults?: ShipmentDraft;
  readonly weights?: Weights;
}

interface ColumnsProps {
  readonly file: OrderFile;
  readonly matching: Matching;
  readonly defaults: ShipmentDraft;
  readonly origins: Origins;
  readonly weights?: Weights;
  readonly onChange: (changes: ColumnChanges) => void;
}

/** The field of each column, and the values of rows that have none of their own. */
export function UploadColumns({ file, matching, defaults, origins, weights = {}, onChange }: ColumnsProps) {
  const text = textsOf(TEXTS);
  const names = textsOf(SHIPMENT_FORM_TEXTS);
  const [first] = file.rows;
  const used = matching.filter((field) => field !== '').length;
  const shop = shopOf(file.header);
  // Later the person folds it, so that it does not close while they choose a field. Exports have many columns that nobody needs.
  const [isOpen] = useState(shop === undefined && used < matching.length);
  const columns = file.header.map((name, index) => ({ name, index, example: first?.cells[index] ?? '' }));
  // As it was when a list got the focus: the arrow keys pass other fields, which their columns get back.
  const before = useRef<Matching | undefined>(undefined);
  const match = (column: number, field: UploadField | '') => {
    // Each field has one column, except those whose columns are joined.
    const matched = (before.current ?? matching).map((own, index) =>
      index === column ? field : own === '' || own !== field || JOINTS[own] !== undefined ? own : '',
    );
    void keepMatching(file.header, matched);
    onChange({ matching: matched });
  };
  const set = (changes: Partial<ShipmentDraft['values']>) =>
    onChange({ defaults: { ...defaults, values: { ...defaults.values, ...changes } } });
  return (
    <section class="part">
      <h2>{text.title}</h2>
      <details class="matching" open={isOpen}>
        <summary>
          {shop === undefined ? null : `${text.shop(shop[locale])} `}
          {used === matching.length ? text.all(used) : text.some(used, matching.length)}
        </summary>
        <Listing
          caption={text.title}
          keyOf={({ index }) => String(index)}
          rows={columns}
          columns={[
            { label: text.column, cell: ({ name }) => <bdi>{name}</bdi> },
            { label: text.example, cell: ({ example }) => <bdi class="quiet">{example}</bdi> },
            {
              label: text.field,
              cell: ({ name, index }) => (
                <div class="field">
                  <select
                    aria-label={text.fieldOf(name)}
                    value={matching[index]}
                    onFocus={() => {
                      before.current = matching;
                    }}
                    onBlur={() => {
                      before.current = undefined;
                    }}
                    onChange={({ currentTarget }) =>
                      match(index, UPLOAD_FIELDS.find((field) => field === currentTarget.value) ?? '')
                    }
                  >
                    <option value="">{text.none}</option>
                    {UPLOAD_FIELDS.map((field) => (
                      <option key={field} value={field}>
                        {labelOf(field, names)}
                      </option>
                    ))}
                  </select>
                </div>
              ),
            },
          ]}
        />
      </details>
      <h2>{text.others}</h2>
      <OriginChoices values={defaults.values} origins={origins} set={set} failure={undefined} />
      <div class="pair">
        {(['pickupWindowStart', 'pickupWindowEnd'] as const).map((field) => (
          <Field
            key={field}
            label={names.fields[field]}
            type="datetime-local"
            dir="ltr"
            value={defaults.values[field]}
            onChange={(value) => set({ [field]: value })}
          />
        ))}
      </div>
      <UploadWeights {...{ file, matching, defaults, weights, onChange }} />
    </section>
  );
}
