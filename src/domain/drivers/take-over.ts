import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import { isCarried } from '../../contract/shipment-state.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Random } from '../../ports/random.ts';
import { readRow } from '../rows.ts';
import type { Command } from '../shipments/lifecycle.ts';
import { operatorEntry } from '../shipments/operator-store.ts';
import { fleetDriverById } from './fleet-store.ts';

type TakeOver = Extract<Command, { name: 'TAKE_OVER' }>;

export interface TakeOverOrder extends Pick<TakeOver, 'reasonCode' | 'comment'> {
  readonly shipmentId: Uuid;
  readonly driverId: Uuid;
}

/**
 * The command that gives a parcel to another driver. 422 unless the driver can take it: of this shard, on duty, not blocked,
 * with a free place, and not the one who has it. The unit of the command checks this again, because it may change.
 */
export async function takeOverCommand(
  { database, random }: { readonly database: Database; readonly random: Random },
  scope: CompanyScope,
  { shipmentId, driverId, ...reason }: TakeOverOrder,
): Promise<Result<TakeOver>> {
  const [found, shipment] = await Promise.all([
    database.read(fleetDriverById(driverId)),
    readRow(database, operatorEntry(scope, shipmentId), 'ACCESS_DENIED'),
  ]);
  if (!shipment.ok) return shipment;
  if (!found.ok) return unavailable();
  const command = { name: 'TAKE_OVER', offerId: random.uuid(), toDriverId: driverId, ...reason } as const;
  // The lifecycle refuses this with the state, which matters more than the driver.
  if (!isCarried(shipment.value.state)) return ok(command);
  const [driver] = found.rows;
  const isFree =
    driver !== undefined &&
    driver.status === 'ACTIVE' &&
    driver.onDuty === 1 &&
    driver.activeCount < driver.activeMax &&
    // A sandbox's driver takes only the shipments of its company.
    (driver.companyId === null || driver.companyId === scope.companyId);
  if (isFree && driver.id !== shipment.value.driverId) return ok(command);
  const limit = 'another driver of the shard who is active, on duty and has a free place';
  return refuse('VALIDATION_FAILED', { violations: [{ field: 'driverId', code: 'NOT_IN_ENUM', limit }] });
}
