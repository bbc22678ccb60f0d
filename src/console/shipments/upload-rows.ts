import { textOfInert } from '../../core/csv.ts';
import { BATCH_ITEMS_MAX } from '../../core/limits.ts';
import { foldedOf } from '../../core/typed/folded.ts';
import { type DecimalMark, readNumber } from '../../core/typed/number.ts';
import { readNumbered, readText } from '../../core/typed/text.ts';
import { inSlices } from '../../ui/browser/base/slices.ts';
import { AMOUNT, DEGREES, WHOLE } from '../../ui/browser/kit/number-readers.ts';
import { REFERENCE } from '../../ui/browser/kit/readers.ts';
import { columnsToJoin } from './export-headers.ts';
import { DRAFT_FIELDS, ITEM_FIELDS, type ShipmentDraft } from './shipment-draft.ts';
import {
  type FileRow,
  isOfItem,
  itemCountOf,
  itemField,
  JOINTS,
  type Matching,
  type OrderFile,
  readerOf,
  SHOP_FIELDS,
  UPLOAD_FIELDS,
  type UploadField,
  type Values,
} from './upload-fields.ts';

/* The lines of an uploaded file as shipments. */

/** One order of a file, which becomes one shipment. */
export interface UploadRow {
  /** The number of its first line in the spreadsheet. */
  readonly number: number;
  /** The numbers of all its lines, if they are several. */
  readonly lines?: readonly number[];
  readonly values: Values;
  /** Those of the values that a person has typed. */
  readonly corrected: Values;
}

const OPTIONAL: ReadonlySet<UploadField> = new Set<UploadField>([
  'recipient.alternateContactName',
  'recipient.alternateContactPhone',
  'requirements',
  'paymentMethod',
  ...SHOP_FIELDS,
  'items[0].quantity',
  'items[0].lengthCentimetres',
  'items[0].widthCentimetres',
  'items[0].heightCentimetres',
]);

const DEGREE_FIELDS: readonly UploadField[] = ['destination.latitude', 'destination.longitude'];

/** The fields that have neither a column nor a value for all rows. */
export function missingFields(matching: Matching, { values, items }: ShipmentDraft): UploadField[] {
  const isGiven = (field: UploadField) => {
    const ofDraft = DRAFT_FIELDS.find((known) => known === field);
    const ofItem = ITEM_FIELDS.find((known) => itemField(known) === field);
    return (
      matching.includes(field) ||
      OPTIONAL.has(field) ||
      // The page can look for the place of an address.
      (DEGREE_FIELDS.includes(field) && matching.includes('destination.addressLine')) ||
      // The total is also what the order is worth.
      (field === 'declaredValue' && matching.includes('orderTotal')) ||
      (ofDraft !== undefined && values[ofDraft] !== '') ||
      (ofItem !== undefined && (items[0]?.values[ofItem] ?? '') !== '')
    );
  };
  return UPLOAD_FIELDS.filter((field) => !isGiven(field));
}

/** Whether the numbers of a field may have grouped thousands; undefined if its values are no numbers. */
function isGroupedIn(field: UploadField): boolean | undefined {
  const reader = readerOf(field);
  return reader === DEGREES ? false : reader === AMOUNT || reader === WHOLE ? true : undefined;
}

function numbersOf({ rows }: OrderFile, matching: Matching) {
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
function markOf(file: OrderFile, matching: Matching): DecimalMark | undefined {
  const marks = new Set(numbersOf(file, matching).flatMap(({ read }) => read?.mark ?? []));
  return marks.size === 1 ? [...marks][0] : undefined;
}

/** The first number of each column that can be read in two ways, and how many there are. */
export function doubtsOf(file: OrderFile, matching: Matching) {
  const doubts = new Map<UploadField, { row: number; cell: string; count: number }>();
  if (markOf(file, matching) !== undefined) return doubts;
  for (const { field, row, cell, read } of numbersOf(file, matching)) {
    if (read?.isDoubtful !== true) continue;
    const known = doubts.get(field);
    doubts.set(field, known === undefined ? { row, cell, count: 1 } : { ...known, count: known.count + 1 });
  }
  return doubts;
}

/** The rows that were made last, because several parts of the page need those of the same file. */
let last: { readonly file: OrderFile; readonly matching: Matching; readonly rows: UploadRow[] } | undefined;

/** The orders of a file. Its numbers have a point before their decimals from here on. */
export function rowsOfFile(file: OrderFile, matching: Matching): UploadRow[] {
  if (last?.file === file && last.matching === matching) return last.rows;
  const rules = rulesOf(file, matching);
  const rows = ordersOf(file.rows.map((line) => rowOf(line, rules)));
  last = { file, matching, rows };
  return rows;
}

/** The same for a file of thousands of rows, while the page stays usable. */
export async function rowsInSlices(file: OrderFile, matching: Matching): Promise<UploadRow[]> {
  const rules = rulesOf(file, matching);
  const lines: UploadRow[] = [];
  await inSlices(file.rows, (line) => {
    lines.push(rowOf(line, rules));
  });
  const rows = ordersOf(lines);
  last = { file, matching, rows };
  return rows;
}

function rulesOf(file: OrderFile, matching: Matching): CellRules {
  const mark = file.mark ?? markOf(file, matching);
  return { matching, columns: columnsToJoin(file.header, matching), mark };
}

function rowOf({ number, cells }: FileRow, rules: CellRules): UploadRow {
  return { number, values: withEachProduct(valuesOf(cells, rules)), corrected: {} };
}

interface CellRules {
  readonly matching: Matching;
  /** The columns in the order in which they are joined. */
  readonly columns: readonly number[];
  readonly mark: DecimalMark | undefined;
}

function valuesOf(cells: readonly string[], { matching, columns, mark }: CellRules): Values {
  const parts = new Map<UploadField, string[]>();
  for (const column of columns) {
    const field = matching[column] ?? '';
    if (field === '') continue;
    const isGrouped = isGroupedIn(field);
    // The files that this page saves have apostrophes before signs of formulas. Exports of others write text as `="050"`.
    const cell = textOfInert(cells[column] ?? '').replace(/^="(.*)"$/s, '$1');
    const value = (isGrouped === undefined ? undefined : readNumber(cell, { mark, isGrouped })?.value) ?? cell;
    const before = parts.get(field) ?? [];
    // Some exports repeat a part. Only an equal part is left out: the flat `2` also stands in `12 King Fahd Road`.
    const isRepeated = before.some((part) => foldedOf(part) === foldedOf(value));
    parts.set(field, value === '' || isRepeated ? before : [...before, value]);
  }
  const values = [...parts].map(([field, own]) => {
    const joint = JOINTS[field];
    return [field, joint === undefined ? (own[0] ?? '') : own.join(joint)];
  });
  return Object.fromEntries(values) as Values;
}

/** The products of an order in one cell, as Salla writes them: `(SKU: C-12) Coffee (Qty: 2), (SKU: …`. */
const PRODUCT = /\s*[,،]?\s*(.*?)\s*\(Qty:\s*(\d+)\)/gs;
const SKU = /\(SKU:\s*([^)]*)\)|-?\s*SKU:\s*(\S+)/;

/** A line whose cell lists several products has an item for each. */
function withEachProduct(values: Values): Values {
  const products = [...(values['items[0].description'] ?? '').matchAll(PRODUCT)].map(([, text = '', quantity = '']) => {
    const [sku = '', inBrackets, bare] = SKU.exec(text) ?? [];
    return { description: readText(text.replace(sku, '')) || (inBrackets ?? bare ?? text), quantity };
  });
  const items = products.map(({ description, quantity }, index) => ({
    [itemField('description', index)]: description,
    [itemField('quantity', index)]: quantity,
  }));
  return Object.assign({ ...values }, ...items) as Values;
}

/**
 * Lines with one reference are one order with several items. The later ones repeat the customer or leave the cells empty; a line for
 * somebody else is an order of its own, whose reference the service then refuses.
 */
function ordersOf(lines: readonly UploadRow[]): UploadRow[] {
  const orders: UploadRow[] = [];
  const places = new Map<string, number>();
  for (const line of lines) {
    const reference = readNumbered(REFERENCE.read(line.values.externalReference ?? ''));
    const place = places.get(reference);
    const order = place === undefined ? undefined : orders[place];
    if (place !== undefined && order !== undefined && isSameOrder(order, line)) {
      orders[place] = joined(order, line);
    } else {
      if (reference !== '') places.set(reference, orders.length);
      orders.push(line);
    }
  }
  return orders;
}

function isSameOrder(order: UploadRow, line: UploadRow): boolean {
  if ((line.values['items[0].description'] ?? '') === '') return false;
  return UPLOAD_FIELDS.filter((field) => field !== 'externalReference' && !isOfItem(field)).every((field) => {
    const value = line.values[field] ?? '';
    return value === '' || foldedOf(value) === foldedOf(order.values[field] ?? '');
  });
}

function joined(order: UploadRow, line: UploadRow): UploadRow {
  const count = itemCountOf(order.values);
  const items = Object.entries(line.values)
    .filter(([field]) => isOfItem(field))
    .map(([field, value]) => [field.replace(/\d+/, (index) => String(Number(index) + count)), value]);
  const values = { ...order.values, ...Object.fromEntries(items) } as Values;
  return { ...order, lines: [...(order.lines ?? [order.number]), line.number], values };
}

/** The parts in which rows are sent: one batch each. */
export function partsOf<Row>(rows: readonly Row[]): (readonly Row[])[] {
  return Array.from({ length: Math.ceil(rows.length / BATCH_ITEMS_MAX) }, (_, part) =>
    rows.slice(part * BATCH_ITEMS_MAX, (part + 1) * BATCH_ITEMS_MAX),
  );
}

/** The rows that have no batch yet. */
export function waitingRows<Row>({
  rows,
  batchIds,
}: {
  readonly rows: readonly Row[];
  readonly batchIds: readonly string[];
}): readonly Row[] {
  return rows.slice(batchIds.length * BATCH_ITEMS_MAX);
}

/** A row with another value in one cell. */
export function correctCell(row: UploadRow, field: UploadField, value: string): UploadRow {
  const change = { [field]: value };
  return { ...row, values: { ...row.values, ...change }, corrected: { ...row.corrected, ...change } };
}

/** The orders that are left, with another matching. Corrected cells stay, except those of fields that lost their column. */
export function matchAnew(
  left: readonly UploadRow[],
  { file, matching: before }: { readonly file: OrderFile; readonly matching: Matching },
  matching: Matching,
): UploadRow[] {
  const lost = UPLOAD_FIELDS.filter((field) => before.includes(field) && !matching.includes(field));
  const lines = new Set(left.flatMap((row) => row.lines ?? [row.number]));
  const corrections = new Map(left.map(({ number, corrected }) => [number, corrected]));
  const mark = file.mark ?? markOf(file, matching);
  const rest = {
    ...file,
    ...(mark === undefined ? {} : { mark }),
    rows: file.rows.filter((row) => lines.has(row.number)),
  };
  return rowsOfFile(rest, matching).map((row) => {
    const kept = Object.fromEntries(
      Object.entries(corrections.get(row.number) ?? {}).filter(([field]) => !lost.some((one) => one === field)),
    ) as Values;
    return { ...row, values: { ...row.values, ...kept }, corrected: kept };
  });
}

/** The products of a file whose weight it does not say, those of the most lines first. */
export function productsOf(file: OrderFile, matching: Matching): string[] {
  const counts = new Map<string, { name: string; count: number }>();
  for (const { values } of rowsOfFile(file, matching))
    for (let index = 0; index < itemCountOf(values); index += 1) {
      const name = values[itemField('description', index)] ?? '';
      if (name === '' || (values[itemField('weightKilograms', index)] ?? '') !== '') continue;
      const known = counts.get(foldedOf(name)) ?? { name, count: 0 };
      counts.set(foldedOf(name), { ...known, count: known.count + 1 });
    }
  return [...counts.values()].toSorted((one, other) => other.count - one.count).map(({ name }) => name);
}
