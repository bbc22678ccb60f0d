import { type Decimal, decimalFromNumber, digitCount, parseDecimal } from './decimal.ts';

/** A JSON number that a double may not represent exactly, in its original spelling. */
export class ExactNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/**
 * Parses JSON (RFC 8259) without losing a digit. A number with at most 15 significant digits and no exponent becomes a
 * JavaScript number, because a double keeps it exactly. Any other number becomes an ExactNumber. `__proto__` is an
 * ordinary key. Not ok: invalid JSON. If a key is repeated, the last value is used. Text from outside is read by `readJson`.
 */
export function parseJson(text: string): { ok: true; value: unknown } | { ok: false } {
  try {
    const value: unknown = mayNeedSource.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
    return { ok: true, value };
  } catch {
    // A SyntaxError, or a stack overflow in the reviver, which happens only thousands of levels deep.
    return { ok: false };
  }
}

/** The value of JSON text, with plain numbers; undefined for invalid JSON. */
export function parsePlainJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The value of JSON text that this service wrote itself, such as a column of its own row. Its shape is not checked again:
 * `Value` is the type of what was written.
 */
export function parseStored<Value>(text: string): Value {
  return JSON.parse(text) as Value;
}

/** A value that `JSON.stringify` prints as this bare number, every digit kept. */
export function rawNumber(decimal: Decimal): unknown {
  return JSON.rawJSON(decimal);
}

/**
 * The canonical text of a parsed JSON value, for fingerprints: keys in code unit order, numbers as canonical decimals
 * (1.0, 1 and 1e0 give the same text), no white space, lone surrogates escaped. Numbers of more than 60 digits keep their
 * spelling. Undefined members are left out, as in `JSON.stringify`. Throws a TypeError for values that JSON does not have.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return canonicalNumber(value);
  if (value instanceof ExactNumber) return parseDecimal(value.source) ?? value.source;
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (isRecord(value)) return canonicalObject(value);
  throw new TypeError(`a ${typeof value} is not a JSON value`);
}

/**
 * Finds a number with an exponent or with at least 16 digits (17 characters with the point). The characters before it are
 * part of the pattern so that UUIDs and phones in strings do not match: otherwise nearly every body would take the slow
 * path. A string that still matches by chance only costs time.
 */
const mayNeedSource = /(?:^|[ \t\n\r,:[])-?(?:\d{16}|[\d.]{17}|[\d.]+[eE])/;

function keepDigits(_key: string, value: unknown, context: ReviverContext): unknown {
  if (typeof value !== 'number') return value;
  const { source } = context;
  // On a runtime without source text access, refusing the body is better than rounding its numbers.
  if (source === undefined) throw new TypeError('the reviver got no source text');
  return isSafeAsDouble(source) ? value : new ExactNumber(source);
}

function isSafeAsDouble(source: string): boolean {
  if (exponentMark.test(source)) return false;
  const decimal = parseDecimal(source);
  return decimal !== undefined && digitCount(decimal) <= doubleDigitsMax;
}

const exponentMark = /e/i;

/** A double keeps every decimal of 15 significant digits, but not every decimal of 16. */
const doubleDigitsMax = 15;

function canonicalNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`${value} is not a JSON value`);
  return decimalFromNumber(value) ?? String(value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function canonicalObject(record: Readonly<Record<string, unknown>>): string {
  const members: string[] = [];
  for (const key of Object.keys(record).sort()) {
    const member = record[key];
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${canonicalJson(member)}`);
  }
  return `{${members.join(',')}}`;
}

/** From "JSON.parse source text access": present on Node 24, workerd and Deno, not yet in TypeScript's library. */
interface ReviverContext {
  readonly source?: string;
}

declare global {
  interface JSON {
    rawJSON(text: string): unknown;
    isRawJSON(value: unknown): boolean;
    parse(
      text: string,
      reviver: (this: unknown, key: string, value: unknown, context: ReviverContext) => unknown,
    ): unknown;
  }
}

/** Strings, empty lists and objects, signs, and white space between them. Numbers are not matched, so they keep their digits. */
const TOKENS = /"(?:[^"\\]|\\.)*"?|\{\s*\}|\[\s*\]|[{}[\],:]|\s+/g;

/** JSON text with line breaks and indentation. Other text stays as it is. */
export function indentedJson(text: string): string {
  if (parsePlainJson(text) === undefined) return text;
  let depth = 0;
  const newLine = () => `\n${'  '.repeat(depth)}`;
  return text.replace(TOKENS, (token) => {
    const first = token[0] ?? '';
    if (first === '"') return token;
    if (token.length > 1 && (first === '{' || first === '[')) return `${first}${token.at(-1)}`;
    if (first === '{' || first === '[') {
      depth += 1;
      return first + newLine();
    }
    if (first === '}' || first === ']') {
      depth -= 1;
      return newLine() + first;
    }
    if (first === ',') return `,${newLine()}`;
    return first === ':' ? ': ' : '';
  });
}
