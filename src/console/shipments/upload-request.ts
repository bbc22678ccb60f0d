import { addDecimals, type Decimal, parseDecimal } from '../../core/decimal.ts';
import { riyadhInstant } from '../../core/riyadh.ts';
import { cityOf } from '../../core/typed/city.ts';
import { foldedOf } from '../../core/typed/folded.ts';
import { readNumbered, readText } from '../../core/typed/text.ts';
import type { Inputs } from '../../ui/browser/service/calls.ts';
import { blankItem, DRAFT_FIELDS, ITEM_FIELDS, requestOf, type ShipmentDraft } from './shipment-draft.ts';
import { itemCountOf, itemField, type Values } from './upload-fields.ts';
import { dueOf, isPaid, methodOf, type PaymentAnswers } from './upload-payments.ts';

/* The rows of an upload as creation requests. */

type Shipment = Inputs['shipmentBatches']['create']['items'][number]['shipment'];

/** What holds for all rows. */
export interface Basis {
  readonly defaults: ShipmentDraft;
  readonly cities: Parameters<typeof cityOf>[0];
  /** What a person has said about words for payment. */
  readonly payments?: PaymentAnswers;
  /** Kilograms of one piece by the folded name of the product. */
  readonly weights?: Readonly<Record<string, string>>;
}

const LOCAL_TIME = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2})?)$/;

/** The request of a row. An empty cell takes the value for all rows. What is not valid stays, so that the service says so. */
export function requestOfRow({ values }: { readonly values: Values }, basis: Basis): Shipment {
  const { defaults, cities, payments = {} } = basis;
  const cell = readText(values.paymentMethod ?? '');
  const worded = methodOf(cell, payments);
  const method = worded === 'COD' && isPaid(values) ? 'PREPAID' : worded;
  const texts = { ...defaults.values };
  for (const field of DRAFT_FIELDS) texts[field] = values[field] || texts[field];
  texts.declaredValue = values.declaredValue || values.orderTotal || texts.declaredValue;
  if (method === 'COD') texts.codAmount = values.codAmount || (dueOf(values) ?? texts.codAmount);
  const city = texts['destination.cityCode'];
  texts['destination.cityCode'] = cityOf(cities, city)?.cityCode ?? city;
  const request = requestOf({ values: texts, paymentMethod: 'PREPAID', items: itemsOf(values, basis) });
  if (Number(request.codAmount) > 0) request.paymentMethod = 'COD';
  // Only this form is read as Riyadh time. Others can mean two days, such as 05/11/2026.
  for (const field of ['pickupWindowStart', 'pickupWindowEnd'] as const) {
    const text = readNumbered(texts[field]);
    const [, day, time] = LOCAL_TIME.exec(text) ?? [];
    request[field] = day === undefined ? text : riyadhInstant(`${day}T${time}`);
  }
  if (cell === '' && method === undefined) return request;
  // Any text, because the service says which values are possible.
  return Object.assign(request, { paymentMethod: method ?? cell.toUpperCase() });
}

/** What drivers collect in one currency, and for how many orders. */
interface Collection {
  readonly currency: string;
  readonly amount: Decimal;
  readonly count: number;
}

/** What drivers collect for shipments, by currency. */
export function collectionsOf(shipments: readonly Shipment[]): Collection[] {
  const sums = new Map<string, Collection>();
  for (const { codAmount, currency } of shipments) {
    const amount = parseDecimal(String(codAmount));
    if (amount === undefined || !(Number(amount) > 0)) continue;
    const sum = sums.get(currency);
    sums.set(
      currency,
      sum === undefined
        ? { currency, amount, count: 1 }
        : { currency, amount: addDecimals(sum.amount, amount), count: sum.count + 1 },
    );
  }
  return [...sums.values()];
}

function itemsOf(values: Values, { defaults, weights = {} }: Basis): ShipmentDraft['items'] {
  const fallback = defaults.items[0]?.values ?? blankItem(0).values;
  return Array.from({ length: itemCountOf(values) }, (_, id) => {
    const item = { ...fallback };
    for (const field of ITEM_FIELDS) item[field] = values[itemField(field, id)] || item[field];
    const own = values[itemField('weightKilograms', id)] || weights[productOf(item.description)];
    return { id, values: { ...item, weightKilograms: own || item.weightKilograms } };
  });
}

/** The name by which weights are kept. */
export function productOf(description: string): string {
  return foldedOf(description);
}
