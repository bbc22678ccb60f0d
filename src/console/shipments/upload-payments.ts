import { foldedOf } from '../../core/typed/folded.ts';
import { readText } from '../../core/typed/text.ts';
import { AMOUNT } from '../../ui/browser/kit/number-readers.ts';
import type { ShipmentDraft } from './shipment-draft.ts';
import type { Matching, OrderFile, Values } from './upload-fields.ts';
import { PAYMENT_WORDS } from './words.ts';

/* How an order was paid, in the words of shops. Words that are not here are shown to the person and not guessed. */

type PaymentMethod = ShipmentDraft['paymentMethod'];

/** What a person has said about words that this page does not know. */
export type PaymentAnswers = Readonly<Record<string, PaymentMethod>>;

const WHOLE: Readonly<Record<string, PaymentMethod>> = {
  prepaid: 'PREPAID',
  [foldedOf(PAYMENT_WORDS.PREPAID.ar)]: 'PREPAID',
  paid: 'PREPAID',
};
/** Also with a card at the door: a driver collects the amount. */
const ON_DELIVERY = /\bcod\b|\bcash ?on ?delivery\b|\bpay(?:ment)? on delivery\b|عند (?:ال)?(?:استلام|تسليم|توصيل)/;
const PAID = new RegExp(
  [
    String.raw`\b(?:mada|apple ?pay|google ?pay|samsung ?pay|stc ?pay|visa|master ?card|amex|american express)\b`,
    String.raw`\b(?:(?:credit|debit|bank) ?card|paypal|tabby|tamara|shopify payments|moyasar|hyper ?pay|paytabs)\b`,
    'مدي|ابل ?باي|جوجل ?باي|سامسونج ?باي|اس تي سي ?باي|فيزا|ماستر ?كارد|بطاقه (?:ال)?ائتمان|تابي|تمارا',
  ].join('|'),
);
const NOT_PAID = /\b(?:un|not|pending|failed|awaiting)|غير|لم |بانتظار|فشل/;

/** The word by which answers are kept. */
function paymentWord(cell: string): string {
  return foldedOf(cell).replaceAll('_', ' ');
}

/** The method that the words of a cell mean; undefined if that is not certain. */
export function methodOf(cell: string, answers: PaymentAnswers): PaymentMethod | undefined {
  const word = paymentWord(cell);
  const answer = answers[word] ?? WHOLE[word];
  if (answer !== undefined) return answer;
  const isOnDelivery = ON_DELIVERY.test(word);
  if (isOnDelivery || !PAID.test(word) || NOT_PAID.test(word))
    return isOnDelivery && !PAID.test(word) ? 'COD' : undefined;
  return 'PREPAID';
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' | ').map(paymentWord));
/** What was refunded in part had been paid. */
const PAID_STATUSES = words('paid | partially refunded | مدفوع | مدفوعة | تم الدفع');
const PARTLY_PAID_STATUSES = words('partially paid | مدفوع جزئيًا | مدفوعة جزئيًا');

/** Whether nothing is left to collect, although the method of the order is payment on delivery. */
export function isPaid({ codAmount, outstandingBalance, paymentStatus = '' }: Values): boolean {
  // Somebody has said what the driver collects.
  if (codAmount) return false;
  if (outstandingBalance) return Number(AMOUNT.read(outstandingBalance)) <= 0;
  return PAID_STATUSES.has(paymentWord(paymentStatus));
}

/** What is left to pay. Empty if a part of the order is paid and nothing says how much. Undefined without any amount. */
export function dueOf({ outstandingBalance, paymentStatus = '', orderTotal }: Values): string | undefined {
  if (outstandingBalance) return outstandingBalance;
  return PARTLY_PAID_STATUSES.has(paymentWord(paymentStatus)) ? '' : orderTotal || undefined;
}

/** The cells of the column for payment that nobody has explained yet, and how many rows each has. */
export function unknownMethods(
  { rows }: OrderFile,
  matching: Matching,
  answers: PaymentAnswers,
): ReadonlyMap<string, { readonly cell: string; readonly count: number }> {
  const column = matching.indexOf('paymentMethod');
  const reference = matching.indexOf('externalReference');
  // With an amount to collect, an empty cell says nothing that is needed.
  const isEmptyKnown = matching.includes('codAmount') || !matching.includes('orderTotal');
  const unknown = new Map<string, { cell: string; count: number }>();
  if (column < 0) return unknown;
  const seen = new Set<string>();
  for (const { cells } of rows) {
    const cell = readText(cells[column] ?? '');
    const order = cells[reference] ?? '';
    // The further lines of an order leave the cell empty.
    const isKnown = cell === '' ? isEmptyKnown || seen.has(order) : methodOf(cell, answers) !== undefined;
    if (order !== '') seen.add(order);
    if (isKnown || (cell === '' && answers[''] !== undefined)) continue;
    const known = unknown.get(paymentWord(cell)) ?? { cell, count: 0 };
    unknown.set(paymentWord(cell), { ...known, count: known.count + 1 });
  }
  return unknown;
}
