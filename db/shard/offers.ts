import { and, eq, inArray, sql } from 'drizzle-orm';
import { offers } from './schema/dispatch.ts';

/** The offer by which the driver `driverId` sees the shipment `shipmentId`: it is with him, or was until its end. */
export const showsShipment = and(
  eq(offers.shipmentId, sql.placeholder('shipmentId')),
  eq(offers.driverId, sql.placeholder('driverId')),
  inArray(offers.state, ['OPEN', 'ACCEPTED', 'COMPLETED', 'CANCELLED']),
);
