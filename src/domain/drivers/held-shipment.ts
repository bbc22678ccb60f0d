import type { Database } from '../../../db/database.ts';
import type { DriverPrincipal } from '../../access/driver-token.ts';
import { type CompanyScope, scopeForDriver } from '../../access/require.ts';
import { ok, type Result } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { readRow } from '../rows.ts';
import type { ShipmentRow } from '../shipments/store.ts';
import { assignmentOf } from './store.ts';

export interface HeldShipment {
  readonly scope: CompanyScope;
  readonly shipment: ShipmentRow;
}

/** A shipment that the driver has or has just finished, with its company. Another driver’s is refused like an unknown one. */
export async function findHeldShipment(
  database: Database,
  driver: DriverPrincipal,
  shipmentId: Uuid,
): Promise<Result<HeldShipment>> {
  const found = await readRow(database, assignmentOf(driver.driverId, shipmentId), 'ACCESS_DENIED');
  return found.ok ? ok({ scope: scopeForDriver(driver, found.value), shipment: found.value }) : found;
}
