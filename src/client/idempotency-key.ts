import type { Operation } from '@trpc/client';
import type { Host } from './host.ts';
import { isRecord } from './problem.ts';
import type { KeyTakingPath } from './router.ts';

/** Types do not exist at run time, so this repeats them. The compiler checks that the list is complete. */
const KEYED: Readonly<Record<KeyTakingPath, true>> = {
  'cases.addMessage': true,
  'cases.create': true,
  'mediaAssets.create': true,
  'proofs.resendPin': true,
  'registrations.create': true,
  'resolutions.choose': true,
  'resolutions.recall': true,
  'resolutions.returnItems': true,
  'shipmentAmendments.create': true,
  'shipmentBatches.create': true,
  'shipments.cancel': true,
  'shipments.create': true,
  'shipments.retryDispatch': true,
  'trackingLinks.create': true,
  'webhookDeliveries.replay': true,
  'webhookEndpoints.create': true,
  'webhookEndpoints.replay': true,
  'webhookEndpoints.rotateSecret': true,
};

/**
 * Adds a new idempotency key to a call that takes one and has none. This happens before the attempts, so that all of them have
 * the same key. Throws what `newIdempotencyKey` throws.
 */
export function withKey(op: Operation, host: Pick<Host, 'newIdempotencyKey'>): Operation {
  // Only a missing key is added. The service refuses a key of a wrong type.
  if (!Object.hasOwn(KEYED, op.path) || !isRecord(op.input) || op.input['idempotencyKey'] !== undefined) return op;
  return { ...op, input: { ...op.input, idempotencyKey: host.newIdempotencyKey() } };
}

/** The idempotency key of a call. */
export function idempotencyKeyOf(input: unknown): string | undefined {
  if (!isRecord(input)) return undefined;
  return typeof input['idempotencyKey'] === 'string' ? input['idempotencyKey'] : undefined;
}
