import * as z from 'zod';
import { FOREIGN_MARK, type LocatedViolation, violationsOf } from '../src/contract/violations.ts';
import type { ProblemCode } from '../src/core/catalogue.ts';
import { Problem } from '../src/core/problem.ts';
import { type Refusal, refuse } from '../src/core/result.ts';

/** Where on REST a member of a procedure's input comes from. */
export type Place = 'path' | 'query' | 'header' | 'body';
type Members = Readonly<Record<string, z.ZodType>>;

/** A body that is no JSON: bytes of one of these media types. */
export interface RawBody {
  readonly contentTypes: readonly string[];
  readonly bytesMax: number;
}

/** What was sent as such a body. It stands beside the members that a schema knows. */
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
 * A procedure's input: one strict object of all its members, each of which knows its place in a REST request. tRPC sees
 * a parser; the REST adapter and the document also read `places` and `source`.
 */
export interface RequestParser<Input = unknown, Output = unknown> {
  readonly _input: Input;
  readonly _output: Output;
  readonly source: z.ZodObject;
  readonly places: ReadonlyMap<string, Place>;
  readonly hasBody: boolean;
  /** A body of REST, and a form over tRPC. */
  readonly raw: RawBody | undefined;
  /** Nothing of the body is required: then it may be left out altogether. */
  readonly isBodyOptional: boolean;
  /** Checks the members that are not in the body, so that their faults come before the body is read. */
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
    hasBody: members.body !== undefined,
    raw: undefined,
    isBodyOptional: z.strictObject({ ...members.body }).safeParse({}).success,
    checkParameters: parserOf(parameters, places),
    parseAsync: (raw: unknown) => new Promise((resolve) => resolve(parse(raw))),
  };
  // `_input` and `_output` exist for the type checker only, as in zod itself.
  return parser as unknown as RequestParser<z.input<z.ZodObject<Shape>>, z.output<z.ZodObject<Shape>>>;
}

/** A procedure's input whose body is bytes: parameters, and `content`. */
export function rawRequest<
  Path extends Members = Record<never, never>,
  Query extends Members = Record<never, never>,
  Header extends Members = Record<never, never>,
>(members: Omit<Places<Path, Query, Header, Record<never, never>>, 'body'>, raw: RawBody) {
  const parser = request<Path, Query, Header>(members);
  const parseAsync = async (sent: unknown) => {
    const { content, ...parameters } = Object(sent) as { readonly content?: unknown };
    const parsed = (await parser.parseAsync(parameters)) as object;
    // JSON over tRPC may have anything here, but never bytes.
    if (!isRawContent(content)) throw new Problem(refuse('UNSUPPORTED_DOCUMENT_TYPE'));
    return { ...parsed, content };
  };
  type Shape = Path & Query & Header;
  return { ...parser, raw, parseAsync } as unknown as RequestParser<
    z.input<z.ZodObject<Shape>> & { content: RawContent },
    z.output<z.ZodObject<Shape>> & { content: RawContent }
  >;
}

function isRawContent(value: unknown): value is RawContent {
  return typeof value === 'object' && value !== null && 'bytes' in value && value.bytes instanceof Uint8Array;
}

/** Whether a procedure's input parser was made by `request`. */
export function isRequestParser(parser: unknown): parser is RequestParser {
  return typeof parser === 'object' && parser !== null && 'places' in parser && 'checkParameters' in parser;
}

/** What REST answers with: JSON, or a page that is made of the output. */
export type AnswerType = 'application/json' | 'text/html';

/** A procedure's output that people look at: over REST it is a page, over tRPC what the page says. */
export function page<Schema extends z.ZodType>(source: Schema) {
  return { ...answer(source), mediaType: 'text/html' as const };
}

/** A procedure's output: compiled for speed, with its source for the document. */
export function answer<Schema extends z.ZodType>(source: Schema) {
  const compiled = z.compile(source);
  const parser = {
    source,
    parse: (raw: unknown) => compiled.parse(raw),
    // No answer has anything asynchronous about it, and zod's own asynchronous way does not use what was compiled.
    parseAsync: (raw: unknown) => new Promise((resolve) => resolve(compiled.parse(raw))),
  };
  return parser as unknown as {
    readonly _input: z.input<Schema>;
    readonly _output: z.output<Schema>;
    readonly source: Schema;
  };
}

function placesOf(members: Places<Members, Members, Members, Members>): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  for (const place of ['path', 'query', 'header', 'body'] as const) {
    for (const name of Object.keys(members[place] ?? {})) places.set(name, place);
  }
  return places;
}

function parserOf(schema: z.ZodObject, places: ReadonlyMap<string, Place>) {
  const compiled = z.compile(schema);
  return (raw: unknown): unknown => {
    const parsed = compiled.safeParse(raw ?? {});
    if (parsed.success) return parsed.data;
    throw new Problem(refusalOf(violationsOf(parsed.error, raw ?? {}), places));
  };
}

/** Faults of headers, path and query are 400 and come first; what is left broke a rule of the body. */
function refusalOf(violations: readonly LocatedViolation[], places: ReadonlyMap<string, Place>): Refusal {
  for (const place of ['header', 'path', 'query'] as const) {
    const found = violations.find((violation) => places.get(violation.root) === place);
    if (found !== undefined) return refuse(parameterCode(place, found), { violations: strip([found]) });
  }
  return refuse('VALIDATION_FAILED', { violations: strip(violations) });
}

/** The header that carries each header parameter. */
export const HEADER_OF: ReadonlyMap<string, string> = new Map([
  ['idempotencyKey', 'Idempotency-Key'],
  ['ifMatch', 'If-Match'],
  ['fileName', 'X-Document-Filename'],
  ['ifNoneMatch', 'If-None-Match'],
]);

function strip(violations: readonly LocatedViolation[]) {
  return violations.map(({ root, field, code, limit }) => ({ field: HEADER_OF.get(root) ?? field, code, limit }));
}

function parameterCode(place: Exclude<Place, 'body'>, { root, code }: LocatedViolation): ProblemCode {
  if (place === 'path') return 'INVALID_PATH_PARAMETER';
  if (root === 'idempotencyKey') return code === 'REQUIRED' ? 'IDEMPOTENCY_KEY_REQUIRED' : 'INVALID_IDEMPOTENCY_KEY';
  if (root === 'ifMatch') return code === 'REQUIRED' ? 'PRECONDITION_REQUIRED' : 'INVALID_HEADER';
  if (place === 'header') return 'INVALID_HEADER';
  if (root === 'limit' && code === 'OUT_OF_RANGE') return 'LIMIT_OUT_OF_RANGE';
  return root === 'cursor' ? 'INVALID_CURSOR' : 'INVALID_QUERY_PARAMETER';
}

/** A body member under the name of a parameter: unknown to the schema, whatever the name. */
export function foreignMember(name: string): string {
  return FOREIGN_MARK + name;
}
