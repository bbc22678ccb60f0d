import { createTRPCClient, httpLink, TRPCClientError } from '@trpc/client';
import type { AppRouter } from '../../routers/index.ts';
import type { Environment } from '../../scripts/shared/connection.ts';

/** A tRPC client with this token. */
export function trpcClient(environment: Environment, token: string) {
  return trpcClientWith(environment, { authorization: `Bearer ${token}` });
}

/** A tRPC client that sends these headers. */
export function trpcClientWith(environment: Environment, headers: Readonly<Record<string, string>>) {
  return createTRPCClient<AppRouter>({
    links: [httpLink({ url: `${environment.address}/trpc`, headers })],
  });
}

/** The problem of a refused call; throws if the call succeeds. */
export async function problemOfCall(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    if (error instanceof TRPCClientError) return Reflect.get(Object(error.data), 'problem');
    throw error;
  }
  throw new Error('The call was not refused');
}
