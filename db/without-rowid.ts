import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core';

/**
 * Tables that SQLite stores in the order of their primary key, so that the key needs no index of its own. Only small rows: what is
 * longer than about 1 kB goes to overflow pages. Other tables have a rowid and an index of their primary key.
 */
export const WITHOUT_ROWID: ReadonlySet<string> = new Set([
  'activity_days',
  'activity_progress',
  'cod_collections',
  'delivery_proofs',
  'driver_sessions',
  'follow_ups',
  'idempotency_records',
  'later_charges',
  'national_addresses',
  'offers',
  'proof_progress',
  'recipient_looks',
  'resolutions',
  'shipment_metadata',
  'shipment_ratings',
  'tracking_links',
]);

/** The columns that identify a row: the rowid, or the primary key in a table without one. */
export function rowKeyOf(table: SQLiteTable): readonly string[] {
  const { name, columns, primaryKeys } = getTableConfig(table);
  if (!WITHOUT_ROWID.has(name)) return ['rowid'];
  const key = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary);
  return key.map((column) => `"${column.name}"`);
}

/** The SQL of a migration, with what drizzle-kit cannot generate. A table that SQLite rebuilds has the prefix `__new_`. */
export function addWithoutRowid(migration: string): string {
  return migration.replaceAll(
    /(CREATE TABLE `(?:__new_)?(\w+)` \([^;]*\n\));/g,
    (whole, table: string, name: string) => (WITHOUT_ROWID.has(name) ? `${table} WITHOUT ROWID;` : whole),
  );
}
