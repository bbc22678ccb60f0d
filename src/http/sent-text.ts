import type { Cause } from '../core/cause-texts.ts';
import { type JsonExcess, type JsonFault, type JsonLimits, readJson } from '../core/json-reader.ts';
import { Problem } from '../core/problem.ts';
import type { ProblemCode } from '../core/problem-code.ts';
import { refuse } from '../core/result.ts';
import { shortNameOf } from '../core/text.ts';
import { decodeText, findFormFault, type TextFault } from '../core/text-reader.ts';

/*
 * All text that clients send is read here: bodies, queries and forms of every interface. What cannot be read is refused with the
 * cause and the place.
 */

/** The value of a JSON text. 400 if it is not JSON that `readJson` takes, 422 if it has too much. `list` is the one with a limit. */
export function jsonOf(bytes: Uint8Array, limits: JsonLimits, list = 'body'): unknown {
  const read = readJson(bytes, limits);
  if (read.ok) return read.value;
  const { fault } = read;
  if (fault.kind !== 'values' && fault.kind !== 'entries') throw malformed(causeOf(fault));
  const [field, max] = fault.kind === 'entries' ? [list, limits.entriesMax] : ['body', limits.valuesMax];
  const violation = { field, code: 'TOO_MANY_ITEMS', limit: String(max) } as const;
  throw new Problem(refuse('VALIDATION_FAILED', { violations: [violation] }));
}

/** The text of a form; 400 if it is not UTF-8. */
export function formTextOf(bytes: Uint8Array): string {
  const decoded = decodeText(bytes);
  if (!decoded.ok) throw malformed(causeOf(decoded.fault));
  const fault = findFormFault(decoded.text);
  if (fault !== undefined) throw malformed(formCauseOf(fault));
  return decoded.text;
}

/** Names and values of a query. 400 if one is not UTF-8. */
export function queryOf({ search, searchParams }: URL): URLSearchParams {
  const fault = findFormFault(search);
  if (fault === undefined) return searchParams;
  const { name } = fault;
  const violations = [{ field: shortNameOf(name), code: 'PATTERN_MISMATCH' }] as const;
  throw new Problem(refuse('INVALID_QUERY_PARAMETER', { cause: formCauseOf(fault), violations }));
}

/** 400 for a parameter of a query that stands twice, or that its operation does not know. */
export function queryProblem(code: ProblemCode, name: string): Problem {
  const field = shortNameOf(name);
  if (code === 'UNKNOWN_QUERY_PARAMETER')
    return new Problem(refuse(code, { violations: [{ field, code: 'UNKNOWN_PROPERTY' }] }));
  return new Problem(refuse(code, { cause: repeated(name), violations: [{ field, code: 'DUPLICATE_ITEM' }] }));
}

/** 400 for text that cannot be read. */
export function malformed(cause: Cause | undefined): Problem {
  return new Problem(refuse('MALFORMED_JSON', { cause }));
}

/** Something that stands twice. */
export function repeated(name: string): Cause {
  return { text: 'repeated', values: { name: shortNameOf(name) } };
}

function causeOf(
  fault: TextFault | Exclude<JsonFault, { readonly kind: Exclude<JsonExcess, 'levels'> }>,
): Cause | undefined {
  switch (fault.kind) {
    case 'byte_order_mark':
      return { text: 'byteOrderMark' };
    case 'not_utf8':
      return { text: 'notUtf8', values: { byte: String(fault.byte) } };
    case 'repeated':
      return repeated(fault.name);
    case 'levels':
      return { text: 'tooDeep' };
    case 'empty':
      return { text: 'empty' };
    default:
      return undefined;
  }
}

function formCauseOf({ name, escape }: { readonly name: string; readonly escape: string }): Cause {
  return { text: 'formNotUtf8', values: { name: shortNameOf(name), escape: escape.slice(0, ESCAPE_LENGTH_MAX) } };
}

/** Eight bytes: enough to recognise a word in another encoding. */
const ESCAPE_LENGTH_MAX = 24;
