import { and, eq, exists, isNull, sql } from 'drizzle-orm';
import { offers } from '../../../db/shard/schema/dispatch.ts';
import { shipmentAmendments } from '../../../db/shard/schema/shipment-amendments.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { placeholder, queries, write } from '../../../db/statement.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';

/* The SQL of amendments as drivers read and confirm them. */

/** The step at which the driver got the shipment, which for a follow-up is its first. Its version is one less, so a later amendment led to this number or a higher one. */
const gotAt = sql`(select max(step) from events as taken where taken.shipment_id = ${shipmentAmendments.shipmentId} and (taken.type in ('shipment.accepted', 'shipment.driver_changed') or taken.state = 'PICKED_UP' and taken.previous_state is null))`;
/** Null for a shipment that was never amended, as most are. Otherwise those since the driver got it, as JSON. */
export const amendmentsSince = sql`case when ${shipments.amendmentCount} > 0 then
  (select json_group_array(json_array(shipment_version, json(changes), coalesce(decided_at, requested_at), acknowledged_at)) from
    (select * from ${shipmentAmendments} where ${shipmentAmendments.shipmentId} = ${shipments.id} and ${shipmentAmendments.shipmentVersion} >= ${gotAt}
    order by ${shipmentAmendments.shipmentVersion})) end`.as('amendments');

const acknowledge = write(
  queries
    .update(shipmentAmendments)
    .set({ acknowledgedAt: sql`${placeholder('now')}` })
    .where(
      and(
        eq(shipmentAmendments.shipmentId, placeholder('shipmentId')),
        isNull(shipmentAmendments.acknowledgedAt),
        sql`${shipmentAmendments.shipmentVersion} between ${gotAt} and ${placeholder('version')}`,
        exists(
          queries
            .select({ one: sql`1` })
            .from(offers)
            .where(
              and(
                eq(offers.shipmentId, placeholder('shipmentId')),
                eq(offers.driverId, placeholder('driverId')),
                eq(offers.state, 'ACCEPTED'),
                isNull(offers.endedAt),
              ),
            ),
        ),
      ),
    ),
);
/** Notes that the driver who has the shipment has read its amendments up to a version. A repeat keeps the first instant. */
export function amendmentsAcknowledged(shipmentId: Uuid, driverId: Uuid, version: number, now: Instant) {
  return acknowledge({ shipmentId, driverId, version, now });
}
