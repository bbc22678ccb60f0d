import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant } from '../../columns.ts';

/** Uses of what is limited for security, by an HMAC of who used it: a limit holds in every isolate and after a restart. */
export const securityUses = sqliteTable(
  'security_uses',
  { bucket: text().notNull(), usedAt: instant('used_at').notNull() },
  (table) => [
    // How often lately.
    index('security_uses_of_bucket').on(table.bucket, table.usedAt),
    // Sweep.
    index('security_uses_used_at').on(table.usedAt),
  ],
);
