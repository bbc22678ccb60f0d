import { and, desc, eq, gte, lt, sql } from 'drizzle-orm';
import { codCollections } from '../../../db/shard/schema/cod-collections.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { placeholder, placesOf, queries, read, variants, writeRow } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Position } from '../page.ts';

/* The SQL of what drivers collected. */

const insertCollection = writeRow(queries.insert(codCollections).values(placesOf(codCollections)));
/** Together with the delivery. */
export function collectionInsert(row: typeof codCollections.$inferSelect) {
  return insertCollection({ ...row });
}

const codColumns = {
  currency: shipments.currency,
  codAmount: shipments.codAmount,
  amount: codCollections.amount,
  method: codCollections.method,
  reference: codCollections.reference,
  collectedAt: codCollections.collectedAt,
};
const selectCod = read(codColumns, (columns) =>
  queries
    .select(columns)
    .from(shipments)
    .leftJoin(codCollections, eq(codCollections.shipmentId, shipments.id))
    .where(and(eq(shipments.id, placeholder('shipmentId')), eq(shipments.companyId, placeholder('companyId')))),
);
/** The amount to collect of a shipment, and what was collected. */
export function codOf(scope: CompanyScope, shipmentId: Uuid) {
  return selectCod({ companyId: scope.companyId, shipmentId });
}

const isInRange = and(
  eq(codCollections.companyId, placeholder('companyId')),
  gte(codCollections.collectedAt, placeholder('from')),
  lt(codCollections.collectedAt, placeholder('to')),
);
const isAfter = sql`(${codCollections.collectedAt}, ${codCollections.shipmentId}) < (${placeholder('createdAt')}, ${placeholder('id')})`;
const listedColumns = {
  shipmentId: codCollections.shipmentId,
  shipmentNumber: shipments.shipmentNumber,
  externalReference: shipments.externalReference,
  amount: codCollections.amount,
  method: codCollections.method,
  collectedAt: codCollections.collectedAt,
};
const selectPage = variants((hasPosition: boolean) =>
  read(listedColumns, (columns) =>
    queries
      .select(columns)
      .from(codCollections)
      .innerJoin(shipments, eq(shipments.id, codCollections.shipmentId))
      .where(and(isInRange, hasPosition ? isAfter : undefined))
      .orderBy(desc(codCollections.collectedAt), desc(codCollections.shipmentId))
      .limit(placeholder('limit')),
  ),
);
export interface CollectionRange {
  readonly from: Instant;
  readonly to: Instant;
}
/** Collections of the company in a range, newest first. */
export function collectionPage(
  scope: CompanyScope,
  { from, to }: CollectionRange,
  after: Position | undefined,
  limit: number,
) {
  const position = { createdAt: after?.createdAt ?? null, id: after?.key ?? null };
  return selectPage(after !== undefined)({ companyId: scope.companyId, from, to, ...position, limit });
}

/** The digits before the point, and those after it. No amount has more than 19, and no currency has more than four after the point. */
const whole = sql`substr(${codCollections.amount}, 1, instr(${codCollections.amount} || '.', '.') - 1)`;
const fraction = sql`substr(substr(${codCollections.amount}, instr(${codCollections.amount} || '.', '.') + 1) || '0000', 1, 4)`;
const sumOf = (digits: typeof whole) => sql`coalesce(sum(cast(${digits} as integer)), 0)`;
const totalColumns = {
  shipments: codCollections.shipmentVersion,
  billions: codCollections.shipmentVersion,
  units: codCollections.shipmentVersion,
  parts: codCollections.shipmentVersion,
};
const selectTotals = read(totalColumns, () =>
  queries
    .select({
      shipments: sql`count(*)`.as('shipments'),
      billions: sumOf(sql`substr('0000000000' || ${whole}, -19, 10)`).as('billions'),
      units: sumOf(sql`substr('000000000' || ${whole}, -9)`).as('units'),
      parts: sumOf(fraction).as('parts'),
    })
    .from(codCollections)
    .where(isInRange),
);
/** A sum in whole numbers, because SQLite would round. */
export interface CollectionSums {
  readonly shipments: number;
  readonly billions: number;
  readonly units: number;
  /** Of 10,000. */
  readonly parts: number;
}
/** How many collections a range has, and their sum in whole numbers. */
export function collectionTotals(scope: CompanyScope, { from, to }: CollectionRange) {
  return selectTotals({ companyId: scope.companyId, from, to });
}
