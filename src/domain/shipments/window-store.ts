import { and, eq } from 'drizzle-orm';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { shipmentTerms } from '../../../db/shard/schema/terms.ts';
import { placeholder, queries, read } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Uuid } from '../../core/uuid.ts';

const windowColumns = {
  state: shipments.state,
  destination: shipments.destination,
  pickupWindowEnd: shipments.pickupWindowEnd,
  deliveryWindowStart: shipments.deliveryWindowStart,
  deliveryWindowEnd: shipments.deliveryWindowEnd,
  windowStatus: shipments.windowStatus,
  durationSeconds: shipmentTerms.durationSeconds,
};
const selectWindow = read(windowColumns, (columns) =>
  queries
    .select(columns)
    .from(shipments)
    .innerJoin(shipmentTerms, eq(shipmentTerms.shipmentId, shipments.id))
    .where(and(eq(shipments.id, placeholder('shipmentId')), eq(shipments.companyId, placeholder('companyId')))),
);
/** The delivery window of a shipment, and what those that are offered depend on. */
export function windowStandingOf(scope: CompanyScope, shipmentId: Uuid) {
  return selectWindow({ companyId: scope.companyId, shipmentId });
}
