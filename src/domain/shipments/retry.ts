import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { ShipmentRequest } from '../../contract/shipment.ts';
import { parseStored } from '../../core/json.ts';
import { ok, type Result, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { serviceLevelFor } from '../offers/prepare.ts';
import type { ServiceLevelBook } from '../offers/service-level-book.ts';
import { readShipment } from './command.ts';
import type { Command } from './lifecycle.ts';

/**
 * The command that searches for a driver again. It chooses the service level anew, because the levels may have changed since
 * the creation. What a shipment needs never changes, so it may be read before the command runs.
 */
export async function retryCommand(
  { database, serviceLevelBook }: { readonly database: Database; readonly serviceLevelBook: ServiceLevelBook },
  scope: CompanyScope,
  shipmentId: Uuid,
): Promise<Result<Extract<Command, { name: 'RETRY_DISPATCH' }>>> {
  const found = await readShipment(database, scope, shipmentId);
  if (!found.ok) return found;
  const levels = await serviceLevelBook.levels(database);
  if (levels === undefined) return unavailable();
  const { totalWeightKilograms, requirements, items, destination } = found.value;
  const needs = {
    requirements: parseStored<ShipmentRequest['requirements']>(requirements),
    items: parseStored<ShipmentRequest['items']>(items),
    destination: parseStored<ShipmentRequest['destination']>(destination),
  };
  const serviceLevelCode = serviceLevelFor(levels, needs, totalWeightKilograms)?.code ?? null;
  return ok({ name: 'RETRY_DISPATCH', serviceLevelCode });
}
