import Big from 'big.js';

declare const brand: unique symbol;

/**
 * An exact decimal in its one canonical spelling: plain digits, no exponent, no leading zeros, no trailing zeros in
 * the fraction, never "-0". Equal values are equal strings. Examples: "12.5", "0", "-0.000001".
 */
export type Decimal = string & { readonly [brand]: 'Decimal' };

/**
 * Reads the number grammar of JSON (RFC 8259 section 6), including exponents. Decimals that are sent as strings use the
 * same grammar. Undefined for other text ("+1", "01", ".5", " 1") or if the plain spelling would need more than 60
 * digits.
 */
export function parseDecimal(text: string): Decimal | undefined {
  if (alreadyCanonical.test(text) && text !== '-0') return text as Decimal;
  const parts = jsonNumber.exec(text);
  if (parts === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  return spellPlainly(sign, whole + fraction, whole.length + Number(exponent));
}

/**
 * The shortest decimal that parses to this double. If the double was parsed from at most 15 significant digits, the
 * result is the original value. Undefined for NaN, the infinities and values of more than 60 digits.
 */
export function decimalFromNumber(value: number): Decimal | undefined {
  return parseDecimal(String(value));
}

/** The number of digits after the point: 3 for "0.125", 0 for "100". */
export function fractionDigits(decimal: Decimal): number {
  const point = decimal.indexOf('.');
  return point < 0 ? 0 : decimal.length - point - 1;
}

/** The number of digits without leading zeros: 3 for "100" and "1.25", 1 for "0.05" and for "0". */
export function digitCount(decimal: Decimal): number {
  let count = 0;
  for (let at = 0; at < decimal.length; at += 1) {
    const code = decimal.charCodeAt(at);
    if (code < zeroCode) continue;
    if (count > 0 || code > zeroCode) count += 1;
  }
  return Math.max(count, 1);
}

/** Orders by value: -1 if the first is smaller, 1 if it is larger, 0 if they are equal. */
export function compareDecimals(first: Decimal, second: Decimal): -1 | 0 | 1 {
  if (first === second) return 0;
  const isFirstNegative = first.startsWith('-');
  if (isFirstNegative !== second.startsWith('-')) return isFirstNegative ? -1 : 1;
  const isFirstLarger = isFirstNegative ? hasLargerSize(second, first) : hasLargerSize(first, second);
  return isFirstLarger ? 1 : -1;
}

/** The exact sum. Like the other results of arithmetic, it may be longer than `parseDecimal` would accept. */
export function addDecimals(first: Decimal, second: Decimal): Decimal {
  return fromBig(new Big(first).plus(second));
}

/** The exact difference: the first minus the second. */
export function subtractDecimals(first: Decimal, second: Decimal): Decimal {
  return fromBig(new Big(first).minus(second));
}

/** The exact product. */
export function multiplyDecimals(first: Decimal, second: Decimal): Decimal {
  return fromBig(new Big(first).times(second));
}

/** Rounds money to at most this many fraction digits (0 or more): half away from zero, as tax invoices are. */
export function roundHalfUp(decimal: Decimal, places: number): Decimal {
  return rounded(decimal, places, halfUp);
}

/** Rounds a measurement alike; a value halfway between two is rounded to the even one, so that many do not drift. */
export function roundHalfEven(decimal: Decimal, places: number): Decimal {
  return rounded(decimal, places, halfEven);
}

function rounded(decimal: Decimal, places: number, mode: typeof halfUp | typeof halfEven): Decimal {
  if (fractionDigits(decimal) <= places) return decimal;
  return fromBig(new Big(decimal).round(places, mode));
}

/** Far more than the 19 digits that an amount may have, and small enough that "1e999999" costs nothing. */
const printedDigitsMax = 60;

const zeroCode = 48;

/** The names that big.js gives to its ways of rounding. */
const halfUp = 1;
const halfEven = 2;

/** The usual spelling of numbers in requests. It also matches "-0", which the caller must handle. */
const alreadyCanonical = /^-?(?:0|[1-9]\d{0,17})(?:\.\d{0,17}[1-9])?$/;

const jsonNumber = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** `point` is the number of digits before the point: negative when zeros follow it, infinite for absurd exponents. */
function spellPlainly(sign: string, digits: string, point: number): Decimal | undefined {
  // Loops, not /0+$/: that expression is quadratic on a body full of zeros.
  let start = 0;
  while (start < digits.length && digits.charCodeAt(start) === zeroCode) start += 1;
  if (start === digits.length) return '0' as Decimal;
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === zeroCode) end -= 1;

  const significant = digits.slice(start, end);
  const wholeLength = point - start;
  const printedLength =
    wholeLength > 0 ? Math.max(wholeLength, significant.length) : 1 - wholeLength + significant.length;
  if (printedLength > printedDigitsMax) return undefined;

  if (wholeLength <= 0) return `${sign}0.${'0'.repeat(-wholeLength)}${significant}` as Decimal;
  if (wholeLength >= significant.length) return (sign + significant.padEnd(wholeLength, '0')) as Decimal;
  return `${sign}${significant.slice(0, wholeLength)}.${significant.slice(wholeLength)}` as Decimal;
}

/** Compares two different canonical decimals of one sign by their distance from zero. */
function hasLargerSize(first: Decimal, second: Decimal): boolean {
  const lengthDifference = wholeLength(first) - wholeLength(second);
  if (lengthDifference !== 0) return lengthDifference > 0;
  // Both have the same number of digits before the point, so the order of the texts is the order of the values.
  return first > second;
}

function wholeLength(decimal: Decimal): number {
  const point = decimal.indexOf('.');
  return point < 0 ? decimal.length : point;
}

/** `toFixed` without places prints every digit, no exponent and no "-0"; a fraction has no trailing zeros in a Big. */
function fromBig(value: Big): Decimal {
  return value.toFixed() as Decimal;
}

/** A decimal from a literal in the code. Throws if the literal is not a decimal. */
export function literalDecimal(text: string): Decimal {
  const decimal = parseDecimal(text);
  if (decimal === undefined) throw new Error(`${text} is not a decimal`);
  return decimal;
}

/** The largest of these decimals, or zero if none is positive. */
export function largestDecimal(values: readonly Decimal[]): Decimal {
  return values.reduce((most, value) => (compareDecimals(value, most) > 0 ? value : most), literalDecimal('0'));
}
