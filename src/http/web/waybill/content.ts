import { literalDecimal, multiplyDecimals } from '../../../core/decimal.ts';
import { parseInstant } from '../../../core/instant.ts';
import type { Locale } from '../../../core/locale.ts';
import { cityName } from '../../../core/names.ts';
import { formatDay, formatMoney, formatNumber, formatTime } from '../formats.ts';
import { isolate, isolateLtr } from './isolate.ts';
import type { Label } from './label.ts';
import { WORDS } from './words.ts';

/* The content of a label, in order. PDF, ZPL and HTML all draw it. Texts from outside are isolated (UAX #9). */

/** A paragraph. Its kind decides its size (`STYLES`) and its class in HTML. */
export interface Entry {
  readonly kind: keyof typeof STYLES;
  readonly text: string;
}

export interface Content {
  readonly locale: Locale;
  readonly shipmentNumber: string;
  /** For the QR code. */
  readonly consoleAddress: string;
  /** From top to bottom, with a rule between two of them. */
  readonly blocks: readonly Block[];
}

/** The QR code stands at the end of `money`. */
export interface Block {
  readonly name: 'head' | 'recipient' | 'money' | 'load' | 'sender';
  readonly entries: readonly Entry[];
}

export interface Style {
  /** In millimetres, on a label without long texts. */
  readonly size: number;
  readonly isBold?: true;
  /** Further lines are cut off. The recipient's name, address and phone have no such limit, because the driver needs them. */
  readonly linesMax?: number;
  readonly isAtEnd?: true;
  readonly isAddress?: true;
}

export const STYLES = {
  part: { size: 7, isBold: true, isAtEnd: true },
  merchant: { size: 5, isBold: true, linesMax: 2 },
  heading: { size: 2.6, isBold: true },
  city: { size: 6.5, isBold: true },
  name: { size: 4.2, isBold: true },
  /** Large enough to be read at arm's length. */
  address: { size: 5, isAddress: true },
  phone: { size: 3.4 },
  amount: { size: 5.6, isBold: true },
  paid: { size: 4.5, isBold: true },
  item: { size: 3.4, isBold: true, linesMax: 2 },
  total: { size: 3.4, isBold: true },
  reference: { size: 3.4, linesMax: 2 },
  requirements: { size: 3, linesMax: 2 },
  pickup: { size: 2.8, linesMax: 2 },
  window: { size: 2.8 },
} as const satisfies Readonly<Record<string, Style>>;

export function contentOf(label: Label): Content {
  const { part, merchantName, locale, consoleAddress } = label;
  const blocks: readonly Block[] = [
    {
      name: 'head',
      entries: listed([
        ['part', part && isolateLtr(`${part.number}/${part.of}`)],
        ['merchant', isolate(merchantName)],
      ]),
    },
    { name: 'recipient', entries: recipientOf(label) },
    { name: 'money', entries: moneyOf(label) },
    { name: 'load', entries: loadOf(label) },
    { name: 'sender', entries: senderOf(label) },
  ];
  return { locale, shipmentNumber: label.shipment.shipmentNumber, consoleAddress, blocks };
}

function recipientOf({ shipment, locale }: Label): Entry[] {
  const { recipientName, maskedRecipientPhone, destination } = shipment;
  const { cityCode, addressLine } = destination;
  const city = cityName(cityCode, locale);
  return listed([
    ['heading', WORDS[locale].to],
    ['city', city === cityCode ? isolate(city) : `${isolate(city)} ${isolate(cityCode)}`],
    ['name', isolate(recipientName)],
    ['address', isolate(addressLine)],
    ['phone', isolateLtr(maskedRecipientPhone)],
  ]);
}

/** The amount of a shipment is collected once, so it stands on the first of its labels. */
function moneyOf({ shipment, locale, part }: Label): Entry[] {
  const words = WORDS[locale];
  const { paymentMethod, codAmount, currency } = shipment;
  const isCollected = paymentMethod === 'COD' && Number(codAmount) > 0;
  const isFirst = part === undefined || part.number === 1;
  return listed([
    ['heading', words.collect],
    ['amount', isCollected && isFirst ? formatMoney(codAmount, currency, locale) : undefined],
    ['paid', isCollected && !isFirst ? `${words.collectedWith} ${isolateLtr(`1/${part.of}`)}` : undefined],
    ['paid', isCollected ? undefined : words.paid],
  ]);
}

/** Pieces, weight, the merchant's reference and handling requirements: of the shipment, or of one of its items. */
function loadOf({ shipment, locale, part }: Label): Entry[] {
  const words = WORDS[locale];
  const { items, totalWeightKilograms, requirements, externalReference } = shipment;
  const pieces = part?.item.quantity ?? items.reduce((sum, { quantity }) => sum + quantity, 0);
  const weight = part === undefined ? totalWeightKilograms : weightOf(part.item);
  return listed([
    ['item', part && isolate(part.item.description)],
    [
      'total',
      `${words.pieces} ${formatNumber(pieces, locale)} · ${words.weight} ${formatNumber(weight, locale)} ${words.kilograms}`,
    ],
    ['reference', externalReference === null ? undefined : `${words.reference} ${isolate(externalReference)}`],
    [
      'requirements',
      requirements.length === 0 ? undefined : `${words.requirements} ${isolateLtr(requirements.join(' · '))}`,
    ],
  ]);
}

/** The weight in `items` is that of one piece. */
function weightOf({ quantity, weightKilograms }: { readonly quantity: number; readonly weightKilograms: string }) {
  return multiplyDecimals(literalDecimal(String(quantity)), literalDecimal(weightKilograms));
}

function senderOf({ shipment: { pickup, ...window }, locale }: Label): Entry[] {
  const words = WORDS[locale];
  const place = pickup && `${isolate(pickup.addressLine)} · ${isolate(cityName(pickup.cityCode, locale))}`;
  return listed([
    ['heading', words.from],
    ['pickup', place ?? undefined],
    ['window', windowOf(window, locale)],
  ]);
}

/** `Pickup: Sunday 1 February 09:00 – 12:00`. A window of several days has its last day too. */
function windowOf(
  { pickupWindowStart, pickupWindowEnd }: { readonly pickupWindowStart: string; readonly pickupWindowEnd: string },
  locale: Locale,
): string | undefined {
  const [from, to] = [parseInstant(pickupWindowStart), parseInstant(pickupWindowEnd)];
  if (from === undefined || to === undefined) return undefined;
  const [first, last] = [formatDay(from, locale), formatDay(to, locale)];
  const end = `${last === first ? '' : `${last} `}${formatTime(to, locale)}`;
  return `${WORDS[locale].window} ${first} ${formatTime(from, locale)} – ${end}`;
}

function listed(entries: readonly (readonly [Entry['kind'], string | undefined])[]): Entry[] {
  return entries.flatMap(([kind, text]) => (text === undefined ? [] : [{ kind, text }]));
}
