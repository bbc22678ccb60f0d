import type { TRPCUntypedClient } from '@trpc/client';
import { isOfFramework } from './http.ts';
import type { MirsalRouter } from './router.ts';

interface CallOptions {
  readonly signal?: AbortSignal;
}

/**
 * The procedures of the client by their names: `calls.shipments.get.query(input)`. tRPC's own proxy would wrap the errors by
 * which a framework steers its rendering.
 */
export function callsOf(client: TRPCUntypedClient<MirsalRouter>, path: readonly string[] = []): object {
  return new Proxy(() => undefined, {
    get: (_, name) =>
      // So that `await` and printing do not take it for something else.
      typeof name === 'string' && name !== 'then' ? callsOf(client, [...path, name]) : undefined,
    apply: async (_, __, [input, options]: [unknown, CallOptions | undefined]) => {
      const kind = path.at(-1) === 'query' ? 'query' : 'mutation';
      try {
        return await client[kind](path.slice(0, -1).join('.'), input, options);
      } catch (error) {
        for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
          if (isOfFramework(cause)) throw cause;
        throw error;
      }
    },
  });
}
