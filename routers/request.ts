import * as z from 'zod';
import { FOREIGN_MARK, type LocatedViolation, violationsOf } from '../src/contract/violations.ts';
import type { ProblemCode } from '../src/core/catalogue.ts';
import { Problem } from '../src/core/problem.ts';
import { type Refusal, refuse } from '../src/core/result.ts';

/** The part of a REST request that contains a member of the input. */
export type RequestPart = 'path' | 'query' | 'header' | 'body';
export type Members = Readonly<Record<string, z.ZodType>>;

/** A body that is not JSON: bytes of one of these media types. */
export interface RawBody {
  readonly contentTypes: readonly string[];
  readonly bytesMax: number;
}

/** The content of such a body, next to the members of the schema. */
export interface RawContent {
  readonly contentType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface Places<Path extends Members, Query extends Members, Header extends Members, Body extends Members> {
  readonly path?: Path;
  readonly query?: Query;
  readonly header?: Header;
  readonly body?: Body;
}

/**
 * A procedure's input: one strict object of all its members, with the place of each in a REST request. tRPC uses it as a
 * parser; the REST adapter and the OpenAPI document also use `places` and `source`.
 */
export interface RequestParser<Input = unknown, Output = unknown> {
  readonly _input: Input;
  readonly _output: Output;
  readonly source: z.ZodObject;
  readonly places: ReadonlyMap<string, RequestPart>;
  /** Parameters of the path and the query whose digits are a number. */
  readonly integers: ReadonlySet<string>;
  readonly hasBody: boolean;
  /** The body: JSON or bytes on REST, a form over tRPC. */
  readonly raw: RawBody | undefined;
  /** True if no member of the body is required. Then the body may be absent. */
  readonly isBodyOptional: boolean;
  /** The most entries of a list in the body. A longer body is not parsed. */
  readonly entriesMax?: { readonly member: string; readonly max: number };
  /** Checks the members outside the body, so that their violations are reported before the body is read. */
  readonly checkParameters: (raw: Readonly<Record<string, unknown>>) => void;
  readonly parseAsync: (raw: unknown) => Promise<Output>;
}

export function request<
  Path extends Members = Record<never, never>,
  Query extends Members = Record<never, never>,
  Header extends Members = Record<never, never>,
  Body extends Members = Record<never, never>,
>(members: Places<Path, Query, Header, Body>) {
  type Shape = Path & Query & Header & Body;
  const places = placesOf(members);
  const source = z.strictObject({ ...members.path, ...members.query, ...members.header, ...members.body });
  const parameters = z.strictObject({ ...members.path, ...members.query, ...members.header });
  const parse = parserOf(source, places);
  const parser = {
    source,
    places,
    integers: integersOf({ ...members.path, ...members.query }),
    hasBody: members.body !== undefined,
    raw: undefined,
    isBodyOptional: z.strictObject({ ...members.body }).safeParse({}).success,
    checkParameters: parserOf(parameters, places),
    parseAsync: (raw: unknown) => new Promise((resolve) => resolve(parse(raw))),
  };
  // `_input` and `_output` exist for the type checker only, as in zod itself.
  return parser as unknown as RequestParser<z.input<z.ZodObject<Shape>>, z.output<z.ZodObject<Shape>>>;
}

/** Whether a procedure's input parser was made by `request`. */
export function isRequestParser(parser: unknown): parser is RequestParser {
  return typeof parser === 'object' && parser !== null && 'places' in parser && 'checkParameters' in parser;
}

/** The media type of a REST response: JSON, something to print that shows the output, a picture, or a list as CSV. */
export type AnswerType =
  | 'application/json'
  | 'text/html'
  | 'application/pdf'
  | 'application/zpl'
  | 'image/*'
  | 'text/csv';

/** A procedure's output to print: over REST in the type that Accept prefers, by default a page. Over tRPC its content. */
export function printable<Schema extends z.ZodType>(source: Schema) {
  return { ...answer(source), mediaTypes: ['text/html', 'application/pdf', 'application/zpl'] as const };
}

/** A procedure's output to print, only as a page. Over tRPC its content. */
export function page<Schema extends z.ZodType>(source: Schema) {
  return { ...answer(source), mediaTypes: ['text/html'] as const };
}

/** A procedure's output for programs: a file over REST, its bytes in base64 over tRPC. */
export function file<Schema extends z.ZodType>(source: Schema, mediaType: 'image/*') {
  return { ...answer(source), mediaTypes: [mediaType] as const };
}

/** A procedure's output schema: compiled for speed, with its source for the OpenAPI document. */
export function answer<Schema extends z.ZodType>(source: Schema) {
  const compiled = compile(source);
  const parser = {
    source,
    parse: (raw: unknown) => compiled.parse(raw),
    // Outputs need no asynchronous check, and zod's `parseAsync` would not use the compiled schema.
    parseAsync: (raw: unknown) => new Promise((resolve) => resolve(compiled.parse(raw))),
  };
  return parser as unknown as {
    readonly _input: z.input<Schema>;
    readonly _output: z.output<Schema>;
    readonly source: Schema;
  };
}

/**
 * Compiles a schema to a function, where the runtime allows that. A Worker may only do it while it starts, so schemas of
 * parts that are loaded later are interpreted.
 */
export function compile<Schema extends z.ZodType>(schema: Schema): Schema {
  return mayMakeFunctions() ? z.compile(schema) : schema;
}

function mayMakeFunctions(): boolean {
  try {
    // oxlint-disable-next-line typescript/no-implied-eval -- It asks whether code may be made, and runs none.
    return typeof new Function('') === 'function';
  } catch {
    return false;
  }
}

function placesOf(members: Places<Members, Members, Members, Members>): ReadonlyMap<string, RequestPart> {
  const places = new Map<string, RequestPart>();
  for (const place of ['path', 'query', 'header', 'body'] as const) {
    for (const name of Object.keys(members[place] ?? {})) places.set(name, place);
  }
  return places;
}

function integersOf(members: Members): ReadonlySet<string> {
  const names = Object.entries(members).flatMap(([name, schema]) => (isNumber(schema) ? [name] : []));
  return new Set(names);
}

function isNumber(schema: z.core.$ZodType): boolean {
  const { type, innerType } = schema._zod.def as z.core.$ZodTypeDef & { readonly innerType?: z.core.$ZodType };
  return innerType === undefined ? type === 'number' : isNumber(innerType);
}

export function parserOf(schema: z.ZodObject, places: ReadonlyMap<string, RequestPart>) {
  const compiled = compile(schema);
  return (raw: unknown): unknown => {
    const parsed = compiled.safeParse(raw ?? {});
    if (parsed.success) return parsed.data;
    throw new Problem(refusalOf(parsed.error.issues, raw ?? {}, places));
  };
}

/** Violations of headers, path and query get 400 and come first. All others are in the body. */
function refusalOf(
  issues: readonly z.core.$ZodIssue[],
  raw: unknown,
  places: ReadonlyMap<string, RequestPart>,
): Refusal {
  for (const place of ['header', 'path', 'query'] as const) {
    const issue = issues.find(({ path: [root] }) => root !== undefined && places.get(String(root)) === place);
    const [found] = issue === undefined ? [] : violationsOf([issue], raw);
    if (found === undefined) continue;
    const hinted = place === 'query' && isPlusLost(found, raw) ? { ...found, limit: 'plusInQuery' } : found;
    return refuse(parameterCode(place, found), { violations: strip([hinted], places) });
  }
  return refuse('VALIDATION_FAILED', { violations: strip(violationsOf(issues, raw), places) });
}

/** Whether an instant was sent with a bare plus: in a query that is a space (URL standard, form encoding). */
function isPlusLost({ code, root }: LocatedViolation, raw: unknown): boolean {
  return code === 'INVALID_INSTANT' && / \d\d:\d\d$/.test(String(Reflect.get(Object(raw), root)));
}

/** The header that carries each header parameter. */
export const HEADER_OF: ReadonlyMap<string, string> = new Map([
  ['idempotencyKey', 'Idempotency-Key'],
  ['ifMatch', 'If-Match'],
  ['fileName', 'X-Document-Filename'],
  ['ifNoneMatch', 'If-None-Match'],
  ['nationalAddress', 'National-Address'],
  ['prefer', 'Prefer'],
  ['priceLimit', 'Price-Limit'],
  ['priceLock', 'Price-Lock'],
]);

/** Headers that are lists by their own rules (RFC 9110 section 13.1, RFC 7240). All others have one value. */
const LISTS: ReadonlySet<string> = new Set(['ifMatch', 'ifNoneMatch', 'prefer']);
/** A header in which any text is valid. */
const FREE_TEXT = 'fileName';

/**
 * Whether a header of one value was sent in two lines. Runtimes join lines with a comma, and then a repeat that sends the line once
 * has another idempotency key. So a value counts as lines if each of its parts between commas is valid by itself; free text, if it
 * has two equal halves. `order 17, second attempt` is one key, because its parts are too short to be keys.
 */
export function isFolded({ source }: Pick<RequestParser, 'source'>, name: string, value: string): boolean {
  if (LISTS.has(name) || !value.includes(',')) return false;
  if (name === FREE_TEXT) return hasEqualHalves(value);
  const schema = source.shape[name] as z.ZodType | undefined;
  return value.split(',').every((part) => schema?.safeParse(part.trim()).success === true);
}

/** Whether a text is another one, a comma and a space, and the other one again. */
function hasEqualHalves(text: string): boolean {
  const length = (text.length - LINE_END.length) / 2;
  return text === text.slice(0, length) + LINE_END + text.slice(0, length);
}

/** Stands between two lines of a header that are joined (RFC 9110 section 5.3). */
const LINE_END = ', ';

/** A member of the body may have the name of a header parameter that the operation does not have. */
export function strip(violations: readonly LocatedViolation[], places: ReadonlyMap<string, RequestPart>) {
  return violations.map(({ root, field, code, limit }) => {
    const header = places.get(root) === 'header' ? HEADER_OF.get(root) : undefined;
    return { field: header ?? field, code, limit };
  });
}

function parameterCode(place: Exclude<RequestPart, 'body'>, { root, code }: LocatedViolation): ProblemCode {
  if (place === 'path') return 'INVALID_PATH_PARAMETER';
  if (root === 'idempotencyKey') return code === 'REQUIRED' ? 'IDEMPOTENCY_KEY_REQUIRED' : 'INVALID_IDEMPOTENCY_KEY';
  if (root === 'ifMatch') return code === 'REQUIRED' ? 'PRECONDITION_REQUIRED' : 'INVALID_HEADER';
  if (place === 'header') return 'INVALID_HEADER';
  if (root === 'limit' && code === 'OUT_OF_RANGE') return 'LIMIT_OUT_OF_RANGE';
  return root === 'cursor' ? 'INVALID_CURSOR' : 'INVALID_QUERY_PARAMETER';
}

/** Renames a body member with the name of a parameter, so that the schema refuses it as unknown. */
export function foreignMember(name: string): string {
  return FOREIGN_MARK + name;
}
