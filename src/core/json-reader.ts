import { ExactNumber, parseJson, parsePlainJson } from './json.ts';
import { decodeText, type TextFault } from './text-reader.ts';

/** What a JSON text may have at most. */
export interface JsonLimits {
  /** Members of all objects and entries of all lists together. */
  readonly valuesMax: number;
  /** Entries of a list that is a member of the outermost object. */
  readonly entriesMax?: number | undefined;
  /** How numbers are read. They keep their digits by default: see `parseJson`. */
  readonly numbers?: 'exact' | 'plain';
}

/** What a JSON text has more of than it may. */
export type JsonExcess = 'levels' | 'values' | 'entries';

/** Why a text is not read as JSON. */
export type JsonFault =
  | TextFault
  | { readonly kind: JsonExcess | 'empty' | 'not_json' }
  | { readonly kind: 'repeated'; readonly name: string };

export type ReadJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly fault: JsonFault };

/** Several times deeper than any valid body, and far less than a depth that would overflow the stack. */
export const LEVELS_MAX = 64;

/**
 * Reads JSON from outside (RFC 8259): UTF-8 without a byte order mark, with no more of anything than `limits` say, and no object
 * with a member twice. Programs read repeated members differently (section 4), so nobody could say which one was meant.
 */
export function readJson(bytes: Uint8Array, limits: JsonLimits): ReadJson {
  if (bytes.length === 0) return faultOf({ kind: 'empty' });
  const counted = countNames(bytes, limits);
  if (typeof counted === 'string') return faultOf({ kind: counted });
  const decoded = decodeText(bytes);
  if (!decoded.ok) return decoded;
  const { text } = decoded;
  const value = limits.numbers === 'plain' ? parsePlainJson(text) : exactJson(text);
  if (value === undefined) return faultOf({ kind: 'not_json' });
  if (counted !== countMembers(value)) return faultOf({ kind: 'repeated', name: repeatedName(bytes) });
  return { ok: true, value };
}

/** No JSON has the value undefined. */
function exactJson(text: string): unknown {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : undefined;
}

function faultOf(fault: JsonFault): { readonly ok: false; readonly fault: JsonFault } {
  return { ok: false, fault };
}

/**
 * The number of names of members in a text in UTF-8, or what it has too much of, so that it need not be decoded and parsed. It
 * reads the text once and no further than that. Text that is not JSON may get any answer. An empty list or object counts as
 * one value of its own.
 */
function countNames(
  bytes: Uint8Array,
  { valuesMax, entriesMax = Number.POSITIVE_INFINITY }: JsonLimits,
): number | JsonExcess {
  const { length } = bytes;
  let levels = 0;
  let values = 0;
  let names = 0;
  let commas = 0;
  for (let at = 0; at < length; at += 1) {
    // Literals, because engines look constants of a module up again for each byte.
    switch (bytes[at]) {
      case 0x22: // "
        at = endOfString(bytes, at);
        continue;
      case 0x3a: // : follows a name, as it is outside strings.
        names += 1;
        continue;
      case 0x5d: // ]
      case 0x7d: // }
        levels -= 1;
        continue;
      case 0x2c: // ,
        values += 1;
        if (levels === 2) commas += 1;
        break;
      case 0x5b: // [
      case 0x7b: // {
        levels += 1;
        if (levels > LEVELS_MAX) return 'levels';
        values += 1;
        if (levels === 2) commas = bytes[at] === 0x5b ? 0 : Number.NEGATIVE_INFINITY;
        break;
      default:
        continue;
    }
    if (commas >= entriesMax) return 'entries';
    if (values > valuesMax) return 'values';
  }
  return names;
}

/** The end of the string that starts at `start`: a quote without a backslash before it. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  for (; at < bytes.length && bytes[at] !== 0x22; at += 1) if (bytes[at] === 0x5c) at += 1;
  return at;
}

/** The members of all objects. A text with a member twice has more names than its value has members. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return 0;
  const isList = Array.isArray(value);
  const members: unknown[] = isList ? value : Object.values(value);
  let count = isList ? 0 : members.length;
  // Most members are texts and numbers, and a call takes longer than this comparison.
  for (const member of members) if (typeof member === 'object') count += countMembers(member);
  return count;
}

/** The first name that stands twice in an object of this JSON text in UTF-8. */
function repeatedName(bytes: Uint8Array): string {
  const objects: Set<unknown>[] = [];
  let last = bytes;
  for (let at = 0; at < bytes.length; at += 1) {
    const character = String.fromCharCode(bytes[at] ?? 0);
    if (character === '{') objects.push(new Set());
    else if (character === '}') objects.pop();
    else if (character === '"') {
      const start = at;
      at = endOfString(bytes, at);
      last = bytes.subarray(start, at + 1);
    } else if (character === ':') {
      const name = parsePlainJson(new TextDecoder().decode(last));
      const names = objects.at(-1);
      if (names?.has(name) === true) return String(name);
      names?.add(name);
    }
  }
  return '';
}
