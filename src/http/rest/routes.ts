import { type AnyTRPCProcedure, callTRPCProcedure } from '@trpc/server';
import type * as z from 'zod';
import { appRouter } from '../../../routers/index.ts';
import type { Meta } from '../../../routers/procedure.ts';
import { isRequestParser, type RequestParser } from '../../../routers/request.ts';
import { type DecimalPlaces, decimalPlacesOf, toRest } from '../../contract/rest-numbers.ts';
import { hasCurrent, textTagOf } from '../conditional.ts';
import { problemResponse } from '../problem-response.ts';
import type { Exchange, Method, Route } from '../route-table.ts';
import { readInput } from './input.ts';

/** An operation of the REST interface: a procedure with a path in its metadata, compiled once. */
export interface Operation {
  /** Path of the procedure in the router, for example `shipments.create`. */
  readonly name: string;
  readonly method: Method;
  readonly path: string;
  readonly meta: Meta;
  readonly parser: RequestParser;
  readonly output: z.ZodType;
}

/** Every REST operation of the router, in its order. */
export const OPERATIONS: readonly Operation[] = Object.entries(proceduresOf()).flatMap(([name, procedure]) => {
  const { meta, inputs, output } = definitionOf(procedure);
  const [parser] = inputs;
  if (meta?.openapi === undefined) return [];
  if (!isRequestParser(parser) || output === undefined)
    throw new Error(`${name} has a path, but no request or no answer`);
  const { method, path } = meta.openapi;
  return [{ name, method, path, meta, parser, output: output.source }];
});

/** The routes that serve them. */
export const restRoutes: readonly Route[] = OPERATIONS.map((operation) => {
  const { method, path, parser } = operation;
  const inputPlaces = decimalPlacesOf(parser.source);
  const outputPlaces = decimalPlacesOf(operation.output);
  return {
    method,
    path,
    deployments: operation.meta.deployments,
    endsInSecret: operation.meta.endsInSecret,
    async handle(request, exchange) {
      try {
        const output = await call(operation, exchange, () => readInput(request, exchange, parser, inputPlaces));
        const response = reply(output, exchange, outputPlaces);
        return operation.meta.isConditional === true ? await conditional(request, response) : response;
      } catch (error) {
        return problemResponse(error, exchange);
      }
    },
  };
});

function call(operation: Operation, exchange: Exchange, getRawInput: () => Promise<unknown>): Promise<unknown> {
  return callTRPCProcedure({
    router: appRouter,
    path: operation.name,
    getRawInput,
    ctx: exchange,
    type: operation.method === 'GET' ? 'query' : 'mutation',
    signal: undefined,
    batchIndex: 0,
  });
}

function reply(
  output: unknown,
  { reply: { status = 200, headers } }: Exchange,
  places: DecimalPlaces | undefined,
): Response {
  if (status === 204) return new Response(null, { status, headers });
  return new Response(JSON.stringify(toRest(output, places)), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

/** 304 for who has this very text already (RFC 9110 section 13.2.2). */
async function conditional(request: Request, response: Response): Promise<Response> {
  const text = await response.text();
  const etag = await textTagOf(text);
  const headers = new Headers(response.headers);
  headers.set('etag', etag);
  if (!hasCurrent(request.headers.get('if-none-match'), etag)) return new Response(text, { headers });
  headers.delete('content-type');
  return new Response(null, { status: 304, headers });
}

interface Definition {
  readonly meta?: Meta;
  readonly inputs: readonly unknown[];
  readonly output?: { readonly source: z.ZodType };
}

/** tRPC's own description of a procedure, which its types keep to themselves. */
function definitionOf(procedure: AnyTRPCProcedure): Definition {
  return procedure._def as unknown as Definition;
}

function proceduresOf(): Readonly<Record<string, AnyTRPCProcedure>> {
  return appRouter._def.procedures as unknown as Readonly<Record<string, AnyTRPCProcedure>>;
}
