import type { TRPCUntypedClient } from '@trpc/client';
import { causesOf } from './failure.ts';
import { isOfFramework } from './http.ts';
import type { MirsalRouter } from './router.ts';

interface CallOptions {
  readonly signal?: AbortSignal;
}

/** Names that a runtime asks for when it awaits, prints or converts a value. */
const NOT_PROCEDURES: ReadonlySet<string> = new Set(['then', 'toJSON', 'toString', 'valueOf', 'constructor']);

/**
 * The procedures of the client by their names: `calls.shipments.get.query(input)`. tRPC's own proxy would wrap the errors by
 * which a framework steers its rendering.
 */
export function callsOf(client: TRPCUntypedClient<MirsalRouter>, path: readonly string[] = []): object {
  const procedure = path.join('.');
  return new Proxy(Object.freeze({}), {
    get(_, name) {
      if (typeof name !== 'string' || NOT_PROCEDURES.has(name)) return undefined;
      if (path.length === 0 || (name !== 'query' && name !== 'mutate')) return callsOf(client, [...path, name]);
      const kind = name === 'query' ? 'query' : 'mutation';
      return async (input: unknown, options: CallOptions = {}) => {
        try {
          return await client[kind](procedure, input, options);
        } catch (error) {
          throw causesOf(error).find(isOfFramework) ?? error;
        }
      };
    },
  });
}
