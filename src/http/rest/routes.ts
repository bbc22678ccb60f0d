import { appRouter } from '../../../routers/index.ts';
import { bodyBytesMaxOf, definitionOf, operationsOf, proceduresOf, type RestOperation } from './operation.ts';

export type { RestOperation } from './operation.ts';

/** Every REST operation, in the order of the router. */
export const OPERATIONS: readonly RestOperation[] = operationsOf(appRouter);

const PROCEDURES = proceduresOf(appRouter);

/** The limit of a JSON body for some procedures that are called together. */
export function bodyBytesMaxOfAll(names: readonly string[]): number {
  // A caller names the procedure over tRPC, and may name a member of every object.
  const known = names.flatMap((name) => (Object.hasOwn(PROCEDURES, name) ? [PROCEDURES[name]] : []));
  return bodyBytesMaxOf(known.map((procedure) => procedure && definitionOf(procedure).meta));
}
