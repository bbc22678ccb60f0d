import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant } from '../../columns.ts';

/** Who the database is: see `identity.ts` two folders above. */
export { databaseIdentity } from '../../identity-table.ts';

/** The keys that the service has used: src/service/key-check.ts. A fingerprint does not reveal its key. */
export const keyFingerprints = sqliteTable(
  'key_fingerprints',
  {
    /** The name of the variable, such as `CURSOR_KEYS`. */
    list: text().notNull(),
    fingerprint: text().notNull(),
    /** When the key became the first of its list, which seals or signs; null if it never did. */
    leadsFrom: instant('leads_from'),
    /** When another key became the first. */
    leadsUntil: instant('leads_until'),
  },
  (table) => [primaryKey({ columns: [table.list, table.fingerprint] })],
);
