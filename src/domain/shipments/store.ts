import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import { companySettings } from '../../../db/shard/schema/companies.ts';
import { branches, pickupLocations } from '../../../db/shard/schema/places.ts';
import { sandboxes } from '../../../db/shard/schema/sandbox.ts';
import { DISPATCH_COLUMNS, idempotencyRecords, shipments, stageOf } from '../../../db/shard/schema/shipments.ts';
import { shipmentTerms } from '../../../db/shard/schema/terms.ts';
import { check, columnsBut, placeholder, placesOf, queries, read, variants, writeRow } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { AddressGate, AddressPolicy } from '../../contract/address-state.ts';
import type { ShipmentState } from '../../contract/shipment-state.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import { addressWaitEnd, isGateClosed } from '../addresses/gate-store.ts';
import { isNotApproved } from '../companies/store.ts';
import type { Position } from '../page.ts';

/*
 * The SQL of shipments. A statement on company data takes a CompanyScope.
 */

export const shipmentColumns = columnsBut(shipments, ['stage', ...DISPATCH_COLUMNS]);

type WholeRow = typeof shipments.$inferSelect;
export type ShipmentRow = Omit<WholeRow, 'stage' | (typeof DISPATCH_COLUMNS)[number]>;
/** What dispatch needs to know of a new shipment. */
export type DispatchBasis = Pick<WholeRow, 'serviceLevelCode' | 'pickupCityCode' | 'lengthCentimetres'>;

const ofCompany = eq(shipments.companyId, placeholder('companyId'));

const selectShipment = read(shipmentColumns, (columns) =>
  queries
    .select(columns)
    .from(shipments)
    .where(and(eq(shipments.id, placeholder('id')), ofCompany)),
);
/** One shipment of the company. */
export function shipmentById(scope: CompanyScope, id: Uuid) {
  return selectShipment({ companyId: scope.companyId, id });
}

interface ShipmentFilter {
  readonly state?: ShipmentState | undefined;
  readonly externalReference?: string | undefined;
}

const isAfter = sql`(${shipments.createdAt}, ${shipments.id}) < (${placeholder('createdAt')}, ${placeholder('id')})`;

const selectPage = variants((hasState: boolean, hasReference: boolean, hasPosition: boolean) => {
  const isWanted = and(
    ofCompany,
    hasState ? and(eq(shipments.stage, placeholder('stage')), eq(shipments.state, placeholder('state'))) : undefined,
    hasReference ? eq(shipments.externalReference, placeholder('externalReference')) : undefined,
    hasPosition ? isAfter : undefined,
  );
  const newestFirst = [desc(shipments.createdAt), desc(shipments.id)];
  return read(shipmentColumns, (columns) =>
    queries
      .select(columns)
      .from(shipments)
      .where(isWanted)
      .orderBy(...newestFirst)
      .limit(placeholder('limit')),
  );
});

/** Shipments of the company, newest first. */
export function shipmentPage(scope: CompanyScope, filter: ShipmentFilter, after: Position | undefined, limit: number) {
  const { state, externalReference } = filter;
  const select = selectPage(state !== undefined, externalReference !== undefined, after !== undefined);
  return select({
    companyId: scope.companyId,
    state: state ?? null,
    stage: state === undefined ? null : stageOf(state),
    externalReference: externalReference ?? null,
    createdAt: after?.createdAt ?? null,
    id: after?.key ?? null,
    limit,
  });
}

const addressPolicy = sql`(select ${companySettings.addressPolicy} from ${companySettings} where ${companySettings.companyId} = ${placeholder('companyId')})`;
const policy = sql`(select ${companySettings.approvalPolicy} from ${companySettings} where ${companySettings.companyId} = ${placeholder('companyId')})`;
/** A company's sandbox may set its own lead. Not on production, which has no sandboxes. */
const sandboxLead = sql`(select ${sandboxes.leadSeconds} from ${sandboxes} where ${sandboxes.companyId} = ${placeholder('companyId')})`;
const insertShipment = writeRow(
  queries.insert(shipments).values({
    ...placesOf(shipments),
    // If the policy is MANUAL, the service does not approve by itself.
    dueAt: sql`case when coalesce(${policy}, 'AUTOMATIC') = 'AUTOMATIC' then ${placeholder('dueAt')} end`,
    searchFrom: sql`coalesce(${placeholder('pickupWindowStart')} - 1000000 * ${sandboxLead}, ${placeholder('searchFrom')})`,
    held: sql`0`,
    addressGate: sql`coalesce(nullif(coalesce(${addressPolicy}, ${placeholder('addressPolicy')}), 'REQUIRED'), ${placeholder('gateIfRequired')})`,
    place: null,
    instructions: null,
    deliveryWindowStart: null,
    deliveryWindowEnd: null,
    windowStatus: null,
    amendmentCount: sql`0`,
    readySince: null,
    searchSince: null,
    searchOffers: sql`0`,
    driverId: null,
    lastRefusedDriverId: null,
    endedAt: null,
    forgottenAt: null,
  }),
);
/** The policy on National Addresses of a company that has none of its own, and the gate of the shipment if it is REQUIRED. */
export interface AddressTerms {
  readonly addressPolicy: AddressPolicy;
  readonly gateIfRequired: AddressGate;
}
export function shipmentInsert(row: ShipmentRow & DispatchBasis & AddressTerms) {
  return insertShipment({ ...row, stage: stageOf(row.state) });
}

const checkPlaces = check(
  sql`exists (select 1 from ${pickupLocations} inner join ${branches} on ${and(
    eq(branches.companyId, pickupLocations.companyId),
    eq(branches.branchCode, pickupLocations.branchCode),
  )} where ${and(
    eq(pickupLocations.companyId, placeholder('companyId')),
    eq(pickupLocations.pickupLocationCode, placeholder('pickupLocationCode')),
    eq(pickupLocations.branchCode, placeholder('branchCode')),
    eq(pickupLocations.version, placeholder('version')),
    eq(pickupLocations.status, 'ACTIVE'),
    eq(branches.status, 'ACTIVE'),
  )}) and not exists (select 1 from ${companySettings} where ${and(
    eq(companySettings.companyId, placeholder('companyId')),
    isNotApproved,
  )})`,
);
/**
 * Refuses the unit unless branch and pickup location are the company's, belong together, are active, and the pickup
 * location still has the version that the shipment copied. Also unless the company is approved: in the same statement,
 * because creations are frequent.
 */
export function placesAsCopied({ companyId, branchCode, pickupLocationCode }: ShipmentRow, version: number) {
  return checkPlaces({ companyId, branchCode, pickupLocationCode, version });
}

const existingColumns = { id: shipments.id, shipmentNumber: shipments.shipmentNumber };
const selectByReference = read(existingColumns, (columns) =>
  queries
    .select(columns)
    .from(shipments)
    .where(and(ofCompany, eq(shipments.externalReference, placeholder('externalReference')))),
);
/** The shipment that already has this reference. */
export function shipmentByReference(scope: CompanyScope, externalReference: string) {
  return selectByReference({ companyId: scope.companyId, externalReference });
}

/** The claim of a unit on the reference that it gives to a shipment: see `claims` in db/writer.ts. */
export function referenceClaim(scope: CompanyScope, externalReference: string): string {
  return JSON.stringify(['reference', scope.companyId, externalReference]);
}

const nth = (element: number) => sql.raw(`claim.value ->> ${element}`);
const isKeyTaken = sql`exists (select 1 from ${idempotencyRecords} where ${idempotencyRecords.companyId} = ${nth(1)} and ${idempotencyRecords.clientId} = ${nth(2)} and ${idempotencyRecords.operation} = ${nth(3)} and ${idempotencyRecords.key} = ${nth(4)})`;
const isReferenceTaken = sql`exists (select 1 from ${shipments} where ${shipments.companyId} = ${nth(1)} and ${shipments.externalReference} = ${nth(2)})`;
const isLockTaken = sql`exists (select 1 from ${shipmentTerms} where ${shipmentTerms.companyId} = ${nth(1)} and ${shipmentTerms.lockId} = ${nth(2)})`;
// The column only says that a claim is text.
const selectTaken = read({ claim: idempotencyRecords.key }, () =>
  queries
    .select({ claim: sql`claim.value`.as('claim') })
    .from(sql`json_each(${placeholder('claims')}) as claim`)
    .where(
      sql`case ${nth(0)} when 'reference' then ${isReferenceTaken} when 'lock' then ${isLockTaken} else ${isKeyTaken} end`,
    ),
);
/** Those of these claims on keys, references and price locks that rows have. */
export function takenClaims(claims: readonly string[]) {
  return selectTaken({ claims: JSON.stringify(claims) });
}

/** Whether the parcel is at the door within its agreed window. Too early is missed, too: nobody waits for it yet. */
export function windowResult(at: SQL): SQL {
  return sql`iif(${at} between ${shipments.deliveryWindowStart} and ${shipments.deliveryWindowEnd}, 'MET', 'MISSED')`;
}

const given = sql`moved.column9`;
const since = sql`moved.column10`;
/** Behind a closed gate nothing waits for a driver. */
const sinceIfOpen = sql`case when ${isGateClosed} then null else ${since} end`;
const isReadyAnd = (condition: SQL) => sql`moved.column4 = 'READY_FOR_DISPATCH' and ${condition}`;
/** What some transitions change besides the state, and the condition without which the unit is refused. */
const CHANGES = {
  /** Offers it to a driver, who may have declined since the offer was planned. A shipment is with one driver at a time. */
  offer: {
    set: { driverId: given, searchOffers: sql`${shipments.searchOffers} + 1` },
    where: sql`${shipments.driverId} is null and ${shipments.lastRefusedDriverId} is not ${given} and ${shipments.addressGate} <> 'CLOSED'`,
  },
  /** Gives it from its driver to another one. */
  takeOver: {
    set: { driverId: given, lastRefusedDriverId: sql`${shipments.driverId}` },
    where: sql`${shipments.driverId} <> ${given}`,
  },
  /** Takes it from its driver, who gets no offer of it next. */
  refuse: { set: { driverId: sql`null`, lastRefusedDriverId: sql`${shipments.driverId}` } },
  /** Takes it from its driver. */
  withdraw: { set: { driverId: sql`null` } },
  /** Lets it wait for a driver in the same search. */
  wait: { set: { readySince: sinceIfOpen } },
  /** Begins a new search. */
  search: { set: { readySince: sinceIfOpen, searchSince: since, searchOffers: sql`0` } },
  /** Ends the wait for a driver. */
  endWait: { set: { readySince: sql`null` } },
  /** The same for a shipment that has waited for its National Address, which may just have come. */
  endAddressWait: { set: { readySince: sql`null` }, where: isGateClosed },
  /** Changes the service level; null if none can carry it. */
  level: { set: { serviceLevelCode: sql`moved.column11` } },
  end: { set: { endedAt: sql`moved.column8` } },
  /** A driver who accepts agrees to the delivery window, and without that driver it is asked for again. */
  window: {
    set: {
      windowStatus: sql`case moved.column4 when 'ACCEPTED' then 'AGREED' when 'READY_FOR_DISPATCH' then 'ASKED' when 'DISPATCH_UNRESOLVED' then 'ASKED' else
        iif(moved.column4 = 'DELIVERED' and ${shipments.windowStatus} = 'AGREED', ${windowResult(sql`moved.column13`)}, ${shipments.windowStatus}) end`,
    },
  },
  /** Moves it to the part of the index of lists that its new state is in. */
  stage: { set: { stage: sql`moved.column12` } },
} as const satisfies Readonly<Record<string, { set: RowChanges; where?: SQL }>>;
type RowChanges = Partial<Record<keyof WholeRow, SQL>>;
type Change = keyof typeof CHANGES;
export type DispatchChange = Exclude<Change, 'stage'>;

const updateStanding = variants((...names: readonly Change[]) => {
  const changes = names.map((name): { set: RowChanges; where?: SQL } => CHANGES[name]);
  const set: RowChanges = {};
  for (const change of changes) Object.assign(set, change.set);
  return writeRow(
    queries
      .update(shipments)
      .set({
        state: sql`moved.column4`,
        version: sql`moved.column5`,
        approvedAt: sql`moved.column6`,
        eventCount: sql`${shipments.eventCount} + 1`,
        // A shipment that a sandbox holds waits for its release, not for a driver. One that no service level can carry need
        // not wait for its search to begin.
        dueAt: sql`case when ${isReadyAnd(sql`${shipments.held} = 1`)} then null
        when ${isReadyAnd(sql`${shipments.serviceLevelCode} is null`)} then moved.column8
        when ${isReadyAnd(isGateClosed)} then ${addressWaitEnd(sql`moved.column8`)} else moved.column7 end`,
        ...set,
      })
      .from(
        sql`(values (${placeholder('id')}, ${placeholder('companyId')}, ${placeholder('version')}, ${placeholder('state')}, ${placeholder('nextVersion')}, ${placeholder('approvedAt')}, ${placeholder('dueAt')}, ${placeholder('now')}, ${placeholder('driverId')}, ${placeholder('searchFrom')}, ${placeholder('serviceLevelCode')}, ${placeholder('stage')}, ${placeholder('takenAt')})) as moved`,
      )
      .where(
        and(
          sql`${shipments.id} = moved.column1 and ${shipments.companyId} = moved.column2 and ${shipments.version} = moved.column3`,
          ...changes.map(({ where }) => where),
        ),
      ),
    { mustChange: true },
  );
});
export interface ShipmentUpdate {
  readonly companyId: Uuid;
  readonly id: Uuid;
  /** The version that the row must still have. */
  readonly version: number;
  readonly nextVersion: number;
  readonly previousState: ShipmentState;
  readonly state: ShipmentState;
  readonly approvedAt: Instant | null;
  readonly dueAt: Instant | null;
  readonly now: Instant;
  /** When the driver did it, which decides whether a delivery keeps its window. */
  readonly takenAt: Instant;
  /** When the wait or search that the transition begins starts. */
  readonly searchFrom: Instant;
  /** The driver who gets it. */
  readonly driverId: Uuid | null;
  readonly serviceLevelCode: string | null;
}
/**
 * Writes the new state and what else changes, and increases the sequence. If the version has changed since it was read, or a
 * condition of a change is false, the statement changes no row, which refuses the unit.
 */
export function shipmentUpdate(update: ShipmentUpdate, changes: readonly DispatchChange[]) {
  const stage = stageOf(update.state);
  const all: readonly Change[] = stage === stageOf(update.previousState) ? changes : [...changes, 'stage'];
  return updateStanding(...all)({ ...update, stage });
}

/** When the shipment entered its state. Events that leave the state as it is do not count, such as a change of the driver. */
export function stateChangedAt(shipmentId: SQL): SQL {
  return sql`(select max(occurred_at) from shipment_events where shipment_id = ${shipmentId} and previous_state is not state)`;
}

/** How many drivers were asked. One who takes over is not asked: that offer expires as it begins. */
export function offersMade(shipmentId: SQL): SQL {
  return sql`(select count(*) from offers where shipment_id = ${shipmentId} and expires_at > offered_at)`;
}
