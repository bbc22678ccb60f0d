import { appRouter } from '../../../routers/index.ts';
import { isRequestParser } from '../../../routers/request.ts';
import type { LoggedForm } from '../../domain/request-log/entry.ts';
import {
  bodyBytesMaxOf,
  bodyValuesMaxOf,
  definitionOf,
  loggedForm,
  operationsOf,
  proceduresOf,
  type RestOperation,
} from './operation.ts';

export type { RestOperation } from './operation.ts';

/** Every REST operation, in the order of the router. */
export const OPERATIONS: readonly RestOperation[] = operationsOf(appRouter);

const PROCEDURES = proceduresOf(appRouter);

/** What the request log needs of a procedure, by its name. One without a path on REST has that of tRPC. */
export function loggedFormOf(name: string): LoggedForm | undefined {
  const procedure = Object.hasOwn(PROCEDURES, name) ? PROCEDURES[name] : undefined;
  if (procedure === undefined) return undefined;
  const { type, meta, inputs, output } = definitionOf(procedure);
  const [parser] = inputs;
  if (!isRequestParser(parser) || output === undefined) return undefined;
  const { method, path } = meta?.openapi ?? { method: type === 'query' ? 'GET' : 'POST', path: `/trpc/${name}` };
  return loggedForm({ method, path, parser, output: output.source });
}

/** The limits of a JSON body for some procedures that are called together. */
export function bodyLimitsOfAll(names: readonly string[]): { readonly bytesMax: number; readonly valuesMax: number } {
  // A caller names the procedure over tRPC, and may name a member of every object.
  const known = names.flatMap((name) => (Object.hasOwn(PROCEDURES, name) ? (PROCEDURES[name] ?? []) : []));
  const definitions = known.map(definitionOf);
  return {
    bytesMax: bodyBytesMaxOf(definitions.map(({ meta }) => meta)),
    valuesMax: bodyValuesMaxOf(definitions.flatMap(({ inputs }) => inputs.filter(isRequestParser))),
  };
}
