import { and, eq, ne, sql } from 'drizzle-orm';
import { shipmentMetadata } from '../../../db/shard/schema/shipment-metadata.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { placeholder, queries, read, type WriteStatement, write } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import { FORGOTTEN_PHONE } from '../../core/phone.ts';
import type { Uuid } from '../../core/uuid.ts';

/* The SQL of the metadata of shipments. */

const isShipment = and(eq(shipments.id, placeholder('shipmentId')), eq(shipments.companyId, placeholder('companyId')));

const metadataColumns = {
  version: shipments.metadataVersion,
  recipientPhone: shipments.recipientPhone,
  // Only for the type of the column.
  entries: shipments.items,
};
const selectMetadata = read(metadataColumns, (columns) =>
  queries
    .select({
      ...columns,
      entries: sql`(select json_group_object(key, value) from (select key, value from ${shipmentMetadata}
        where ${eq(shipmentMetadata.shipmentId, shipments.id)} order by key))`.as('entries'),
    })
    .from(shipments)
    .where(isShipment),
);
export type MetadataRow = ReturnType<ReturnType<typeof selectMetadata>['decode']>;
/** The metadata of a shipment of the company, as a JSON object in the order of its keys. */
export function metadataOf(scope: CompanyScope, shipmentId: Uuid) {
  return selectMetadata({ companyId: scope.companyId, shipmentId });
}

const raiseVersion = write(
  queries
    .update(shipments)
    .set({ metadataVersion: sql`${shipments.metadataVersion} + 1` })
    .where(
      and(
        isShipment,
        eq(shipments.metadataVersion, placeholder('version')),
        ne(shipments.recipientPhone, FORGOTTEN_PHONE),
      ),
    ),
  { mustChange: true },
);
const deleteEntries = write(
  queries
    .delete(shipmentMetadata)
    .where(
      and(
        eq(shipmentMetadata.shipmentId, placeholder('shipmentId')),
        eq(shipmentMetadata.companyId, placeholder('companyId')),
      ),
    ),
);
const insertEntries = write(
  queries.insert(shipmentMetadata).select(
    sql`select ${shipments.id}, ${shipments.companyId}, entry.key, entry.value, ${shipments.createdAt}
      from ${shipments} cross join json_each(${placeholder('entries')}) as entry where ${isShipment}`,
  ),
);
/**
 * Replaces the metadata. Refuses the unit if it no longer has this version, or if the recipient has been forgotten since:
 * nothing would delete the new entries.
 */
export function metadataReplacement(
  scope: CompanyScope,
  shipmentId: Uuid,
  { version, entries }: Pick<MetadataRow, 'version' | 'entries'>,
): WriteStatement[] {
  const { companyId } = scope;
  return [
    raiseVersion({ companyId, shipmentId, version }),
    deleteEntries({ companyId, shipmentId }),
    insertEntries({ companyId, shipmentId, entries }),
  ];
}
