import type { AnyTRPCProcedure, AnyTRPCRouter } from '@trpc/server';
import type * as z from 'zod';
import type { Meta } from '../../../routers/procedure.ts';
import { type AnswerType, HEADER_OF, isRequestParser, type RequestParser } from '../../../routers/request.ts';
import { valuesMaxOf } from '../../contract/values-max.ts';
import { JSON_VALUES_MAX } from '../../core/limits.ts';
import type { LoggedForm } from '../../domain/request-log/entry.ts';
import type { Method } from '../route-table.ts';
import type { Callable } from './call.ts';
import { columnsOfList } from './columns.ts';
import { BODY_BYTES_MAX, OPEN_BODY_BYTES_MAX } from './input.ts';

/** An operation of the REST interface: a procedure with a path in its metadata, compiled once. */
export interface RestOperation extends Callable {
  readonly method: Method;
  readonly path: string;
  readonly meta: Meta;
  readonly parser: RequestParser;
  readonly output: z.ZodType;
  /** The media types of its response. The first is the default. */
  readonly mediaTypes: readonly [AnswerType, ...AnswerType[]];
}

const JSON_ONLY = ['application/json'] as const;
const JSON_OR_CSV = ['application/json', 'text/csv'] as const;

/** Every REST operation of a router, in its order. */
export function operationsOf(router: AnyTRPCRouter): RestOperation[] {
  return Object.entries(proceduresOf(router)).flatMap(([name, procedure]) => {
    const { type, meta, inputs, output, middlewares } = definitionOf(procedure);
    const [parser] = inputs;
    if (meta?.openapi === undefined) return [];
    if (!isRequestParser(parser) || output === undefined)
      throw new Error(`${name} has a path, but no request or no answer`);
    const { method, path } = meta.openapi;
    if ((type === 'query') !== (method === 'GET')) throw new Error(`${name} is a ${type}, and its method ${method}`);
    const { source, mediaTypes = columnsOfList(output.source) === undefined ? JSON_ONLY : JSON_OR_CSV } = output;
    return [{ name, type, method, path, meta, parser, output: source, mediaTypes, middlewares }];
  });
}

/** What the request log needs of a procedure. */
export function loggedForm({
  method,
  path,
  parser: { source, places, raw },
  output,
}: Pick<RestOperation, 'method' | 'path' | 'parser' | 'output'>): LoggedForm {
  return { method, path, input: source, places, headerOf: HEADER_OF, isRaw: raw !== undefined, output };
}

/** The limit of a JSON body of procedures with this metadata. One that needs no authentication makes the limit small. */
export function bodyBytesMaxOf(metas: readonly (Meta | undefined)[]): number {
  if (metas.some((meta) => meta?.security === 'none')) return OPEN_BODY_BYTES_MAX;
  return metas.length === 0 ? BODY_BYTES_MAX : Math.min(...metas.map((meta) => meta?.bodyBytesMax ?? BODY_BYTES_MAX));
}

/** A body with this many more values than a valid one has still gets its violations named. */
const VALUES_MORE = 1000;

/** How many values a JSON body may have for procedures with these parsers that are called together. */
export function bodyValuesMaxOf(parsers: readonly RequestParser[]): number {
  const valuesMax = parsers.reduce((sum, { source }) => sum + 1 + valuesMaxOf(source), VALUES_MORE);
  return Math.min(valuesMax, JSON_VALUES_MAX);
}

interface Definition extends Pick<Callable, 'type' | 'middlewares'> {
  readonly meta?: Meta;
  readonly inputs: readonly unknown[];
  readonly output?: { readonly source: z.ZodType; readonly mediaTypes?: RestOperation['mediaTypes'] };
}

/** tRPC's internal definition of a procedure, which its types do not expose. */
export function definitionOf(procedure: AnyTRPCProcedure): Definition {
  return procedure._def as unknown as Definition;
}

/** The procedures of a router by their paths, such as `shipments.create`. */
export function proceduresOf(router: AnyTRPCRouter): Readonly<Record<string, AnyTRPCProcedure>> {
  return router._def.procedures as Readonly<Record<string, AnyTRPCProcedure>>;
}
