import type { AnyTRPCProcedure } from '@trpc/server';
import type * as z from 'zod';
import { appRouter } from '../../../routers/index.ts';
import type { Meta } from '../../../routers/procedure.ts';
import { type AnswerType, isRequestParser, type RequestParser } from '../../../routers/request.ts';
import type { Method } from '../route-table.ts';
import type { Callable } from './call.ts';
import { BODY_BYTES_MAX, OPEN_BODY_BYTES_MAX } from './input.ts';

/** An operation of the REST interface: a procedure with a path in its metadata, compiled once. */
export interface RestOperation extends Callable {
  readonly method: Method;
  readonly path: string;
  readonly meta: Meta;
  readonly parser: RequestParser;
  readonly output: z.ZodType;
  readonly mediaType: AnswerType;
}

/** Every REST operation of the router, in its order. */
export const OPERATIONS: readonly RestOperation[] = Object.entries(proceduresOf()).flatMap(([name, procedure]) => {
  const { type, meta, inputs, output, middlewares } = definitionOf(procedure);
  const [parser] = inputs;
  if (meta?.openapi === undefined) return [];
  if (!isRequestParser(parser) || output === undefined)
    throw new Error(`${name} has a path, but no request or no answer`);
  const { method, path } = meta.openapi;
  if ((type === 'query') !== (method === 'GET')) throw new Error(`${name} is a ${type}, and its method ${method}`);
  const { source, mediaType = 'application/json' } = output;
  return [{ name, type, method, path, meta, parser, output: source, mediaType, middlewares }];
});

/** The limit of a JSON body for one or several procedures. One that needs no authentication makes the limit small. */
export function bodyBytesMaxOf(names: readonly string[]): number {
  const procedures = proceduresOf();
  const isOpen = names.some((name) => {
    // A caller names the procedure over tRPC, and may name a member of every object.
    const procedure = Object.hasOwn(procedures, name) ? procedures[name] : undefined;
    return procedure !== undefined && definitionOf(procedure).meta?.security === 'none';
  });
  return isOpen ? OPEN_BODY_BYTES_MAX : BODY_BYTES_MAX;
}

interface Definition extends Pick<Callable, 'type' | 'middlewares'> {
  readonly meta?: Meta;
  readonly inputs: readonly unknown[];
  readonly output?: { readonly source: z.ZodType; readonly mediaType?: AnswerType };
}

/** tRPC's internal definition of a procedure, which its types do not expose. */
function definitionOf(procedure: AnyTRPCProcedure): Definition {
  return procedure._def as unknown as Definition;
}

function proceduresOf(): Readonly<Record<string, AnyTRPCProcedure>> {
  return appRouter._def.procedures as unknown as Readonly<Record<string, AnyTRPCProcedure>>;
}
