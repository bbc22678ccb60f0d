import { sql } from 'drizzle-orm';
import { index, sqliteTable } from 'drizzle-orm/sqlite-core';
import { auditColumns } from '../../columns.ts';

/** Changes of people, sessions, credentials and tariffs. */
export const directoryAudit = sqliteTable('audit_entries', auditColumns, (table) => [
  // Listing: newest first within a company.
  index('audit_entries_newest').on(table.companyId, table.at, table.id),
  // Listing: newest first, of operators and their programs.
  index('audit_entries_of_operators').on(table.at, table.id).where(sql`${table.clientId} is not null`),
  index('audit_entries_of_subject').on(table.subject, table.at, table.id).where(sql`${table.clientId} is not null`),
  index('audit_entries_of_operator').on(table.personId, table.at, table.id).where(sql`${table.clientId} is not null`),
  // The same, of one company, of one changed thing, and by one operator.
  index('audit_entries_of_company').on(table.companyId, table.at, table.id).where(sql`${table.clientId} is not null`),
]);
