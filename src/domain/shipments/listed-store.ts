import { and, eq, sql } from 'drizzle-orm';
import { drivers } from '../../../db/shard/schema/dispatch.ts';
import { events, shipmentEvents } from '../../../db/shard/schema/events.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { placeholder, queries, read } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Uuid } from '../../core/uuid.ts';
import { lastPosition } from '../events/positions.ts';

/* The SQL behind the console's list of shipments. */

const selectNewest = read({ id: events.id }, (columns) =>
  queries.select(columns).from(events).where(sql`${events.position} = ${lastPosition}`),
);
/** The company's newest event: one entry of an index for each type that it has. No row if it has none that is kept. */
export function newestEvent(scope: CompanyScope) {
  return selectNewest({ companyId: scope.companyId });
}

const detailColumns = {
  shipmentId: shipments.id,
  shipmentNumber: shipments.shipmentNumber,
  externalReference: shipments.externalReference,
  version: shipments.version,
  state: shipments.state,
  // Null without a driver.
  firstName: drivers.firstName,
  type: shipmentEvents.type,
  occurredAt: shipmentEvents.occurredAt,
  reasonCode: shipmentEvents.reasonCode,
  note: shipmentEvents.note,
};
const isNewest = sql`${shipmentEvents.sequence} = (select max(later.sequence) from ${shipmentEvents} as later where later.shipment_id = ${shipments.id})`;
const selectDetails = read(detailColumns, (columns) =>
  queries
    .select(columns)
    .from(sql`json_each(${placeholder('ids')}) as asked`)
    .crossJoin(shipments)
    .crossJoin(shipmentEvents)
    .leftJoin(drivers, eq(drivers.id, shipments.driverId))
    // With a plus, SQLite finds the rows by their ids, and reads no index of the company.
    .where(
      and(
        sql`${shipments.id} = asked.value`,
        sql`+${shipments.companyId} = ${placeholder('companyId')}`,
        eq(shipmentEvents.shipmentId, shipments.id),
        isNewest,
      ),
    ),
);
/** Drivers and last events of those of these shipments that are the company's, in no order. */
export function listedDetails(scope: CompanyScope, ids: readonly Uuid[]) {
  return selectDetails({ companyId: scope.companyId, ids: JSON.stringify(ids) });
}
