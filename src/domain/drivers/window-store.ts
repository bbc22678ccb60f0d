import { and, eq, sql } from 'drizzle-orm';
import { offers } from '../../../db/shard/schema/dispatch.ts';
import { shipmentAmendments } from '../../../db/shard/schema/shipment-amendments.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { placeholder, queries, write } from '../../../db/statement.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import { type ShipmentRow, windowResult } from '../shipments/store.ts';

/* The SQL of delivery windows as drivers agree to them and reach the door. Transitions of the shipment do the rest. */

const isWithDriver = and(
  eq(shipments.id, placeholder('shipmentId')),
  eq(shipments.driverId, placeholder('driverId')),
  sql`exists (select 1 from ${offers} where ${offers.shipmentId} = ${shipments.id} and ${offers.driverId} = ${placeholder('driverId')}
    and ${offers.state} = 'ACCEPTED' and ${offers.endedAt} is null and ${offers.doorArrival} is null)`,
);

const agree = write(
  queries
    .update(shipments)
    .set({ windowStatus: sql`'AGREED'` })
    .where(
      and(
        isWithDriver,
        eq(shipments.version, placeholder('current')),
        eq(shipments.windowStatus, 'ASKED'),
        sql`not exists (select 1 from ${shipmentAmendments} where ${shipmentAmendments.shipmentId} = ${shipments.id}
          and ${shipmentAmendments.shipmentVersion} > ${placeholder('seen')} and ${shipmentAmendments.changes} like '%"DELIVERY_WINDOW"%')`,
      ),
    ),
  { mustChange: true },
);
/**
 * The driver agrees to the window of the version `seen`. Refuses the unit if the window is not ASKED, if a later version asks for another
 * one, if the driver has arrived at the door, or if the shipment has changed since the row was read.
 */
export function windowAgreed({ id, version }: Pick<ShipmentRow, 'id' | 'version'>, driverId: Uuid, seen: number) {
  return agree({ shipmentId: id, current: version, driverId, seen });
}

const reach = write(
  queries
    .update(shipments)
    .set({ windowStatus: windowResult(sql`${placeholder('now')}`) })
    .where(and(isWithDriver, eq(shipments.windowStatus, 'AGREED'), eq(shipments.state, 'OUT_FOR_DELIVERY'))),
);
/** The driver is at the door for the first time. To be written before that arrival. */
export function windowReached(shipmentId: Uuid, driverId: Uuid, now: Instant) {
  return reach({ shipmentId, driverId, now });
}
