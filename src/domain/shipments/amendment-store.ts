import { and, asc, eq, gt, ne, type SQL, sql } from 'drizzle-orm';
import { shipmentAmendments } from '../../../db/shard/schema/shipment-amendments.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { shipmentTerms } from '../../../db/shard/schema/terms.ts';
import { columnsOf, placeholder, placesOf, queries, read, variants, write } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { ShipmentState } from '../../contract/shipment-state.ts';
import type { Instant } from '../../core/instant.ts';
import { AMENDMENTS_MAX } from '../../core/limits.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { DrivingRoute } from '../../ports/routing.ts';
import { isGateClosed } from '../addresses/gate-store.ts';
import { AMENDABLE, type AmendableColumns } from './amendment-values.ts';
import type { ShipmentRow } from './store.ts';

/* The SQL of amendments. */

export type AmendmentRow = typeof shipmentAmendments.$inferSelect;

const selectPage = read({ ...columnsOf(shipmentAmendments), shipmentState: shipments.state }, (columns) =>
  queries
    .select(columns)
    .from(shipmentAmendments)
    .innerJoin(shipments, eq(shipments.id, shipmentAmendments.shipmentId))
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
/** An amendment with the state of its shipment, which can end the wait for the company. */
export type ReadAmendment = AmendmentRow & { readonly shipmentState: ShipmentState };
/** Amendments of a shipment of the company after a number, oldest first. */
export function amendmentPage(scope: CompanyScope, shipmentId: Uuid, after: number, limit: number) {
  return selectPage({ companyId: scope.companyId, shipmentId, after, limit });
}

const AMENDED = Object.fromEntries(AMENDABLE.map((name) => [name, sql`${placeholder(name)}`])) as Record<
  keyof AmendableColumns,
  SQL
>;
const searchAfter = sql`(${shipments.searchFrom} + ${placeholder('shift')})`;
/** The search has not begun, or it is put off. */
const isSearchMoved = sql`${shipments.state} = 'READY_FOR_DISPATCH' and ${shipments.searchFrom} is not null and max(${shipments.searchFrom}, ${searchAfter}) > ${placeholder('now')}`;
const movedTo = sql`max(${placeholder('now')}, ${searchAfter})`;
/** Null stays: the shipment is held. Behind a closed gate the end of the wait for an address is due, whatever the window. */
const moved = (column: typeof shipments.dueAt | typeof shipments.readySince | typeof shipments.searchSince) =>
  sql`case when ${column} is not null and not (${isGateClosed}) and ${isSearchMoved} then ${movedTo} else ${column} end`;
/** A search begins as long before the new pickup window as it would have begun before the old one. */
const SEARCH = {
  searchFrom: searchAfter,
  dueAt: moved(shipments.dueAt),
  readySince: moved(shipments.readySince),
  searchSince: moved(shipments.searchSince),
};

const isCountable = sql`${placeholder('amendmentCount')} <= ${sql.raw(String(AMENDMENTS_MAX))}`;
/** Another window is asked for again. The status of the same one may have changed since the amendment was planned. */
const statusAfter = sql`case when ${placeholder('deliveryWindowStart')} is ${shipments.deliveryWindowStart} then ${shipments.windowStatus}
  when ${placeholder('deliveryWindowStart')} is not null then 'ASKED' end`;

const updateShipment = variants((movesWindow: boolean) =>
  write(
    queries
      .update(shipments)
      .set({
        version: sql`${shipments.version} + 1`,
        eventCount: sql`${shipments.eventCount} + 1`,
        amendmentCount: sql`${placeholder('amendmentCount')}`,
        ...AMENDED,
        windowStatus: statusAfter,
        ...(movesWindow ? SEARCH : {}),
      })
      .where(
        and(
          eq(shipments.id, placeholder('id')),
          eq(shipments.companyId, placeholder('companyId')),
          eq(shipments.version, placeholder('version')),
          // A request that waits for the company is counted without a new version.
          eq(shipments.amendmentCount, placeholder('countBefore')),
          isCountable,
        ),
      ),
    { mustChange: true },
  ),
);
interface AmendedColumns extends AmendableColumns {
  readonly id: Uuid;
  readonly companyId: Uuid;
  /** The version that the row must still have. */
  readonly version: number;
  /** How many amendments it must have, and how many it has then. */
  readonly countBefore: number;
  readonly amendmentCount: number;
}
/**
 * Writes the amended columns and increases version and sequence. What is due stays due, unless `window` moves the pickup
 * window by so many microseconds. Refuses the unit if the version has changed.
 */
export function shipmentAmended(
  columns: AmendedColumns,
  window: { readonly shift: bigint; readonly now: Instant } | undefined,
) {
  return updateShipment(window !== undefined)({ ...columns, ...window });
}

const insertAmendment = write(queries.insert(shipmentAmendments).values(placesOf(shipmentAmendments)));
export function amendmentInsert(row: AmendmentRow) {
  return insertAmendment({ ...row });
}

const countWaiting = write(
  queries
    .update(shipments)
    .set({ amendmentCount: sql`${placeholder('amendmentCount')}` })
    .where(
      and(
        eq(shipments.id, placeholder('id')),
        eq(shipments.companyId, placeholder('companyId')),
        eq(shipments.version, placeholder('version')),
        sql`${shipments.amendmentCount} = ${placeholder('amendmentCount')} - 1`,
        isCountable,
      ),
    ),
  { mustChange: true },
);
/** Counts a request that waits for the company. Refuses the unit if the shipment has changed or another amendment was counted. */
export function waitingCounted({ id, companyId, version, amendmentCount }: ShipmentRow) {
  return countWaiting({ id, companyId, version, amendmentCount: amendmentCount + 1 });
}

const isWaiting = and(
  eq(shipmentAmendments.shipmentId, placeholder('id')),
  eq(shipmentAmendments.companyId, placeholder('companyId')),
  eq(shipmentAmendments.state, 'AWAITING_MERCHANT'),
);
const isSeen = and(
  isWaiting,
  eq(shipmentAmendments.number, placeholder('number')),
  eq(shipmentAmendments.version, placeholder('version')),
);
const nextVersion = sql`${shipmentAmendments.version} + 1`;
interface Amended {
  readonly id: Uuid;
  readonly companyId: Uuid;
}

const applyWaiting = write(
  queries
    .update(shipmentAmendments)
    .set({
      state: 'APPLIED',
      changes: sql`${placeholder('changes')}`,
      before: sql`${placeholder('before')}`,
      after: sql`${placeholder('after')}`,
      amount: sql`${placeholder('amount')}`,
      vatAmount: sql`${placeholder('vatAmount')}`,
      shipmentVersion: sql`${placeholder('shipmentVersion')}`,
      decidedAt: sql`${placeholder('decidedAt')}`,
      version: nextVersion,
    })
    .where(isSeen),
  { mustChange: true },
);
/** A request that the company has accepted, as it was applied. Refuses the unit if it no longer waits. */
export function waitingApplied(
  { id, companyId }: Amended,
  { number, version }: { readonly number: number; readonly version: number },
  applied: Pick<
    AmendmentRow,
    'changes' | 'before' | 'after' | 'amount' | 'vatAmount' | 'shipmentVersion' | 'decidedAt'
  >,
) {
  return applyWaiting({ id, companyId, number, version, ...applied });
}

const rejectWaiting = write(
  queries
    .update(shipmentAmendments)
    .set({ state: 'REJECTED', decidedAt: sql`${placeholder('decidedAt')}`, version: nextVersion })
    .where(
      and(
        isSeen,
        sql`exists (select 1 from ${shipments} where ${shipments.id} = ${placeholder('id')} and ${shipments.version} = ${placeholder('current')})`,
      ),
    ),
  { mustChange: true },
);
/** A request that the company has rejected. Refuses the unit if it no longer waits, or if the shipment has changed. */
export function waitingRejected(
  { id, companyId, version: current }: ShipmentRow,
  { number, version }: AmendmentRow,
  decidedAt: Instant,
) {
  return rejectWaiting({ id, companyId, current, number, version, decidedAt });
}

const replaceWaiting = write(
  queries
    .update(shipmentAmendments)
    .set({ state: 'EXPIRED', version: nextVersion })
    .where(and(isWaiting, ne(shipmentAmendments.number, placeholder('number')))),
);
/** Expires the waiting requests but this one, because the address has changed or another request asks for a new one. */
export function waitingReplaced({ id, companyId }: Amended, number: number) {
  return replaceWaiting({ id, companyId, number });
}

const updateRoute = write(
  queries
    .update(shipmentTerms)
    .set({
      durationSeconds: sql`${placeholder('durationSeconds')}`,
      geometry: sql`${placeholder('geometry')}`,
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
