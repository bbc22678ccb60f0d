import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import { isTooLate } from '../../contract/amendment-rules.ts';
import type { DeliveryWindows } from '../../contract/delivery-window.ts';
import type { Location } from '../../contract/shipment.ts';
import { parseStored } from '../../core/json.ts';
import { ok, type Result } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import { readRow } from '../rows.ts';
import { type CitySlots, presentOffered, presentWindow, slotsOf, windowsOffered } from './delivery-windows.ts';
import { windowStandingOf } from './window-store.ts';

interface WindowDependencies {
  readonly database: Database;
  readonly clock: CompanyClock;
  readonly config: { readonly deliveryWindows: CitySlots };
}

/** The delivery window of a shipment and those that can be asked for now. None can once the driver has set out. */
export async function readDeliveryWindows(
  dependencies: WindowDependencies,
  scope: CompanyScope,
  shipmentId: Uuid,
): Promise<Result<DeliveryWindows>> {
  const found = await readOffered(dependencies, scope, shipmentId);
  if (!found.ok) return found;
  const { row, offered } = found.value;
  return ok({ window: presentWindow(row), windowsOffered: offered.map(presentOffered) });
}

/** The same as stored. */
export async function readOffered(
  { database, clock, config }: WindowDependencies,
  scope: CompanyScope,
  shipmentId: Uuid,
) {
  const found = await readRow(database, windowStandingOf(scope, shipmentId), 'ACCESS_DENIED');
  if (!found.ok) return found;
  const row = found.value;
  const { cityCode } = parseStored<Location>(row.destination);
  const basis = { now: clock.now(), ...row, slots: slotsOf(config.deliveryWindows, cityCode) };
  return ok({ row, offered: isTooLate('DELIVERY_WINDOW', row.state) ? [] : windowsOffered(basis) });
}
