import type { TRPCLink } from '@trpc/client';
import { isRecord } from './problem.ts';
import type { KeyedPath, MirsalRouter } from './router.ts';

/** Types do not exist at run time, so this repeats them. The compiler checks that the list is complete. */
const KEYED: Readonly<Record<KeyedPath, true>> = { 'shipments.create': true };

/**
 * Adds a new idempotency key to a call that needs one and has none. It runs before the retries, so that all attempts of a
 * call have the same key.
 */
export function idempotencyKeyLink(newIdempotencyKey: () => string): TRPCLink<MirsalRouter> {
  return () =>
    ({ op, next }) =>
      next(needsKey(op) ? { ...op, input: { ...op.input, idempotencyKey: newIdempotencyKey() } } : op);
}

/** The idempotency key of a call. */
export function idempotencyKeyOf(input: unknown): string | undefined {
  if (!isRecord(input)) return undefined;
  return typeof input['idempotencyKey'] === 'string' ? input['idempotencyKey'] : undefined;
}

function needsKey<Op extends { readonly path: string; readonly input: unknown }>(
  op: Op,
): op is Op & { readonly input: Readonly<Record<string, unknown>> } {
  // Only a missing key is added. The service refuses a key of a wrong type.
  return Object.hasOwn(KEYED, op.path) && isRecord(op.input) && op.input['idempotencyKey'] === undefined;
}
