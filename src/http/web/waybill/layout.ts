import { directionOf } from '../formats.ts';
import { type DrawnCode, drawBarcode, drawQr } from './codes.ts';
import { type Block, type Content, STYLES, type Style } from './content.ts';
import type { Weight } from './fonts.ts';

/* Where everything is on a label for programs that print, in millimetres. The page takes the sizes of its texts from here. */

/** What is printed fits A6 (105 × 148 mm) as well as rolls of 4 × 6 inches, with margins of at least 4 mm. */
export const WIDTH = 93;
export const HEIGHT = 140;

/** A mark on the label. `x` and `y` are of its upper left corner, of text the left end of its baseline. */
export type Mark<Line> =
  | { readonly kind: 'text'; readonly line: Line; readonly size: number; readonly x: number; readonly y: number }
  | ({ readonly kind: 'ink' } & Box)
  | ({ readonly kind: 'barcode' | 'qr' } & CodedText & Box);

interface CodedText {
  readonly text: string;
  readonly code: DrawnCode;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Setting {
  readonly weight: Weight;
  readonly direction: 'ltr' | 'rtl';
  /** The width of a line, in units of the text's size. */
  readonly width: number;
  /** Further lines are cut off, and the last one then ends in an ellipsis. */
  readonly linesMax: number;
}

/** Breaks texts into lines. Widths are in units of the text's size. */
export interface LineSetter<Line extends { readonly width: number }> {
  setParagraph(text: string, setting: Setting): readonly Line[];
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
const LINE_HEIGHT = 1.35;
const RULE = 0.3;
const GAP = 1.5;
const QR_SIDE = 27;
const BARCODE_HEIGHT = 15;
/** The room beside the merchant's name for `99/100`. */
const PART_WIDTH = 22;
const NOTICE: Style = { size: 3.2, isBold: true };
const NUMBER: Style = { size: 5, isBold: true };
/** The barcode with its number, at the lower edge. */
const FOOT_HEIGHT = BARCODE_HEIGHT + NUMBER.size * LINE_HEIGHT;

export interface Layout<Line> {
  readonly marks: readonly Mark<Line>[];
  readonly codes: Codes;
  /** The place of its factors in `SCALES`. */
  readonly scale: number;
}

interface Codes {
  readonly qr: DrawnCode;
  readonly barcode: DrawnCode;
}

/** Places a label's content. `notice` says that a deployment makes no real deliveries. */
export function layoutLabel<Line extends { readonly width: number }>(
  content: Content,
  notice: string | undefined,
  setter: LineSetter<Line>,
): Layout<Line> {
  const direction = directionOf(content.locale);
  const codes = { qr: drawQr(content.consoleAddress), barcode: drawBarcode(content.shipmentNumber) };
  let marks: readonly Mark<Line>[] = [];
  for (const [scale, [address, rest]] of SCALES.entries()) {
    const sheet = new Sheet(setter, direction, { address, rest });
    if (notice !== undefined) sheet.addFramed(notice, NOTICE);
    for (const [index, block] of content.blocks.entries()) {
      if (index > 0) sheet.addRule();
      addBlock(sheet, block, { text: content.consoleAddress, code: codes.qr });
    }
    marks = [...sheet.marks, ...footOf({ text: content.shipmentNumber, code: codes.barcode }, setter)];
    if (sheet.y <= HEIGHT - FOOT_HEIGHT) return { marks, codes, scale };
  }
  return { marks, codes, scale: SCALES.length - 1 };
}

function addBlock<Line extends { readonly width: number }>(
  sheet: Sheet<Line>,
  { name, entries }: Block,
  qr: CodedText,
): void {
  const top = sheet.y;
  let beside = top;
  let spared = 0;
  if (name === 'money') {
    beside = sheet.addQr(qr);
    spared = QR_SIDE + GAP;
  }
  for (const { kind, text } of entries) {
    sheet.addText(text, STYLES[kind], { spared });
    if (kind !== 'part') continue;
    // What follows stands beside it.
    [beside, spared, sheet.y] = [sheet.y, PART_WIDTH, top];
  }
  sheet.y = Math.max(sheet.y, beside);
}

function footOf<Line extends { readonly width: number }>(number: CodedText, setter: LineSetter<Line>): Mark<Line>[] {
  const top = HEIGHT - FOOT_HEIGHT;
  const sheet = new Sheet(setter, 'ltr', { address: 1, rest: 1 });
  sheet.y = top + BARCODE_HEIGHT;
  sheet.addText(number.text, NUMBER, { isCentred: true });
  const box = { x: 0, y: top, width: WIDTH, height: BARCODE_HEIGHT };
  return [{ kind: 'barcode', ...number, ...box }, ...sheet.marks];
}

interface Placing {
  /** The room at the end of the line that something else takes. */
  readonly spared?: number;
  readonly isCentred?: true;
}

/** A label that is filled from top to bottom. */
class Sheet<Line extends { readonly width: number }> {
  readonly marks: Mark<Line>[] = [];
  /** The lower edge of what it contains. */
  y = 0;
  readonly #setter: LineSetter<Line>;
  readonly #direction: 'ltr' | 'rtl';
  readonly #scales: { readonly address: number; readonly rest: number };

  constructor(
    setter: LineSetter<Line>,
    direction: 'ltr' | 'rtl',
    scales: { readonly address: number; readonly rest: number },
  ) {
    this.#setter = setter;
    this.#direction = direction;
    this.#scales = scales;
  }

  addText(text: string, style: Style, { spared = 0, isCentred }: Placing = {}): void {
    const { linesMax = Number.POSITIVE_INFINITY, isBold, isAtEnd, isAddress } = style;
    const size = style.size * (isAddress ? this.#scales.address : this.#scales.rest);
    const setting = { weight: isBold ? 600 : 400, linesMax, direction: this.#direction } as const;
    for (const line of this.#setter.setParagraph(text, { ...setting, width: (WIDTH - spared) / size })) {
      const room = WIDTH - line.width * size;
      const x = isCentred ? room / 2 : this.#left(room, isAtEnd ? 'end' : 'start');
      this.marks.push({ kind: 'text', line, size, x, y: this.y + size });
      this.y += size * LINE_HEIGHT;
    }
  }

  /** Text in a frame over the whole width. */
  addFramed(text: string, style: Style): void {
    const top = this.y;
    this.y += GAP / 2;
    this.addText(text, style, { isCentred: true });
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

  /** A QR code at the end of the line that starts here. Returns its lower edge. */
  addQr(code: CodedText): number {
    const side = QR_SIDE * Math.max(this.#scales.rest, 0.75);
    const x = this.#left(WIDTH - side, 'end');
    this.marks.push({ kind: 'qr', ...code, x, y: this.y, width: side, height: side });
    return this.y + side;
  }

  /** The left edge of what leaves this much room. */
  #left(room: number, align: 'start' | 'end'): number {
    return (align === 'start') === (this.#direction === 'rtl') ? room : 0;
  }
}
