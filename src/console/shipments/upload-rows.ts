import { isProblem, isRecord, type ProblemViolation } from '../../client/problem.ts';
import { textOfInert } from '../../core/csv.ts';
import { LABELS_MAX } from '../../core/limits.ts';
import { riyadhInstant } from '../../core/riyadh.ts';
import { cityOf } from '../../core/typed/city.ts';
import { foldedOf } from '../../core/typed/folded.ts';
import { type DecimalMark, readNumber } from '../../core/typed/number.ts';
import { readNumbered } from '../../core/typed/text.ts';
import { keyOf } from '../../ui/browser/kit/kept-draft.ts';
import { AMOUNT, DEGREES, WHOLE } from '../../ui/browser/kit/number-readers.ts';
import type { Reader } from '../../ui/browser/kit/readers.ts';
import type { Inputs, Outputs } from '../../ui/browser/service/calls.ts';
import type { CsvFile } from './csv-file.ts';
import {
  blankItem,
  DRAFT_FIELDS,
  DRAFT_READS,
  type DraftField,
  ITEM_FIELDS,
  ITEM_READS,
  type ItemField,
  requestOf,
  type ShipmentDraft,
} from './shipment-draft.ts';
import { SHIPMENT_FORM_TEXTS } from './shipment-form-words.ts';
import { PAYMENT_WORDS } from './words.ts';

/* Rows of an uploaded file as creation requests. One row is one shipment with one item. */

/** A member of the request that a column can have, by its name in violations. */
export type UploadField = DraftField | 'paymentMethod' | `items[0].${ItemField}`;

/** The field of each column, or nothing if the column is not used. */
export type Matching = readonly (UploadField | '')[];

export interface UploadRow {
  /** The number in the spreadsheet. */
  readonly number: number;
  readonly values: Values;
  /** Those of the values that a person has typed. */
  readonly corrected: Values;
}

type Values = Readonly<Partial<Record<UploadField, string>>>;

const itemField = <Field extends ItemField>(field: Field) => `items[0].${field}` as const;

export const UPLOAD_FIELDS: readonly UploadField[] = [...DRAFT_FIELDS, 'paymentMethod', ...ITEM_FIELDS.map(itemField)];
/** The reader of each column. Other columns are texts. */
export const READS: Readonly<Partial<Record<UploadField, Reader>>> = {
  ...DRAFT_READS,
  ...Object.fromEntries(ITEM_FIELDS.map((field) => [itemField(field), ITEM_READS[field]])),
};
const OPTIONAL: ReadonlySet<UploadField> = new Set<UploadField>([
  'recipient.alternateContactName',
  'recipient.alternateContactPhone',
  'requirements',
  'paymentMethod',
  'items[0].quantity',
  'items[0].lengthCentimetres',
  'items[0].widthCentimetres',
  'items[0].heightCentimetres',
]);

/** The name of a field in a language. */
export function labelOf(field: UploadField, { fields, item, payment }: typeof SHIPMENT_FORM_TEXTS.en): string {
  if (field === 'paymentMethod') return payment;
  const ofItem = ITEM_FIELDS.find((name) => itemField(name) === field);
  if (ofItem !== undefined) return item[ofItem];
  const ofDraft = DRAFT_FIELDS.find((name) => name === field);
  return ofDraft === undefined ? field : fields[ofDraft];
}

/** Other names that people give to columns. */
const ALSO: Readonly<Record<string, UploadField>> = {
  reference: 'externalReference',
  order: 'externalReference',
  ordernumber: 'externalReference',
  recipient: 'recipient.name',
  phone: 'recipient.phone',
  address: 'destination.addressLine',
  city: 'destination.cityCode',
  lat: 'destination.latitude',
  lng: 'destination.longitude',
  lon: 'destination.longitude',
  value: 'declaredValue',
  cod: 'codAmount',
  weight: 'items[0].weightKilograms',
};

/** Finds the field of each column by its name in the API or in either language. Each field has one column. */
export function matchColumns(header: readonly string[]): Matching {
  const names = new Map<string, UploadField>(Object.entries(ALSO));
  for (const field of UPLOAD_FIELDS) {
    const { en, ar } = SHIPMENT_FORM_TEXTS;
    for (const name of [field, field.split('.').at(-1) ?? field, labelOf(field, en), labelOf(field, ar)])
      names.set(plain(name), field);
  }
  const taken = new Set<UploadField>();
  return header.map((name) => {
    const field = names.get(plain(name));
    if (field === undefined || taken.has(field)) return '';
    taken.add(field);
    return field;
  });
}

function plain(name: string): string {
  return foldedOf(name).replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The fields that have neither a column nor a value for all rows. */
export function missingFields(matching: Matching, defaults: ShipmentDraft): UploadField[] {
  const isGiven = (field: UploadField) => {
    const name = DRAFT_FIELDS.find((known) => known === field);
    return matching.includes(field) || OPTIONAL.has(field) || (name !== undefined && defaults.values[name] !== '');
  };
  return UPLOAD_FIELDS.filter((field) => !isGiven(field));
}

/** Whether the numbers of a field may have grouped thousands; undefined if its values are no numbers. */
function isGroupedIn(field: UploadField): boolean | undefined {
  const reader = READS[field];
  return reader === DEGREES ? false : reader === AMOUNT || reader === WHOLE ? true : undefined;
}

function numbersOf({ rows }: CsvFile, matching: Matching) {
  return matching.flatMap((field, column) => {
    const isGrouped = field === '' ? undefined : isGroupedIn(field);
    if (field === '' || isGrouped === undefined) return [];
    return rows.map(({ number, cells }) => {
      const cell = cells[column] ?? '';
      return { field, row: number, cell, read: readNumber(cell, { isGrouped }) };
    });
  });
}

/** The decimal separator that the numbers of a file show. Undefined if they show none, or both. */
function markOf(file: CsvFile, matching: Matching): DecimalMark | undefined {
  const marks = new Set(numbersOf(file, matching).flatMap(({ read }) => read?.mark ?? []));
  return marks.size === 1 ? [...marks][0] : undefined;
}

/** The first number of each column that can be read in two ways, and how many there are. */
export function doubtsOf(file: CsvFile, matching: Matching) {
  const doubts = new Map<UploadField, { row: number; cell: string; count: number }>();
  if (markOf(file, matching) !== undefined) return doubts;
  for (const { field, row, cell, read } of numbersOf(file, matching)) {
    if (read?.isDoubtful !== true) continue;
    const known = doubts.get(field);
    doubts.set(field, known === undefined ? { row, cell, count: 1 } : { ...known, count: known.count + 1 });
  }
  return doubts;
}

/** The rows of a file. Its numbers have a point before their decimals from here on. */
export function rowsOfFile(file: CsvFile, matching: Matching): UploadRow[] {
  const mark = file.mark ?? markOf(file, matching);
  const valueOf = (field: UploadField, cell: string) => {
    const isGrouped = isGroupedIn(field);
    return (isGrouped === undefined ? undefined : readNumber(cell, { mark, isGrouped })?.value) ?? cell;
  };
  return file.rows.map(({ number, cells }) => ({
    number,
    values: Object.fromEntries(
      matching.flatMap((field, column) => {
        if (field === '') return [];
        // The files that this page saves have apostrophes before signs of formulas. Exports of others write text as `="050"`.
        const cell = textOfInert(cells[column] ?? '').replace(/^="(.*)"$/s, '$1');
        return [[field, valueOf(field, cell)]];
      }),
    ),
    corrected: {},
  }));
}

/** A row with another value in one cell. */
export function correctCell(row: UploadRow, field: UploadField, value: string): UploadRow {
  const change = { [field]: value };
  return { ...row, values: { ...row.values, ...change }, corrected: { ...row.corrected, ...change } };
}

/** The rows that are left, with another matching. Corrected cells stay, except those of fields that lost their column. */
export function matchAnew(
  left: readonly UploadRow[],
  { file, matching: before }: { readonly file: CsvFile; readonly matching: Matching },
  matching: Matching,
): UploadRow[] {
  const lost = UPLOAD_FIELDS.filter((field) => before.includes(field) && !matching.includes(field));
  const read = new Map(rowsOfFile(file, matching).map(({ number, values }) => [number, values]));
  return left.map(({ number, corrected }) => {
    const kept: Values = Object.fromEntries(
      UPLOAD_FIELDS.flatMap((field) =>
        corrected[field] === undefined || lost.includes(field) ? [] : [[field, corrected[field]]],
      ),
    );
    return { number, values: { ...read.get(number), ...kept }, corrected: kept };
  });
}

const LOCAL_TIME = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2})?)$/;
const METHODS = {
  cashondelivery: 'COD',
  [plain(PAYMENT_WORDS.COD.ar)]: 'COD',
  [plain(PAYMENT_WORDS.PREPAID.ar)]: 'PREPAID',
};

type Shipment = Inputs['shipmentBatches']['create']['items'][number]['shipment'];

interface Basis {
  readonly defaults: ShipmentDraft;
  readonly cities: Parameters<typeof cityOf>[0];
}

/** The request of a row. An empty cell takes the value for all rows. What is not valid stays, so that the service says so. */
export function requestOfRow({ values }: UploadRow, { defaults, cities }: Basis): Shipment {
  const texts = { ...defaults.values };
  for (const field of DRAFT_FIELDS) texts[field] = values[field] || texts[field];
  const city = texts['destination.cityCode'];
  texts['destination.cityCode'] = cityOf(cities, city)?.cityCode ?? city;
  const item = { ...blankItem(0).values };
  for (const field of ITEM_FIELDS) item[field] = values[itemField(field)] || item[field];
  const method = values.paymentMethod ?? '';
  const request = requestOf({ values: texts, paymentMethod: 'PREPAID', items: [{ id: 0, values: item }] });
  if (Number(request.codAmount) > 0) request.paymentMethod = 'COD';
  // Only this form is read as Riyadh time. Others can mean two days, such as 05/11/2026.
  for (const field of ['pickupWindowStart', 'pickupWindowEnd'] as const) {
    const text = readNumbered(texts[field]);
    const [, day, time] = LOCAL_TIME.exec(text) ?? [];
    request[field] = day === undefined ? text : riyadhInstant(`${day}T${time}`);
  }
  // Any text, because the service says which values are possible.
  return Object.assign(request, method === '' ? {} : { paymentMethod: METHODS[plain(method)] ?? method.toUpperCase() });
}

/** What the service said about a row: nothing if it can be created. */
export interface Verdict {
  readonly violations: readonly ProblemViolation[];
  /** What is wrong with the row as a whole. */
  readonly title: string | undefined;
}

/** A row that was not created, and why. */
export interface RefusedRow {
  readonly row: UploadRow;
  readonly verdict: Verdict;
}

/** The rows of a file when a batch began to create them. */
export interface SentRows {
  readonly batchId: string;
  /** The chosen file, by its count. */
  readonly sheet: number;
  readonly rows: readonly UploadRow[];
  /** The rows with errors. They are not in the batch. */
  readonly leftOut: readonly RefusedRow[];
}

type BatchItem = Outputs['shipmentBatches']['listItems']['data'][number];

const KEY = /^row-(\d+)-/;

/** The key of a row in a batch. It has the number of the row, so that the result can name it later. */
export async function keyOfRow({ number }: UploadRow, draftId: string, order: object): Promise<string> {
  return `row-${number}-${await keyOf(draftId, { number, order })}`;
}

export function numberOf({ key }: Pick<BatchItem, 'key'>): number {
  return Number(KEY.exec(key)?.[1] ?? 0);
}

const GROUPED = new Intl.NumberFormat('en', { minimumFractionDigits: 2 });

/** What is wrong with an item of a batch; undefined if nothing is. A known reference is shown at its cell. */
export function verdictOf({ problem }: BatchItem): Verdict | undefined {
  if (!isProblem(problem)) return undefined;
  const { code, title, detail, violations = [], price } = problem;
  const whole = detail === undefined ? title : `${title}. ${detail}`;
  if (code === 'EXTERNAL_REFERENCE_CONFLICT')
    return { violations: [{ field: 'externalReference', code, message: title }], title: undefined };
  if (code === 'PRICE_LIMIT_EXCEEDED' && isRecord(price))
    return {
      violations,
      title: `${title}: ${GROUPED.format(Number(price['totalAmount']))} ${String(price['currency'])}`,
    };
  return { violations, title: violations.length === 0 ? whole : undefined };
}

/** The column that shows a violation; undefined if none does. */
export function fieldOf({ field }: ProblemViolation): UploadField | undefined {
  const name = field.replace(/^requirements\[\d+\]$/, 'requirements');
  return UPLOAD_FIELDS.find((known) => known === name);
}

/** Shipments whose labels fit into one file, with the numbers of the first and the last of them. */
export function labelParts(ids: readonly string[]): { ids: readonly string[]; from: number; to: number }[] {
  return Array.from({ length: Math.ceil(ids.length / LABELS_MAX) }, (_, part) => {
    const start = part * LABELS_MAX;
    const some = ids.slice(start, start + LABELS_MAX);
    return { ids: some, from: start + 1, to: start + some.length };
  });
}
