import type { TRPCLink } from '@trpc/client';
import { isRecord } from './problem.ts';
import type { KeyedPath, MirsalRouter } from './router.ts';

/** Types are gone when the client runs, so this says it again; the compiler sees to it that nothing is missing. */
const KEYED: Readonly<Record<KeyedPath, true>> = { 'shipments.create': true };

/**
 * Gives a call that needs an idempotency key and brought none a new one. It stands before the retries, so that all
 * attempts of a call carry one key.
 */
export function idempotencyKeyLink(newIdempotencyKey: () => string): TRPCLink<MirsalRouter> {
  return () =>
    ({ op, next }) =>
      next(needsKey(op) ? { ...op, input: { ...op.input, idempotencyKey: newIdempotencyKey() } } : op);
}

/** The idempotency key that a call carries. */
export function idempotencyKeyOf(input: unknown): string | undefined {
  if (!isRecord(input)) return undefined;
  return typeof input['idempotencyKey'] === 'string' ? input['idempotencyKey'] : undefined;
}

function needsKey<Op extends { readonly path: string; readonly input: unknown }>(
  op: Op,
): op is Op & { readonly input: Readonly<Record<string, unknown>> } {
  // Only an absent key is made: one of a wrong type is for the service to refuse.
  return Object.hasOwn(KEYED, op.path) && isRecord(op.input) && op.input['idempotencyKey'] === undefined;
}
