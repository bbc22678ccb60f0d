import type { RefusalRequest } from '../../contract/recipient.ts';
import { isTerminal } from '../../contract/shipment-state.ts';
import type { Deployment } from '../../core/deployment.ts';
import { formatInstant } from '../../core/instant.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Random } from '../../ports/random.ts';
import { settle } from '../settle.ts';
import { factEvent } from '../shipments/fact.ts';
import { shipmentById } from '../shipments/store.ts';
import type { LinkedShipment } from '../tracking/linked-shipment.ts';
import { refusalUpsert } from './reply-store.ts';

/** The shipment may change first. After the last attempt the recipient may try again. */
const ATTEMPTS_MAX = 3;

/**
 * Notes that the recipient does not want the shipment, once. Its state stays: the merchant decides, and the driver is told. 409 if they
 * have said so before, or if the shipment has ended.
 */
export async function refuseDelivery(
  { random, config }: { readonly random: Random; readonly config: { readonly deployment: Deployment } },
  { scope, store, link, shipment: read }: LinkedShipment,
  request: RefusalRequest & { readonly correlationId: Uuid },
): Promise<Result<{ refusedAt: string }>> {
  if (!link.permissions.includes('REFUSE')) return refuse('ACCESS_DENIED');
  const { reasonCode, comment = '', correlationId } = request;
  let shipment = read;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const now = store.clock.now();
    const { id: shipmentId, state: currentState } = shipment;
    const notAllowed = (reason: 'TOO_LATE' | 'LIMIT_REACHED') =>
      refuse('AMENDMENT_NOT_ALLOWED', { members: { change: 'REFUSE', reason, currentState } });
    if (isTerminal(currentState)) return notAllowed('TOO_LATE');
    const refusal = { refusedAt: formatInstant(now), reasonCode, comment: comment === '' ? null : comment };
    const recorded = factEvent({ random, config, clock: store.clock }, shipment, {
      type: 'recipient.refused',
      occurredAt: now,
      correlationId,
      data: { refusal },
    });
    const statements = [refusalUpsert(scope, shipment, { now, reasonCode, comment: refusal.comment }), ...recorded];
    const kept = settle(await store.writer.commit({ statements }));
    if (!kept.ok) return kept;
    if (kept.value) return ok({ refusedAt: refusal.refusedAt });
    const found = await store.database.read(shipmentById(scope, shipmentId));
    const [current] = found.ok ? found.rows : [];
    if (current === undefined) return unavailable();
    if (current.version === shipment.version) return notAllowed('LIMIT_REACHED');
    shipment = current;
  }
  return unavailable();
}
