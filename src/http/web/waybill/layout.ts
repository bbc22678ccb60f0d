import type { Shipment } from '../../../contract/shipment.ts';
import { parseInstant } from '../../../core/instant.ts';
import type { Locale } from '../../../core/locale.ts';
import { cityName } from '../../../core/names.ts';
import { directionOf, formatDay, formatMoney, formatNumber, formatTime } from '../formats.ts';
import { type DrawnCode, drawBarcode, drawQr } from './codes.ts';
import type { Weight } from './fonts.ts';
import { isCollected, type Label, piecesOf } from './label.ts';
import { isolate, type Line, type Typesetter } from './typeset.ts';
import { WORDS } from './words.ts';

/* Where everything is on a label for programs that print: the same content as the page, in millimetres. */

/** What is printed fits A6 (105 × 148 mm) as well as rolls of 4 × 6 inches, with margins of at least 4 mm. */
export const WIDTH = 93;
export const HEIGHT = 140;

/** A mark on the label. `x` and `y` are of its upper left corner, of text the left end of its baseline. */
export type Mark =
  | { readonly kind: 'text'; readonly line: Line; readonly size: number; readonly x: number; readonly y: number }
  | ({ readonly kind: 'ink' } & Box)
  | ({ readonly kind: 'barcode' | 'qr'; readonly text: string; readonly code: DrawnCode } & Box);

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Factors of the size of the address and of everything else, tried in this order until everything fits. The barcode keeps its size. */
const SCALES = [
  [1, 1],
  [1, 0.85],
  [1, 0.7],
  [0.85, 0.7],
  [0.7, 0.7],
  [0.7, 0.6],
  [0.6, 0.6],
  [0.5, 0.5],
  [0.35, 0.5],
] as const;
/** Large enough to be read at arm's length. */
const ADDRESS_SIZE = 5;
const LINE_HEIGHT = 1.35;
const RULE = 0.3;
const GAP = 1.5;
const QR_SIDE = 27;
const BARCODE_HEIGHT = 15;
const NUMBER_SIZE = 5;
/** The barcode with its number, at the lower edge. */
const FOOT_HEIGHT = BARCODE_HEIGHT + NUMBER_SIZE * LINE_HEIGHT;

interface Style {
  /** In millimetres, before it is scaled. */
  readonly size: number;
  readonly weight?: Weight;
  readonly linesMax?: number;
  readonly align?: 'start' | 'center' | 'end';
  /** The room at the end of the line that something else takes. */
  readonly spared?: number;
  readonly isAddress?: boolean;
}

interface Scales {
  readonly address: number;
  readonly rest: number;
}

/** Places a label's content. `notice` says that a deployment makes no real deliveries. */
export function layoutLabel(label: Label, notice: string | undefined, typesetter: Typesetter): Mark[] {
  let marks: Mark[] = [];
  for (const [addressScale, scale] of SCALES) {
    const sheet = new Sheet(typesetter, directionOf(label.locale), { address: addressScale, rest: scale });
    fillSheet(sheet, label, notice);
    marks = [...sheet.marks, ...footOf(label, typesetter)];
    if (sheet.y <= HEIGHT - FOOT_HEIGHT) return marks;
  }
  return marks;
}

function fillSheet(sheet: Sheet, label: Label, notice: string | undefined): void {
  const { locale, merchantName, part } = label;
  if (notice !== undefined) sheet.addFramed(notice, { size: 3.2, weight: 600, align: 'center' });
  const top = sheet.y;
  if (part !== undefined) {
    sheet.addText(`${part.number}/${part.of}`, { size: 7, weight: 600, align: 'end' });
    sheet.y = top;
  }
  sheet.addText(isolate(merchantName), { size: 5, weight: 600, linesMax: 2, spared: part === undefined ? 0 : 22 });
  if (part !== undefined) sheet.y = Math.max(sheet.y, top + 7 * LINE_HEIGHT);
  sheet.addRule();
  addRecipient(sheet, label);
  sheet.addRule();
  const row = sheet.y;
  addMoney(sheet, label);
  sheet.y = Math.max(sheet.y, sheet.addQr(label.consoleAddress, row));
  sheet.addRule();
  addLoad(sheet, label);
  sheet.addRule();
  addSender(sheet, label.shipment, locale);
}

function addRecipient(sheet: Sheet, { shipment, locale }: Label): void {
  const { recipientName, maskedRecipientPhone, destination } = shipment;
  const { cityCode, addressLine } = destination;
  const city = cityName(cityCode, locale);
  sheet.addText(WORDS[locale].to, { size: 2.6, weight: 600 });
  sheet.addText(city === cityCode ? isolate(city) : `${isolate(city)} ${isolate(cityCode)}`, {
    size: 6.5,
    weight: 600,
  });
  sheet.addText(isolate(recipientName), { size: 4.2, weight: 600 });
  sheet.addText(isolate(addressLine), { size: ADDRESS_SIZE, isAddress: true });
  sheet.addText(`\u2066${maskedRecipientPhone}\u2069`, { size: 3.4 });
}

function addMoney(sheet: Sheet, { shipment, locale }: Label): void {
  const words = WORDS[locale];
  const spared = QR_SIDE + GAP;
  sheet.addText(words.collect, { size: 2.6, weight: 600, spared });
  const amount = isCollected(shipment) ? formatMoney(shipment.codAmount, shipment.currency, locale) : undefined;
  if (amount === undefined) sheet.addText(words.paid, { size: 4.5, weight: 600, spared });
  else sheet.addText(amount, { size: 5.6, weight: 600, spared });
}

function addLoad(sheet: Sheet, { shipment, locale, part }: Label): void {
  const words = WORDS[locale];
  const { totalWeightKilograms, requirements, externalReference } = shipment;
  const weightOf = (kilograms: string) => `${words.weight} ${formatNumber(kilograms, locale)} ${words.kilograms}`;
  if (part === undefined) {
    const pieces = `${words.pieces} ${formatNumber(piecesOf(shipment), locale)}`;
    sheet.addText(`${pieces} · ${weightOf(totalWeightKilograms)}`, { size: 3.4, weight: 600 });
  } else {
    const { description, quantity, weightKilograms } = part.item;
    sheet.addText(isolate(description), { size: 3.4, weight: 600, linesMax: 2 });
    const pieces = `${words.pieces} ${formatNumber(quantity, locale)}`;
    sheet.addText(`${pieces} · ${weightOf(weightKilograms)}`, { size: 3.4 });
  }
  if (externalReference !== null)
    sheet.addText(`${words.reference} ${isolate(externalReference)}`, { size: 3.4, linesMax: 2 });
  if (requirements.length > 0)
    sheet.addText(`${words.requirements} ${isolate(requirements.join(' · '))}`, { size: 3, linesMax: 2 });
}

function addSender(sheet: Sheet, { pickup, pickupWindowStart, pickupWindowEnd }: Shipment, locale: Locale): void {
  const words = WORDS[locale];
  const [from, to] = [parseInstant(pickupWindowStart), parseInstant(pickupWindowEnd)];
  sheet.addText(words.from, { size: 2.6, weight: 600 });
  if (pickup !== null) {
    const city = cityName(pickup.cityCode, locale);
    sheet.addText(`${isolate(pickup.addressLine)} · ${isolate(city)}`, { size: 2.8, linesMax: 2 });
  }
  if (from === undefined || to === undefined) return;
  const window = `${formatDay(from, locale)} ${formatTime(from, locale)} – ${formatTime(to, locale)}`;
  sheet.addText(`${words.window} ${window}`, { size: 2.8 });
}

function footOf({ shipment: { shipmentNumber } }: Label, typesetter: Typesetter): Mark[] {
  const top = HEIGHT - FOOT_HEIGHT;
  const code = drawBarcode(shipmentNumber);
  const sheet = new Sheet(typesetter, 'ltr', { address: 1, rest: 1 });
  sheet.y = top + BARCODE_HEIGHT;
  sheet.addText(shipmentNumber, { size: NUMBER_SIZE, weight: 600, align: 'center' });
  const box = { x: 0, y: top, width: WIDTH, height: BARCODE_HEIGHT };
  return [{ kind: 'barcode', text: shipmentNumber, code, ...box }, ...sheet.marks];
}

/** A label that is filled from top to bottom. */
class Sheet {
  readonly marks: Mark[] = [];
  /** The lower edge of what it contains. */
  y = 0;
  readonly #typesetter: Typesetter;
  readonly #direction: 'ltr' | 'rtl';
  readonly #scales: Scales;

  constructor(typesetter: Typesetter, direction: 'ltr' | 'rtl', scales: Scales) {
    this.#typesetter = typesetter;
    this.#direction = direction;
    this.#scales = scales;
  }

  addText(text: string, style: Style): void {
    const { weight = 400, linesMax = Number.POSITIVE_INFINITY, align = 'start', spared = 0 } = style;
    const size = style.size * (style.isAddress === true ? this.#scales.address : this.#scales.rest);
    const setting = { weight, linesMax, direction: this.#direction, width: (WIDTH - spared) / size };
    for (const line of this.#typesetter.setParagraph(text, setting)) {
      const x = this.#left(WIDTH - line.width * size, align);
      this.marks.push({ kind: 'text', line, size, x, y: this.y + size });
      this.y += size * LINE_HEIGHT;
    }
  }

  /** Text in a frame over the whole width. */
  addFramed(text: string, style: Style): void {
    const top = this.y;
    this.y += GAP / 2;
    this.addText(text, style);
    this.y += GAP / 2;
    const height = this.y - top;
    for (const y of [top, this.y - RULE]) this.marks.push({ kind: 'ink', x: 0, y, width: WIDTH, height: RULE });
    for (const x of [0, WIDTH - RULE]) this.marks.push({ kind: 'ink', x, y: top, width: RULE, height });
    this.y += GAP;
  }

  addRule(): void {
    const gap = GAP * this.#scales.rest;
    this.marks.push({ kind: 'ink', x: 0, y: this.y + gap, width: WIDTH, height: RULE });
    this.y += 2 * gap + RULE;
  }

  /** A QR code at the end of the line that starts at `y`. Returns its lower edge. */
  addQr(text: string, y: number): number {
    const side = QR_SIDE * Math.max(this.#scales.rest, 0.75);
    const x = this.#left(WIDTH - side, 'end');
    this.marks.push({ kind: 'qr', text, code: drawQr(text), x, y, width: side, height: side });
    return y + side;
  }

  /** The left edge of what leaves this much room. */
  #left(room: number, align: 'start' | 'center' | 'end'): number {
    if (align === 'center') return room / 2;
    return (align === 'start') === (this.#direction === 'rtl') ? room : 0;
  }
}
