import { and, desc, eq, gt, gte, lt, sql } from 'drizzle-orm';
import { tariffs } from '../../../db/directory/schema/tariffs.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { shipmentTerms } from '../../../db/shard/schema/terms.ts';
import { placeholder, placesOf, queries, read, write } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { TariffRow } from './store.ts';

/* The SQL of what seldom happens to prices: new tariffs, their previews, and locks that are used twice. */

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
