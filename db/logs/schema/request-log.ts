import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { count, instant, uuid } from '../../columns.ts';

/**
 * The request log: each row has the requests of one company that one process answered within about a second. Successes and
 * failures are in separate rows, because failures are kept longer.
 */
export const requestLog = sqliteTable(
  'request_log',
  {
    id: uuid().primaryKey(),
    companyId: uuid('company_id').notNull(),
    /** 1 if its requests were answered with a status of 400 or above, else 0. */
    isFailure: count('is_failure').notNull(),
    /** When the first and the last of its requests began. */
    firstAt: instant('first_at').notNull(),
    lastAt: instant('last_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** JSON lines, one for each request, compressed with gzip, in base64. Values are masked. */
    entries: text().notNull(),
  },
  (table) => [
    // Lists, newest first, and single requests.
    index('request_log_of_company').on(table.companyId, table.isFailure, table.lastAt, table.firstAt),
    // Sweep: expired rows.
    index('request_log_expires_at').on(table.expiresAt),
  ],
);
