import * as z from 'zod';
import { violationsOf } from '../src/contract/violations.ts';
import { Problem } from '../src/core/problem.ts';
import { refuse, type Violation } from '../src/core/result.ts';
import {
  compile,
  type Members,
  type Places,
  parserOf,
  type RawBody,
  type RawContent,
  type RequestParser,
  request,
  strip,
} from './request.ts';

/* Inputs of procedures whose bodies are no plain JSON object of known members. */

/** A body of which every violation is reported, and not refused. */
export interface Examined {
  readonly members: Readonly<Record<string, unknown>>;
  readonly violations: readonly Violation[];
}

/**
 * A procedure's input whose body may break any rule of its schema, with its first violations. Only a header that breaks its form and a
 * body that is no object are refused.
 */
export function examinedRequest<Header extends Members, Body extends Members>(
  { header, body }: { readonly header: Header; readonly body: Body },
  violationsMax: number,
) {
  const parser = request<Record<never, never>, Record<never, never>, Header, Body>({ header, body });
  const headers = parserOf(z.strictObject({ ...header }), parser.places);
  const compiled = compile(parser.source);
  const parseAsync = async (raw: unknown): Promise<Examined & { readonly header: unknown }> => {
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
      const violation = { field: 'body', code: 'TYPE_MISMATCH', limit: 'object' } as const;
      throw new Problem(refuse('VALIDATION_FAILED', { violations: [violation] }));
    }
    const parsed = compiled.safeParse(raw);
    const entries = Object.entries(raw);
    const isHeader = ([name]: readonly [string, unknown]) => Object.hasOwn(header, name);
    return {
      header: headers(Object.fromEntries(entries.filter(isHeader))),
      members: Object.fromEntries(entries.filter((entry) => !isHeader(entry))),
      violations: parsed.success ? [] : strip(violationsOf(parsed.error.issues, raw, violationsMax), parser.places),
    };
  };
  return { ...parser, parseAsync } as unknown as RequestParser<
    z.input<z.ZodObject<Header & Body>>,
    Examined & { readonly header: z.output<z.ZodObject<Header>> }
  >;
}

/**
 * An input of which the reference describes more than the parser checks: `described` has the schema, `open` checks. A body
 * with more than `max` entries in `member` is refused before it is parsed.
 */
export function openRequest<Input, Output>(
  described: RequestParser,
  open: RequestParser<Input, Output>,
  entriesMax: { readonly member: string; readonly max: number },
): RequestParser<Input, Output> {
  const parseAsync = async (raw: unknown) => {
    const parsed = await open.parseAsync(raw);
    // The request keeps `raw` to its end, and the list may take megabytes.
    if (typeof raw === 'object' && raw !== null) Reflect.deleteProperty(raw, entriesMax.member);
    return parsed;
  };
  return { ...open, parseAsync, source: described.source, entriesMax };
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
    // JSON over tRPC may have any value here, but never bytes.
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
