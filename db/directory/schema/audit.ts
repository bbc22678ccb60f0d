import { index, sqliteTable } from 'drizzle-orm/sqlite-core';
import { auditColumns } from '../../columns.ts';

/** What was done to people, sessions and credentials. */
export const directoryAudit = sqliteTable('audit_entries', auditColumns, (table) => [
  // Listing: newest first within a company.
  index('audit_entries_newest').on(table.companyId, table.at, table.id),
]);
