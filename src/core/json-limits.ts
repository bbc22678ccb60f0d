/** What a JSON text may have at most. */
export interface JsonLimits {
  /** Members of all objects and entries of all lists together. */
  readonly valuesMax: number;
  /** Entries of a list that is a member of the outermost object. */
  readonly entriesMax?: number | undefined;
}

/** What a JSON text has more of than it may. */
export type JsonExcess = 'levels' | 'values' | 'entries';

/** Several times deeper than any valid body, and far less than a depth that would overflow the stack. */
const LEVELS_MAX = 64;

/**
 * What a text in UTF-8 has too much of, so that it need not be decoded and parsed; undefined if nothing. It reads the text once
 * and no further than that. Text that is not JSON may get any answer. An empty list or object counts as one value of its own.
 */
export function findExcess(
  bytes: Uint8Array,
  { valuesMax, entriesMax = Number.POSITIVE_INFINITY }: JsonLimits,
): JsonExcess | undefined {
  let levels = 0;
  let values = 0;
  let commas = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const code = bytes[at];
    if (code === quoteCode) at = endOfString(bytes, at);
    else if (code === openBracketCode || code === openBraceCode) {
      levels += 1;
      if (levels > LEVELS_MAX) return 'levels';
      values += 1;
      if (levels === 2) commas = code === openBracketCode ? 0 : Number.NEGATIVE_INFINITY;
    } else if (code === closeBracketCode || code === closeBraceCode) levels -= 1;
    else if (code === commaCode) {
      values += 1;
      if (levels === 2) commas += 1;
    } else continue;
    if (commas >= entriesMax) return 'entries';
    if (values > valuesMax) return 'values';
  }
  return undefined;
}

/** The end of the string that starts at `start`. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  for (; at < bytes.length && bytes[at] !== quoteCode; at += 1) if (bytes[at] === backslashCode) at += 1;
  return at;
}

const quoteCode = 34;
const commaCode = 44;
const openBracketCode = 91;
const backslashCode = 92;
const closeBracketCode = 93;
const openBraceCode = 123;
const closeBraceCode = 125;
