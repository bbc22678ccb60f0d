import { and, desc, eq } from 'drizzle-orm';
import { shipmentEvents } from '../../../db/shard/schema/events.ts';
import { placeholder, queries, read } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Uuid } from '../../core/uuid.ts';

/* The SQL that only the price of a cancellation needs: a Worker loads it at the first cancellation after a driver has accepted. */

const selectAcceptance = read({ occurredAt: shipmentEvents.occurredAt }, (columns) =>
  queries
    .select(columns)
    .from(shipmentEvents)
    .where(
      and(
        eq(shipmentEvents.shipmentId, placeholder('shipmentId')),
        eq(shipmentEvents.companyId, placeholder('companyId')),
        eq(shipmentEvents.type, 'shipment.accepted'),
      ),
    )
    .orderBy(desc(shipmentEvents.sequence))
    .limit(1),
);
/** When a driver last accepted the shipment. */
export function acceptanceOf(scope: CompanyScope, shipmentId: Uuid) {
  return selectAcceptance({ companyId: scope.companyId, shipmentId });
}
