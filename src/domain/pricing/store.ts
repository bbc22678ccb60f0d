import { and, asc, eq, lte, sql } from 'drizzle-orm';
import { tariffs } from '../../../db/directory/schema/tariffs.ts';
import { laterCharges, shipmentTerms } from '../../../db/shard/schema/terms.ts';
import { columnsOf, placeholder, placesOf, queries, read, write, writeRow } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Instant } from '../../core/instant.ts';
import { AMENDMENTS_MAX } from '../../core/limits.ts';
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

const { pricedDistanceMeters: _priced, ...locked } = placesOf(shipmentTerms);
const { lockId: _lockId, lockedAt: _lockedAt, lockExpiresAt: _lockExpiresAt, ...places } = locked;
/** Most shipments have no price lock, so their statement does not bind one. */
const insertTerms = writeRow(queries.insert(shipmentTerms).values(places));
const insertLockedTerms = writeRow(queries.insert(shipmentTerms).values(locked));
/** Refuses the unit if another shipment has the price lock. */
export function termsInsert(row: Omit<TermsRow, 'pricedDistanceMeters'>) {
  return row.lockId === null ? insertTerms({ ...row }) : insertLockedTerms({ ...row });
}

/** The claim of a unit on the price lock that it uses: see `claims` in db/writer.ts. */
export function lockClaim(scope: CompanyScope, lockId: Uuid): string {
  return JSON.stringify(['lock', scope.companyId, lockId]);
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

/**
 * The numbers of later charges put them in order. The line of an amendment has the number of the amendment. After those come the
 * reversals of frozen lines or the credit, those of amendments, and the fee.
 */
const CHARGE_NUMBERS = {
  reversals: AMENDMENTS_MAX + 1,
  /** Added to the number of the amendment. */
  amendmentReversals: 2 * AMENDMENTS_MAX,
  fee: 3 * AMENDMENTS_MAX + 1,
} as const;
export const firstReversal = sql.raw(String(CHARGE_NUMBERS.reversals));

const insertReversal = writeRow(
  queries.insert(laterCharges).select(
    sql`select ${shipmentTerms.shipmentId}, line.key + ${firstReversal}, ${shipmentTerms.companyId}, line.value ->> 'code', '-' || (line.value ->> 'amount'), reversed.column2
      from (values (${placeholder('shipmentId')}, ${placeholder('now')})) as reversed
      cross join ${shipmentTerms} on ${shipmentTerms.shipmentId} = reversed.column1
      cross join json_each(${shipmentTerms.lines}) as line on line.value ->> 'amount' <> '0'`,
  ),
);
/** Reverses every frozen line with a negative line. */
export function chargesReversal(shipmentId: Uuid, now: Instant) {
  return insertReversal({ shipmentId, now });
}

const insertAmendmentsReversal = writeRow(
  queries.insert(laterCharges).select(
    sql`select ${laterCharges.shipmentId}, ${laterCharges.number} + ${sql.raw(String(CHARGE_NUMBERS.amendmentReversals))}, ${laterCharges.companyId}, ${laterCharges.code},
        case substr(${laterCharges.amount}, 1, 1) when '-' then substr(${laterCharges.amount}, 2) else '-' || ${laterCharges.amount} end, reversed.column2
      from (values (${placeholder('shipmentId')}, ${placeholder('now')})) as reversed
      cross join ${laterCharges} on ${laterCharges.shipmentId} = reversed.column1 and ${laterCharges.code} = 'AMENDMENT'`,
  ),
);
/** Reverses every line of an amendment. */
export function amendmentsReversal(shipmentId: Uuid, now: Instant) {
  return insertAmendmentsReversal({ shipmentId, now });
}

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
  return insertCancellationFee({ shipmentId, now, number: CHARGE_NUMBERS.fee });
}
