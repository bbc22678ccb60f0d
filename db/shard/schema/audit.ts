import { index, sqliteTable } from 'drizzle-orm/sqlite-core';
import { auditColumns } from '../../columns.ts';

/** Changes by people to branches, pickup locations and other company data of a shard. */
export const shardAudit = sqliteTable('audit_entries', auditColumns, (table) => [
  // Listing: newest first within a company.
  index('audit_entries_newest').on(table.companyId, table.at, table.id),
]);
