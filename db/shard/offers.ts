import { and, eq, inArray, sql } from 'drizzle-orm';
import { offers } from './schema/dispatch.ts';

/**
 * The offer that lets the driver `driverId` see the shipment `shipmentId`: the driver has the shipment, or had it until
 * its end.
 */
export const showsShipment = and(
  eq(offers.shipmentId, sql.placeholder('shipmentId')),
  eq(offers.driverId, sql.placeholder('driverId')),
  inArray(offers.state, ['OPEN', 'ACCEPTED', 'COMPLETED', 'CANCELLED']),
);
