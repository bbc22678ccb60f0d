import { latinDigits } from '../text.ts';

/*
 * Numbers as people and spreadsheets write them (docs/decisions/0115-typed-values.md). Of two separators the last is that of
 * decimals. One separator groups thousands if three digits follow and one to three precede it, and it is a comma; a point is
 * always that of decimals. A field shows how it reads such a number.
 */

export type DecimalMark = '.' | ',';

interface NumberRules {
  /** The decimal separator of the file that the number is in, if the file shows which it is. */
  readonly mark?: DecimalMark | undefined;
  /** Whether thousands may be grouped. Degrees are never that large. */
  readonly isGrouped?: boolean;
}

export interface ReadNumber {
  /** An exact decimal: plain digits, no needless zeros. */
  readonly value: string;
  /** The decimal separator that this spelling shows, if it shows one. */
  readonly mark: DecimalMark | undefined;
  /** Whether the same spelling means a thousand times more, or less, to somebody else. */
  readonly isDoubtful: boolean;
}

const CURRENCY = String.raw`(?:SAR|S\.?R\.?|ر\.?\s*س\.?|ريال(?:ا|ات)?(?:\s*سعوديا?)?|ریال|\ufdfc|\u20c1)`;
const AROUND = new RegExp(String.raw`^\s*['’]?\s*(?:${CURRENCY}\s*)?|\s*(?:${CURRENCY})?\s*$`, 'giu');
/** Also vowel signs, as in `ريالًا`. */
const INVISIBLE = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u064b-\u0652]/gu;
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const MINUS = /^[\u2010-\u2015\u2212]/;
/** Arabic, and what several countries put between thousands. */
const THOUSANDS = /[\p{Zs}\u066c'‘’´`\u02bc\u2032]/gu;
const ARABIC_DECIMAL = '٫';

/** Undefined if the text is no number. */
export function readNumber(typed: string, { mark, isGrouped = true }: NumberRules = {}): ReadNumber | undefined {
  const text = plainSpelling(typed);
  const [, sign = '', digits = ''] = /^([-+]?)([0-9 .,٫]+)$/.exec(text) ?? [];
  if (digits === '') return undefined;
  const split = splitOf(digits, mark, isGrouped);
  const { at } = split;
  const whole = at < 0 ? digits : digits.slice(0, at);
  const fraction = at < 0 ? '' : digits.slice(at + 1);
  if (!(isGrouped ? GROUPED : /^[0-9]*$/).test(whole) || !/^[0-9]*$/.test(fraction)) return undefined;
  // A separator at the end: the person is still typing.
  if (at >= 0 && fraction === '') return undefined;
  return { value: canonical(sign, whole, fraction), mark: split.mark, isDoubtful: split.isDoubtful };
}

/** All thousands with one separator; Indian numbers have groups of two before the last. */
const GROUPED = /^(?:[0-9]*|[0-9]{1,3}(?:([ .,])[0-9]{3})(?:\1[0-9]{3})*|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3})$/;
const MAYBE_GROUPED = /^[1-9][0-9]{0,2}[.,][0-9]{3}$/;

function plainSpelling(typed: string): string {
  return latinDigits(typed)
    .replaceAll(INVISIBLE, '')
    .replaceAll(FULL_WIDTH, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replaceAll(AROUND, '')
    .replaceAll(THOUSANDS, ' ')
    .replaceAll('،', ',')
    .replace(MINUS, '-');
}

interface Split {
  /** Where the decimal separator is; -1 if there is none. */
  readonly at: number;
  readonly mark: DecimalMark | undefined;
  readonly isDoubtful: boolean;
}

function splitOf(digits: string, known: DecimalMark | undefined, isGrouped: boolean): Split {
  const arabic = digits.indexOf(ARABIC_DECIMAL);
  if (arabic >= 0) return { at: arabic, mark: undefined, isDoubtful: false };
  const [point, comma] = [digits.lastIndexOf('.'), digits.lastIndexOf(',')];
  const at = Math.max(point, comma);
  if (at < 0) return { at, mark: undefined, isDoubtful: false };
  const last: DecimalMark = at === point ? '.' : ',';
  const other: DecimalMark = last === '.' ? ',' : '.';
  const isRepeated = digits.indexOf(last) < at;
  if (isRepeated) return { at: -1, mark: other, isDoubtful: false };
  if (!isGrouped || !MAYBE_GROUPED.test(digits)) return { at, mark: last, isDoubtful: false };
  return { at: last === (known ?? '.') ? at : -1, mark: undefined, isDoubtful: known === undefined };
}

function canonical(sign: string, whole: string, fraction: string): string {
  const before = whole.replaceAll(/[^0-9]/g, '').replace(/^0+(?=[0-9])/, '');
  let end = fraction.length;
  while (fraction[end - 1] === '0') end -= 1;
  const value = `${before === '' ? '0' : before}${end === 0 ? '' : `.${fraction.slice(0, end)}`}`;
  return sign === '-' && value !== '0' ? `-${value}` : value;
}

/** A decimal in a spelling that nobody reads as grouped thousands: `1234`, `1.2340`. */
export function unmistakable(value: string): string {
  return /\.[0-9]{3}$/.test(value) ? `${value}0` : value;
}

/** A whole number, or `refused`, a value that the service refuses. */
export function wholeOr(read: string, refused: number): number {
  return /^-?[0-9]+$/.test(read) ? Number(read) : refused;
}
