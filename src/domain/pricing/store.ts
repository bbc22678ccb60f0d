import { and, asc, desc, eq, gt, gte, lt, lte, sql } from 'drizzle-orm';
import { tariffs } from '../../../db/directory/schema/tariffs.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { laterCharges, shipmentTerms } from '../../../db/shard/schema/terms.ts';
import { columnsOf, placeholder, placesOf, queries, read, write, writeRow } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';

/* The SQL of prices: tariffs in the directory, the terms and charges of shipments in their shard. */

export type TariffRow = typeof tariffs.$inferSelect;
export type TermsRow = typeof shipmentTerms.$inferSelect;

const selectTariffs = read(columnsOf(tariffs), (columns) =>
  queries.select(columns).from(tariffs).orderBy(asc(tariffs.version)),
);
/** All versions. There are a few a year. */
export function allTariffs() {
  return selectTariffs({});
}

const selectInForce = read({ version: tariffs.version }, (columns) =>
  queries
    .select(columns)
    .from(tariffs)
    .where(lte(tariffs.effectiveFrom, placeholder('now')))
    .limit(1),
);
/** A row if a tariff is in force. */
export function tariffInForce(now: Instant) {
  return selectInForce({ now });
}

const insertTariff = write(queries.insert(tariffs).values(placesOf(tariffs)));
/** Inserts a new version. If another program published this version at the same time, the unit is refused. */
export function tariffInsert(row: TariffRow) {
  return insertTariff({ ...row });
}

const deleteTariff = write(
  queries
    .delete(tariffs)
    .where(and(eq(tariffs.version, placeholder('version')), gt(tariffs.effectiveFrom, placeholder('after')))),
  { mustChange: true },
);
/** Deletes a version that begins after an instant. The unit is refused if no such version exists. */
export function tariffDelete(version: number, after: Instant) {
  return deleteTariff({ version, after });
}

const { lockId: _lockId, lockedAt: _lockedAt, lockExpiresAt: _lockExpiresAt, ...places } = placesOf(shipmentTerms);
/** Most shipments have no price lock, so their statement does not bind one. */
const insertTerms = writeRow(queries.insert(shipmentTerms).values(places));
const insertLockedTerms = writeRow(queries.insert(shipmentTerms).values(placesOf(shipmentTerms)));
/** Refuses the unit if another shipment has the price lock. */
export function termsInsert(row: TermsRow) {
  return row.lockId === null ? insertTerms({ ...row }) : insertLockedTerms({ ...row });
}

const lockUserColumns = { id: shipments.id, shipmentNumber: shipments.shipmentNumber };
const selectLockUser = read(lockUserColumns, (columns) =>
  queries
    .select(columns)
    .from(shipmentTerms)
    .innerJoin(shipments, eq(shipments.id, shipmentTerms.shipmentId))
    .where(and(eq(shipmentTerms.companyId, placeholder('companyId')), eq(shipmentTerms.lockId, placeholder('lockId')))),
);
/** The shipment that was created with this price lock. */
export function shipmentByLock(scope: CompanyScope, lockId: Uuid) {
  return selectLockUser({ companyId: scope.companyId, lockId });
}

/** The claim of a unit on the price lock that it uses: see `claims` in db/writer.ts. */
export function lockClaim(scope: CompanyScope, lockId: Uuid): string {
  return JSON.stringify(['lock', scope.companyId, lockId]);
}

const pricedColumns = {
  shipmentId: shipmentTerms.shipmentId,
  companyId: shipmentTerms.companyId,
  shipmentNumber: shipments.shipmentNumber,
  cityCode: shipments.shipmentNumber,
  lines: shipmentTerms.lines,
  distanceMeters: shipmentTerms.distanceMeters,
};
const selectPriced = read(pricedColumns, (columns) =>
  queries
    .select({ ...columns, cityCode: sql`json_extract(${shipments.destination}, '$.cityCode')`.as('city_code') })
    .from(shipmentTerms)
    .innerJoin(shipments, eq(shipments.id, shipmentTerms.shipmentId))
    .where(
      and(
        lt(shipmentTerms.shipmentId, placeholder('before')),
        gte(shipmentTerms.shipmentId, placeholder('oldest')),
        gte(shipmentTerms.createdAt, placeholder('from')),
      ),
    )
    .orderBy(desc(shipmentTerms.shipmentId))
    .limit(placeholder('limit')),
);
export type PricedRow = ReturnType<ReturnType<typeof selectPriced>['decode']>;
/**
 * Shipments with their frozen price since an instant, newest first, of all companies of a shard. Their ids begin with the
 * time of creation, so the primary key serves as the index.
 */
export function pricedPage(since: { readonly from: Instant; readonly oldest: string }, before: string, limit: number) {
  return selectPriced({ ...since, before, limit });
}

const ofShipment = { shipmentId: placeholder('shipmentId'), companyId: placeholder('companyId') };
const selectTerms = read(columnsOf(shipmentTerms), (columns) =>
  queries
    .select(columns)
    .from(shipmentTerms)
    .where(and(eq(shipmentTerms.shipmentId, ofShipment.shipmentId), eq(shipmentTerms.companyId, ofShipment.companyId))),
);
export function termsOf(scope: CompanyScope, shipmentId: Uuid) {
  return selectTerms({ companyId: scope.companyId, shipmentId });
}

const selectLaterCharges = read(columnsOf(laterCharges), (columns) =>
  queries
    .select(columns)
    .from(laterCharges)
    .where(and(eq(laterCharges.shipmentId, ofShipment.shipmentId), eq(laterCharges.companyId, ofShipment.companyId)))
    .orderBy(asc(laterCharges.number)),
);
/** Charges after creation, in order. */
export function laterChargesOf(scope: CompanyScope, shipmentId: Uuid) {
  return selectLaterCharges({ companyId: scope.companyId, shipmentId });
}

const insertReversal = writeRow(
  queries.insert(laterCharges).select(
    sql`select ${shipmentTerms.shipmentId}, line.key + 1, ${shipmentTerms.companyId}, line.value ->> 'code', '-' || (line.value ->> 'amount'), reversed.column2
      from (values (${placeholder('shipmentId')}, ${placeholder('now')})) as reversed
      cross join ${shipmentTerms} on ${shipmentTerms.shipmentId} = reversed.column1
      cross join json_each(${shipmentTerms.lines}) as line on line.value ->> 'amount' <> '0'`,
  ),
);
/** Reverses every frozen line with a negative line. */
export function chargesReversal(shipmentId: Uuid, now: Instant) {
  return insertReversal({ shipmentId, now });
}

/** Halalas of an amount: text with at most two decimals, which a float might round. */
const halalas = sql.raw(
  "cast(line.value ->> 'amount' as integer) * 100 + iif(instr(line.value ->> 'amount', '.') = 0, 0, cast(substr(substr(line.value ->> 'amount', instr(line.value ->> 'amount', '.') + 1) || '0', 1, 2) as integer))",
);
const insertCredit = writeRow(
  queries.insert(laterCharges).select(
    sql`select frozen.shipment_id, 1, frozen.company_id, 'CREDIT',
        '-' || (frozen.total / 100) || rtrim(rtrim(printf('.%02d', frozen.total % 100), '0'), '.'), frozen.now
      from (select ${shipmentTerms.shipmentId}, ${shipmentTerms.companyId}, credited.column2 as now, sum(${halalas}) as total
        from (values (${placeholder('shipmentId')}, ${placeholder('now')})) as credited
        cross join ${shipmentTerms} on ${shipmentTerms.shipmentId} = credited.column1
        cross join json_each(${shipmentTerms.lines}) as line
        group by ${shipmentTerms.shipmentId}, ${shipmentTerms.companyId}, credited.column2) as frozen
      where frozen.total > 0`,
  ),
);
/** One line that credits all frozen charges. */
export function creditInsert(shipmentId: Uuid, now: Instant) {
  return insertCredit({ shipmentId, now });
}

/** Numbered after the reversals, of which there is one for each frozen line. */
const CANCELLATION_NUMBER = 100;
const insertCancellationFee = write(
  queries.insert(laterCharges).select(
    queries
      .select({
        shipmentId: shipmentTerms.shipmentId,
        number: sql`${placeholder('number')}`.as('number'),
        companyId: shipmentTerms.companyId,
        code: sql`'CANCELLATION'`.as('code'),
        amount: sql`${shipmentTerms.cancellationAmount}`.as('amount'),
        createdAt: sql`${placeholder('now')}`.as('createdAt'),
      })
      .from(shipmentTerms)
      .where(
        and(eq(shipmentTerms.shipmentId, placeholder('shipmentId')), sql`${shipmentTerms.cancellationAmount} <> '0'`),
      ),
  ),
);
export function cancellationFeeInsert(shipmentId: Uuid, now: Instant) {
  return insertCancellationFee({ shipmentId, now, number: CANCELLATION_NUMBER });
}
