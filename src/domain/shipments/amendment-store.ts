import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { shipmentAmendments } from '../../../db/shard/schema/shipment-amendments.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { shipmentTerms } from '../../../db/shard/schema/terms.ts';
import { columnsOf, placeholder, placesOf, queries, read, variants, write } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { DrivingRoute } from '../../ports/routing.ts';
import { isGateClosed } from '../addresses/gate-store.ts';
import type { AmendableColumns } from './amendment-values.ts';

/* The SQL of amendments. */

export type AmendmentRow = typeof shipmentAmendments.$inferSelect;

const selectPage = read(columnsOf(shipmentAmendments), (columns) =>
  queries
    .select(columns)
    .from(shipmentAmendments)
    .where(
      and(
        eq(shipmentAmendments.shipmentId, placeholder('shipmentId')),
        eq(shipmentAmendments.companyId, placeholder('companyId')),
        gt(shipmentAmendments.number, placeholder('after')),
      ),
    )
    .orderBy(asc(shipmentAmendments.number))
    .limit(placeholder('limit')),
);
/** Amendments of a shipment of the company after a number, oldest first. */
export function amendmentPage(scope: CompanyScope, shipmentId: Uuid, after: number, limit: number) {
  return selectPage({ companyId: scope.companyId, shipmentId, after, limit });
}

const place = (name: string) => sql`${placeholder(name)}`;
const searchAfter = sql`(${shipments.searchFrom} + ${placeholder('shift')})`;
/** The search has not begun, or it is put off. */
const isSearchMoved = sql`${shipments.state} = 'READY_FOR_DISPATCH' and ${shipments.searchFrom} is not null and max(${shipments.searchFrom}, ${searchAfter}) > ${placeholder('now')}`;
const movedTo = sql`max(${placeholder('now')}, ${searchAfter})`;
/** Keeps null, which stands for a shipment that is held. */
/** Behind a closed gate the end of the wait for an address is due, whatever the window. */
const moved = (column: typeof shipments.dueAt | typeof shipments.readySince | typeof shipments.searchSince) =>
  sql`case when ${column} is not null and not (${isGateClosed}) and ${isSearchMoved} then ${movedTo} else ${column} end`;
/** A search begins as long before the new pickup window as it would have begun before the old one. */
const SEARCH = {
  searchFrom: searchAfter,
  dueAt: moved(shipments.dueAt),
  readySince: moved(shipments.readySince),
  searchSince: moved(shipments.searchSince),
};

const updateShipment = variants((movesWindow: boolean) =>
  write(
    queries
      .update(shipments)
      .set({
        version: sql`${shipments.version} + 1`,
        eventCount: sql`${shipments.eventCount} + 1`,
        amendmentCount: sql`${shipments.amendmentCount} + 1`,
        destination: place('destination'),
        recipientName: place('recipientName'),
        recipientFoldedName: place('recipientFoldedName'),
        recipientPhone: place('recipientPhone'),
        alternateContactName: place('alternateContactName'),
        alternateContactPhone: place('alternateContactPhone'),
        pickupWindowStart: place('pickupWindowStart'),
        pickupWindowEnd: place('pickupWindowEnd'),
        codAmount: place('codAmount'),
        place: place('place'),
        instructions: place('instructions'),
        ...(movesWindow ? SEARCH : {}),
      })
      .where(
        and(
          eq(shipments.id, placeholder('id')),
          eq(shipments.companyId, placeholder('companyId')),
          eq(shipments.version, placeholder('version')),
        ),
      ),
    { mustChange: true },
  ),
);
interface AmendedShipment extends AmendableColumns {
  readonly id: Uuid;
  readonly companyId: Uuid;
  /** The version that the row must still have. */
  readonly version: number;
}
/**
 * Writes the amended columns and increases version and sequence. What is due stays due, unless `window` moves the pickup
 * window by so many microseconds. Refuses the unit if the version has changed.
 */
export function shipmentAmended(
  columns: AmendedShipment,
  window: { readonly shift: bigint; readonly now: Instant } | undefined,
) {
  return updateShipment(window !== undefined)({ ...columns, ...window });
}

const insertAmendment = write(queries.insert(shipmentAmendments).values(placesOf(shipmentAmendments)));
export function amendmentInsert(row: AmendmentRow) {
  return insertAmendment({ ...row });
}

const updateRoute = write(
  queries
    .update(shipmentTerms)
    .set({
      durationSeconds: place('durationSeconds'),
      geometry: place('geometry'),
      pricedDistanceMeters: sql`coalesce(${placeholder('pricedDistanceMeters')}, ${shipmentTerms.pricedDistanceMeters})`,
    })
    .where(
      and(
        eq(shipmentTerms.shipmentId, placeholder('shipmentId')),
        eq(shipmentTerms.companyId, placeholder('companyId')),
      ),
    ),
  { mustChange: true },
);
/** Lets the route follow the destination. A distance that was not priced leaves that of the charges as it is. */
export function routeFollows(
  shipment: { readonly id: Uuid; readonly companyId: Uuid },
  { durationSeconds, geometry }: DrivingRoute,
  pricedDistanceMeters: number | null,
) {
  const { id: shipmentId, companyId } = shipment;
  return updateRoute({ shipmentId, companyId, durationSeconds, geometry, pricedDistanceMeters });
}
