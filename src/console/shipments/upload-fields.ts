import type { ProblemViolation } from '../../client/problem.ts';
import type { DecimalMark } from '../../core/typed/number.ts';
import type { Reader } from '../../ui/browser/kit/readers.ts';
import {
  DRAFT_FIELDS,
  DRAFT_READS,
  type DraftField,
  ITEM_FIELDS,
  ITEM_READS,
  type ItemField,
} from './shipment-draft.ts';
import type { SHIPMENT_FORM_TEXTS } from './shipment-form-words.ts';

/* An uploaded file, and the fields of its rows. */

/** A row with its number in the spreadsheet. */
export interface FileRow {
  readonly number: number;
  readonly cells: readonly string[];
}

/** Why an order of a file is not sent. */
export type EndedReason = 'CANCELLED' | 'REFUNDED' | 'SHIPPED' | 'UNPAID';

/** An order that needs no shipment any more, as its shop says. */
export interface EndedOrder {
  /** The number of its first line in the spreadsheet. */
  readonly number: number;
  readonly reference: string;
  readonly reason: EndedReason;
}

export interface OrderFile {
  /** The decimal separator of its numbers, if somebody has chosen it. */
  readonly mark?: DecimalMark;
  readonly header: readonly string[];
  /** The rows under the header that are not empty. */
  readonly rows: readonly FileRow[];
  /** The sheet of a workbook that was read, if others with orders were not. */
  readonly sheet?: { readonly name: string; readonly others: readonly string[] };
  /** Orders of the file that are not among the rows. */
  readonly ended?: readonly EndedOrder[];
}

/**
 * What shops say of an order beside its payment method. The total is both what the order is worth and what a driver may collect;
 * the balance is the part of the total that is not paid yet.
 */
export const SHOP_FIELDS = ['orderTotal', 'outstandingBalance', 'paymentStatus'] as const;
type ShopField = (typeof SHOP_FIELDS)[number];

/** A member of the request by its name in violations, or what a shop says of the order. */
export type UploadField = DraftField | 'paymentMethod' | ShopField | `items[${number}].${ItemField}`;

/** The field of each column, or nothing if the column is not used. */
export type Matching = readonly (UploadField | '')[];

/** What the cells of a row say. */
export type Values = Readonly<Partial<Record<UploadField, string>>>;

/** The name of a field of an item in violations. */
export const itemField = <Field extends ItemField>(field: Field, index = 0) => `items[${index}].${field}` as const;

/** The fields that a column can have. Further items come from further lines of an order. */
export const UPLOAD_FIELDS: readonly UploadField[] = [
  ...DRAFT_FIELDS,
  'paymentMethod',
  ...SHOP_FIELDS,
  ...ITEM_FIELDS.map((field) => itemField(field)),
];

/** What is put between the columns of one field. Other fields take the first column that is not empty. */
export const JOINTS: Readonly<Partial<Record<UploadField, string>>> = {
  'recipient.name': ' ',
  'destination.addressLine': ', ',
};

const ITEM = /^items\[(\d+)\]\.(.+)$/;

/** The reader of a field: that of a column, for each item. */
export function readerOf(field: UploadField): Reader | undefined {
  const [, , member] = ITEM.exec(field) ?? [];
  if (field === 'orderTotal' || field === 'outstandingBalance') return DRAFT_READS.declaredValue;
  const ofItem = ITEM_FIELDS.find((name) => name === member);
  const ofDraft = DRAFT_FIELDS.find((name) => name === field);
  return ofItem === undefined ? ofDraft && DRAFT_READS[ofDraft] : ITEM_READS[ofItem];
}

/** The name of a field in a language. Items after the first have their number. */
export function labelOf(field: UploadField, { fields, item, payment, shop }: typeof SHIPMENT_FORM_TEXTS.en): string {
  if (field === 'paymentMethod') return payment;
  const ofShop = SHOP_FIELDS.find((name) => name === field);
  if (ofShop !== undefined) return shop[ofShop];
  const [, index = '', member] = ITEM.exec(field) ?? [];
  const ofItem = ITEM_FIELDS.find((name) => name === member);
  if (ofItem !== undefined) return index === '0' ? item[ofItem] : `${item[ofItem]} (${Number(index) + 1})`;
  const ofDraft = DRAFT_FIELDS.find((name) => name === field);
  return ofDraft === undefined ? field : fields[ofDraft];
}

/** The column that shows a violation; undefined if none does. */
export function fieldOf({ field }: ProblemViolation): UploadField | undefined {
  const [, index = '', member] = ITEM.exec(field) ?? [];
  const ofItem = ITEM_FIELDS.find((name) => name === member);
  if (ofItem !== undefined) return itemField(ofItem, Number(index));
  const name = field.replace(/^requirements\[\d+\]$/, 'requirements');
  return UPLOAD_FIELDS.find((known) => known === name);
}

/** How many items the cells of a row describe. */
export function itemCountOf(values: Values): number {
  return Math.max(0, ...Object.keys(values).map((field) => Number(ITEM.exec(field)?.[1] ?? 0))) + 1;
}

/** Whether a field says something of an item, not of the order. */
export function isOfItem(field: string): boolean {
  return ITEM.test(field);
}
