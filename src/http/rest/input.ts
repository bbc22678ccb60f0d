import { type AnswerType, foreignMember, HEADER_OF, isFolded, type RequestParser } from '../../../routers/request.ts';
import { type DecimalPlaces, fromRest } from '../../contract/rest-numbers.ts';
import { ACCEPT_LANGUAGE_MAX } from '../../core/limits.ts';
import { invalidHeaders, Problem, repeatedHeader } from '../../core/problem.ts';
import { refuse } from '../../core/result.ts';
import { preferredType } from '../accept.ts';
import { JSON_TYPE, readBytes, readContent, requireMediaType, type Sent } from '../body.ts';
import type { Exchange } from '../route-table.ts';
import { jsonOf, queryOf, queryProblem } from '../sent-text.ts';

/** 256 KiB: three times the size of a hundred items with every field at its longest. */
export const BODY_BYTES_MAX = 256 * 1024;
/**
 * 16 KiB for operations without authentication: more than the longest registration. 256 slow bodies of the larger size
 * would use up the memory for bodies, and anybody could send them.
 */
export const OPEN_BODY_BYTES_MAX = 16 * 1024;

/** How requests of one operation are read. */
export interface Reading {
  readonly parser: RequestParser;
  readonly places: DecimalPlaces | undefined;
  /** The limits of a JSON body. */
  readonly bytesMax: number;
  readonly valuesMax: number;
  /** The media types of its response. */
  readonly mediaTypes: readonly AnswerType[];
  /** Whether a longer Accept-Language is refused. Otherwise what exceeds is ignored. */
  readonly refusesLongLanguage: boolean;
}

/**
 * Reads a procedure's input from a REST request. The procedure calls it after authentication and rate limits. It checks
 * in the contract's order: headers, path, query (400), then media type, size and syntax of the body.
 */
export async function readInput(
  request: Request,
  exchange: Exchange,
  { parser, places, bytesMax, valuesMax, mediaTypes, refusesLongLanguage }: Reading,
): Promise<unknown> {
  if (refusesLongLanguage) checkLanguage(request);
  checkAccept(request, mediaTypes);
  const { permit } = exchange;
  const parameters = readParameters(request, exchange, parser);
  if (parser.raw !== undefined) {
    parser.checkParameters(parameters);
    return { ...parameters, content: await readContent({ request, permit }, parser.raw) };
  }
  if (!parser.hasBody) return parameters;
  parser.checkParameters(parameters);
  const body = await readJsonObject({ request, permit }, { parser, bytesMax, valuesMax });
  for (const [name, place] of parser.places) {
    if (place === 'body' || !Object.hasOwn(body, name)) continue;
    body[foreignMember(name)] = body[name];
    Reflect.deleteProperty(body, name);
  }
  return Object.assign(fromRest(body, places) as object, parameters);
}

function checkLanguage(request: Request): void {
  if ((request.headers.get('accept-language') ?? '').length > ACCEPT_LANGUAGE_MAX)
    throw invalidHeaders({ field: 'Accept-Language', code: 'TOO_LONG', limit: String(ACCEPT_LANGUAGE_MAX) });
}

/** 406 if the client accepts none of the media types. */
export function checkAccept(request: Request, mediaTypes: readonly AnswerType[] = ['application/json']): void {
  if (preferredType(request.headers.get('accept'), mediaTypes) === undefined)
    throw new Problem(refuse('NOT_ACCEPTABLE'));
}

function readParameters(
  request: Request,
  { url, parameters }: Exchange,
  parser: RequestParser,
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [name, place] of parser.places) {
    if (place === 'header') {
      const header = HEADER_OF.get(name) ?? name;
      const value = request.headers.get(header);
      if (value === null) continue;
      if (isFolded(parser, name, value)) throw repeatedHeader(header);
      input[name] = value;
    } else if (place === 'path') {
      input[name] = valueOf(parser, name, decodeSegment(parameters[name] ?? ''));
    }
  }
  // The runtime parses the query only when it is read, and most requests have no query.
  if (url.search === '') return input;
  for (const [sent, text] of queryOf(url)) {
    const [name, value] = entryOf(sent, text);
    if (parser.places.get(name) !== 'query') throw queryProblem('UNKNOWN_QUERY_PARAMETER', name);
    if (Object.hasOwn(input, name)) throw queryProblem('INVALID_QUERY_PARAMETER', name);
    input[name] = valueOf(parser, name, value);
  }
  return input;
}

/** `metadata[key]=value` is `metadata=key:value`. */
function entryOf(name: string, value: string): readonly [name: string, value: string] {
  const key = name.startsWith('metadata[') && name.endsWith(']') ? name.slice('metadata['.length, -1) : undefined;
  return key === undefined ? [name, value] : ['metadata', `${key}:${value}`];
}

/** The digits of an integer become a number; the schema refuses any other text. */
function valueOf({ integers }: RequestParser, name: string, text: string): string | number {
  return integers.has(name) && /^-?(?:0|[1-9]\d*)$/.test(text) ? Number(text) : text;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Problem(refuse('INVALID_PATH_PARAMETER'));
  }
}

async function readJsonObject(
  { request, permit }: Sent,
  { parser: { entriesMax, isBodyOptional }, bytesMax, valuesMax }: Pick<Reading, 'parser' | 'bytesMax' | 'valuesMax'>,
): Promise<Record<string, unknown>> {
  // Runtimes differ in the `body` of a request without a body. The Content-Type is then absent, or JSON as okhttp sends it.
  const mayBeAbsent = isBodyOptional && request.headers.get('content-type') === null;
  if (!mayBeAbsent) requireMediaType(request, JSON_TYPE);
  const bytes = await readBytes({ request, permit }, bytesMax);
  if (isBodyOptional && bytes.length === 0) return {};
  if (mayBeAbsent) requireMediaType(request, JSON_TYPE);
  const value = jsonOf(bytes, { valuesMax, entriesMax: entriesMax?.max }, entriesMax?.member);
  if (isJsonObject(value)) return value;
  const violation = { field: 'body', code: 'TYPE_MISMATCH', limit: 'object' } as const;
  throw new Problem(refuse('VALIDATION_FAILED', { violations: [violation] }));
}

/** Excludes `ExactNumber`, the class for numbers that a double cannot hold. */
function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
