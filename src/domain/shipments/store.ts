import { and, asc, desc, eq, gt, sql } from 'drizzle-orm';
import { branches, pickupLocations } from '../../../db/shard/schema/places.ts';
import { dispatches } from '../../../db/shard/schema/dispatch.ts';
import { companySettings } from '../../../db/shard/schema/companies.ts';
import { shipmentEvents, shipments } from '../../../db/shard/schema/shipments.ts';
import { columnsOf, queries, read, write } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { ShipmentState } from '../../contract/shipment-state.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Position } from '../page.ts';

/* The SQL of shipments. A statement on company data takes a CompanyScope. */

const place = sql.placeholder;
const shipmentColumns = columnsOf(shipments);

export type ShipmentRow = typeof shipments.$inferSelect;
export type ShipmentEventRow = typeof shipmentEvents.$inferSelect;

const ofCompany = eq(shipments.companyId, place('companyId'));

const selectShipment = read(shipmentColumns, (columns) =>
  queries.select(columns).from(shipments).where(and(eq(shipments.id, place('id')), ofCompany)),
);
/** One shipment of the company. */
export function shipmentById(scope: CompanyScope, id: Uuid) {
  return selectShipment({ companyId: scope.companyId, id });
}

export interface ShipmentFilter {
  readonly state?: ShipmentState | undefined;
  readonly externalReference?: string | undefined;
}

/** One statement for each combination of filters and position: an optional condition would cost the index. */
const selectPages = new Map(
  [false, true].flatMap((hasState) =>
    [false, true].flatMap((hasReference) =>
      [false, true].map((hasPosition) => [
        pageKey(hasState, hasReference, hasPosition),
        read(shipmentColumns, (columns) =>
          queries
            .select(columns)
            .from(shipments)
            .where(
              and(
                ofCompany,
                hasState ? eq(shipments.state, place('state')) : undefined,
                hasReference ? eq(shipments.externalReference, place('externalReference')) : undefined,
                hasPosition ? sql`(${shipments.createdAt}, ${shipments.id}) < (${place('createdAt')}, ${place('id')})` : undefined,
              ),
            )
            .orderBy(desc(shipments.createdAt), desc(shipments.id))
            .limit(place('limit')),
        ),
      ] as const),
    ),
  ),
);
function pageKey(hasState: boolean, hasReference: boolean, hasPosition: boolean): string {
  return `${hasState} ${hasReference} ${hasPosition}`;
}

/** Shipments of the company, newest first. */
export function shipmentPage(scope: CompanyScope, filter: ShipmentFilter, after: Position | undefined, limit: number) {
  const key = pageKey(filter.state !== undefined, filter.externalReference !== undefined, after !== undefined);
  const select = selectPages.get(key);
  if (select === undefined) throw new Error(`No statement for ${key}`);
  return select({
    companyId: scope.companyId,
    state: filter.state ?? null,
    externalReference: filter.externalReference ?? null,
    createdAt: after?.createdAt ?? null,
    id: after?.key ?? null,
    limit,
  });
}

const timelineColumns = {
  sequence: shipmentEvents.sequence,
  type: shipmentEvents.type,
  state: shipmentEvents.state,
  occurredAt: shipmentEvents.occurredAt,
  actor: shipmentEvents.actor,
  reasonCode: shipmentEvents.reasonCode,
  note: shipmentEvents.note,
};
export type TimelineRow = Pick<ShipmentEventRow, keyof typeof timelineColumns>;
const selectTimeline = read(timelineColumns, (columns) =>
  queries
    .select(columns)
    .from(shipmentEvents)
    .where(
      and(
        eq(shipmentEvents.shipmentId, place('shipmentId')),
        eq(shipmentEvents.companyId, place('companyId')),
        gt(shipmentEvents.sequence, place('after')),
      ),
    )
    .orderBy(asc(shipmentEvents.sequence))
    .limit(place('limit')),
);
/** Events of one shipment of the company, oldest first, behind sequence `after`. */
export function timelinePage(scope: CompanyScope, shipmentId: Uuid, after: number, limit: number) {
  return selectTimeline({ companyId: scope.companyId, shipmentId, after, limit });
}

// Creation. Columns must stand in the table's order: that is how INSERT … SELECT pairs them.
const insertedColumns = Object.fromEntries(
  Object.keys(shipmentColumns).map((name) => [name, sql`${place(name)}`.as(name)]),
) as Record<keyof ShipmentRow, ReturnType<ReturnType<typeof sql>['as']>>;
const insertShipment = write(
  queries.insert(shipments).select(
    queries
      .select({
        ...insertedColumns,
        dueAt: sql`case when coalesce(${companySettings.approvalPolicy}, 'AUTOMATIC') = 'AUTOMATIC' then ${place('dueAt')} end`.as('dueAt'),
      })
      .from(pickupLocations)
      .innerJoin(
        branches,
        and(eq(branches.companyId, pickupLocations.companyId), eq(branches.branchCode, pickupLocations.branchCode)),
      )
      .leftJoin(companySettings, eq(companySettings.companyId, pickupLocations.companyId))
      .where(
        and(
          eq(pickupLocations.companyId, place('companyId')),
          eq(pickupLocations.pickupLocationCode, place('pickupLocationCode')),
          eq(pickupLocations.branchCode, place('branchCode')),
          eq(pickupLocations.version, place('pickupLocationVersion')),
          eq(pickupLocations.status, 'ACTIVE'),
          eq(branches.status, 'ACTIVE'),
        ),
      ),
  ),
  { mustChange: true },
);
/**
 * Inserts a shipment if its branch and pickup location are the company's, belong together, are active, and the pickup
 * location is still of the version that the shipment copied. Touches no row otherwise, which refuses the unit.
 */
export function shipmentInsert(row: ShipmentRow, pickupLocationVersion: number) {
  return insertShipment({ ...row, pickupLocationVersion });
}

const insertEvent = write(
  queries.insert(shipmentEvents).values({
    shipmentId: place('shipmentId'),
    sequence: place('sequence'),
    id: place('id'),
    companyId: place('companyId'),
    type: place('type'),
    previousState: place('previousState'),
    state: place('state'),
    occurredAt: place('occurredAt'),
    actor: place('actor'),
    reasonCode: place('reasonCode'),
    note: place('note'),
    correlationId: place('correlationId'),
  }),
);
export function eventInsert(row: ShipmentEventRow) {
  return insertEvent({ ...row });
}

const selectEventAt = read({ id: shipmentEvents.id }, (columns) =>
  queries
    .select(columns)
    .from(shipmentEvents)
    .where(
      and(
        eq(shipmentEvents.shipmentId, place('shipmentId')),
        eq(shipmentEvents.sequence, place('sequence')),
        eq(shipmentEvents.companyId, place('companyId')),
      ),
    ),
);
/** The event at one step of a shipment, to learn whose it is. */
export function eventAt(scope: CompanyScope, shipmentId: Uuid, sequence: number) {
  return selectEventAt({ companyId: scope.companyId, shipmentId, sequence });
}

const existingColumns = { id: shipments.id, shipmentNumber: shipments.shipmentNumber };
const selectByReference = read(existingColumns, (columns) =>
  queries.select(columns).from(shipments).where(and(ofCompany, eq(shipments.externalReference, place('externalReference')))),
);
/** Who has this reference already. */
export function shipmentByReference(scope: CompanyScope, externalReference: string) {
  return selectByReference({ companyId: scope.companyId, externalReference });
}

const updateStanding = write(
  queries
    .update(shipments)
    .set({
      state: sql`${place('state')}`,
      version: sql`${place('nextVersion')}`,
      approvedAt: sql`${place('approvedAt')}`,
      // A shipment that a sandbox holds waits for its release, not for a driver.
      dueAt: sql`case when ${place('state')} = 'READY_FOR_DISPATCH' and exists (select 1 from ${dispatches} where ${dispatches.shipmentId} = ${shipments.id} and ${dispatches.held} = 1) then null else ${place('dueAt')} end`,
    })
    .where(and(eq(shipments.id, place('id')), ofCompany, eq(shipments.version, place('version')))),
  { mustChange: true },
);
export interface StandingUpdate {
  readonly companyId: Uuid;
  readonly id: Uuid;
  /** The version it must still have. */
  readonly version: number;
  readonly nextVersion: number;
  readonly state: ShipmentState;
  readonly approvedAt: Instant | null;
  readonly dueAt: Instant | null;
}
/** Moves a shipment on, if nobody else has since it was read; touches no row otherwise, which refuses the unit. */
export function standingUpdate(update: StandingUpdate) {
  return updateStanding({ ...update });
}
