import { useMemo } from 'preact/hooks';
import { type DecimalMark, readNumber, unmistakable } from '../../core/typed/number.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { Choice } from '../../ui/browser/kit/field.tsx';
import { SHIPMENT_FORM_TEXTS } from './shipment-form-words.ts';
import { labelOf, type Matching, type OrderFile } from './upload-fields.ts';
import { doubtsOf } from './upload-rows.ts';

const TEXTS = {
  en: {
    lead: 'These numbers can be read in two ways. Check them before you create shipments.',
    row: 'row',
    read: 'is read as',
    others: (count: number) => `and ${count} more in this column`,
    mark: 'Decimal separator in this file',
    '.': 'A point',
    ',': 'A comma',
  },
  ar: {
    lead: 'يمكن قراءة هذه الأرقام بطريقتين. تحقق منها قبل إنشاء الشحنات.',
    row: 'الصف',
    read: 'يُقرأ',
    others: (count: number) => `وأرقام أخرى في هذا العمود: ${count}`,
    mark: 'الفاصلة العشرية في هذا الملف',
    '.': 'النقطة',
    ',': 'الفاصلة',
  },
};

interface NumbersProps {
  readonly file: OrderFile;
  readonly matching: Matching;
  readonly onMark: (mark: DecimalMark) => void;
}

/** Numbers whose decimal separator the file does not show: how they are read, and the choice of the other way. */
export function UploadNumbers({ file, matching, onMark }: NumbersProps) {
  const text = textsOf(TEXTS);
  const doubts = useMemo(() => [...doubtsOf(file, matching)], [file, matching]);
  if (doubts.length === 0) return null;
  return (
    <section class="notice" role="status">
      <p>{text.lead}</p>
      <ul>
        {doubts.map(([field, { row, cell, count }]) => (
          <li key={field}>
            {labelOf(field, textsOf(SHIPMENT_FORM_TEXTS))}, {text.row} {row}: <bdi dir="ltr">{cell}</bdi> {text.read}{' '}
            <bdi dir="ltr">{unmistakable(readNumber(cell, { mark: file.mark })?.value ?? cell)}</bdi>
            {count === 1 ? null : ` (${text.others(count - 1)})`}
          </li>
        ))}
      </ul>
      <Choice
        label={text.mark}
        value={file.mark ?? '.'}
        options={(['.', ','] as const).map((value) => ({ value, label: text[value] }))}
        onChange={onMark}
      />
    </section>
  );
}
