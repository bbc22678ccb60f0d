import { useState } from 'preact/hooks';
import { ORDER_FILE_MEBIBYTES_MAX, ORDER_FILE_ORDERS_MAX } from '../../core/limits.ts';
import type { SavedTable } from '../../core/workbook.ts';
import { formatCount, textsOf } from '../../ui/browser/base/locale.ts';
import { TableDownload } from '../../ui/browser/kit/download.tsx';
import { matchColumns } from './export-headers.ts';
import { keptMatching } from './kept-columns.ts';
import { type OrderFileFault, readOrderFile } from './order-file.ts';
import { SHIPMENT_FORM_TEXTS } from './shipment-form-words.ts';
import { labelOf, type Matching, type OrderFile, SHOP_FIELDS, UPLOAD_FIELDS } from './upload-fields.ts';
import { rowsInSlices, type UploadRow } from './upload-rows.ts';
import { withoutEnded } from './upload-statuses.ts';

const BYTES_MAX = ORDER_FILE_MEBIBYTES_MAX * 1024 * 1024;

type FileFault = OrderFileFault | 'SIZE' | 'ROWS';

const TEXTS = {
  en: {
    file: 'CSV file or Excel workbook',
    chosen: (name: string, rows: number) => `${name}: ${rows === 1 ? '1 row' : `${formatCount(rows)} rows`}`,
    reading: 'Reading the file',
    orders: (count: number) => `Orders: ${formatCount(count)}`,
    template: { csv: 'Download a template', xlsx: 'Download a template for Excel' },
  },
  ar: {
    file: 'ملف CSV أو مصنف Excel',
    chosen: (name: string, rows: number) => `${name}: عدد الصفوف ${formatCount(rows)}`,
    reading: 'جارٍ قراءة الملف',
    orders: (count: number) => `عدد الطلبات: ${formatCount(count)}`,
    template: { csv: 'نزّل نموذجًا', xlsx: 'نزّل نموذجًا لبرنامج Excel' },
  },
};

const FAULTS: Readonly<Record<'en' | 'ar', Readonly<Record<FileFault, string>>>> = {
  en: {
    ENCODING: 'This page cannot read the text of this file. In Excel choose “Save as”, then “CSV UTF-8”.',
    QUOTES: 'In this file a quotation mark is opened and never closed.',
    WORKBOOK: 'This workbook cannot be read. In Excel choose “Save as”, then “Excel Workbook (.xlsx)” or “CSV UTF-8”.',
    UNPACKED: 'This workbook unpacks to more than 50 MB. Save only the sheet with the orders.',
    UNLOADED: 'The part of this page that reads workbooks did not load. Load the page again.',
    EMPTY: 'This file has no rows under its header.',
    SIZE: `This file is larger than ${ORDER_FILE_MEBIBYTES_MAX} MB. Split it into several files.`,
    ROWS: `This file has more than ${formatCount(ORDER_FILE_ORDERS_MAX)} orders. Split it into several files.`,
  },
  ar: {
    ENCODING: 'تعذّرت قراءة نص هذا الملف. في Excel اختر «حفظ باسم» ثم «CSV UTF-8».',
    QUOTES: 'في هذا الملف علامة اقتباس فُتحت ولم تُغلق.',
    WORKBOOK: 'تعذّرت قراءة هذا المصنف. في Excel اختر «حفظ باسم» ثم «مصنف Excel (xlsx.)» أو «CSV UTF-8».',
    UNPACKED: 'حجم هذا المصنف بعد فك ضغطه أكبر من 50 ميغابايت. احفظ الورقة التي فيها الطلبات وحدها.',
    UNLOADED: 'لم يُحمَّل جزء الصفحة الذي يقرأ المصنفات. حمّل الصفحة من جديد.',
    EMPTY: 'ليس في هذا الملف صفوف تحت العناوين.',
    SIZE: `هذا الملف أكبر من ${ORDER_FILE_MEBIBYTES_MAX} ميغابايت. قسّمه إلى ملفات.`,
    ROWS: `في هذا الملف أكثر من ${formatCount(ORDER_FILE_ORDERS_MAX)} طلب. قسّمه إلى ملفات.`,
  },
};

/** A file that was chosen, as this page understands it. */
export interface ChosenFile {
  readonly file: OrderFile;
  readonly matching: Matching;
  readonly rows: readonly UploadRow[];
}

interface ChooseProps {
  readonly onFile: (chosen: ChosenFile) => void;
  readonly isDisabled: boolean;
}

/** Chooses a file, and says what is wrong with it. */
export function ChooseFile({ onFile, isDisabled }: ChooseProps) {
  const text = textsOf(TEXTS);
  const [fault, setFault] = useState<FileFault>();
  const [status, setStatus] = useState('');
  const refuse = (why: FileFault) => {
    setStatus('');
    setFault(why);
  };
  const choose = async (chosen: File) => {
    setStatus(text.reading);
    const whole = chosen.size > BYTES_MAX ? 'SIZE' : await readOrderFile(await chosen.arrayBuffer());
    if (typeof whole === 'string') return refuse(whole);
    const matching = (await keptMatching(whole.header)) ?? matchColumns(whole);
    const file = withoutEnded(whole, matching);
    const rows = await rowsInSlices(file, matching);
    if (rows.length > ORDER_FILE_ORDERS_MAX) return refuse('ROWS');
    setFault(undefined);
    const size = text.chosen(chosen.name, whole.rows.length);
    setStatus(rows.length === whole.rows.length ? size : `${size}. ${text.orders(rows.length)}`);
    onFile({ file, matching, rows });
  };
  return (
    <section class="part">
      <div class="field">
        <label for="csv">{text.file}</label>
        <input
          id="csv"
          type="file"
          accept=".csv,.tsv,.txt,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
          disabled={isDisabled}
          aria-invalid={fault !== undefined}
          aria-describedby="csv-error"
          onClick={({ currentTarget }) => {
            // Otherwise the same file could not be chosen again after it was corrected.
            currentTarget.value = '';
          }}
          onChange={({ currentTarget }) => {
            const [chosen] = currentTarget.files ?? [];
            if (chosen !== undefined) void choose(chosen);
          }}
        />
        <p class="small" role="status">
          {status}
        </p>
        <p id="csv-error" class="small wrong" role="alert">
          {fault === undefined ? null : textsOf(FAULTS)[fault]}
        </p>
      </div>
      <div class="actions">
        <TableDownload labels={text.template} name="template" read={() => Promise.resolve(template())} />
      </div>
    </section>
  );
}

/** A file with a column for each field, in the language of the page. */
function template(): SavedTable {
  // Own files have the declared value and the amount to collect.
  const fields = UPLOAD_FIELDS.filter((field) => !SHOP_FIELDS.some((one) => one === field));
  return { columns: fields.map((field) => labelOf(field, textsOf(SHIPMENT_FORM_TEXTS))), rows: [] };
}
