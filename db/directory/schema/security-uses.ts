import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant } from '../../columns.ts';

/** Uses that count against security limits, by HMAC of the user: limits hold in every isolate and over restarts. */
export const securityUses = sqliteTable(
  'security_uses',
  { bucket: text().notNull(), usedAt: instant('used_at').notNull() },
  (table) => [
    // Uses within the window.
    index('security_uses_of_bucket').on(table.bucket, table.usedAt),
    // Sweep.
    index('security_uses_used_at').on(table.usedAt),
  ],
);
