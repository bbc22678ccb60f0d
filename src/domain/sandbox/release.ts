import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Result } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import { settle } from '../settle.ts';
import { readShipment } from '../shipments/command.ts';
import type { ShipmentRow } from '../shipments/store.ts';
import { releaseUpdate } from './store.ts';

/**
 * Releases a held shipment to dispatch, without a change of state or an event. A shipment that is not held is returned
 * unchanged.
 */
export async function releaseShipment(
  { database, writer, clock }: { readonly database: Database; readonly writer: Writer; readonly clock: CompanyClock },
  scope: CompanyScope,
  shipmentId: Uuid,
): Promise<Result<ShipmentRow>> {
  const found = await readShipment(database, scope, shipmentId);
  if (!found.ok) return found;
  const now = clock.now();
  // Due at once: the unit itself sets the alarm.
  const released = settle(await writer.commit({ statements: [releaseUpdate(scope, shipmentId, now)], dueAt: now }));
  return released.ok ? found : released;
}
