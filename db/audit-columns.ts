import { text } from 'drizzle-orm/sqlite-core';
import { instant, uuid } from './columns.ts';

/**
 * Who did what for a company. The table stands in the directory and in each shard, because an entry is written in the
 * unit that makes the change.
 */
export const auditColumns = {
  id: uuid().primaryKey(),
  companyId: uuid('company_id').notNull(),
  /** The person who did it; null when a client did. */
  personId: uuid('person_id'),
  clientId: text('client_id'),
  /** `person.added`, `session.signed_in`, … */
  action: text().notNull(),
  /** What it was done to: an id or a code. */
  subject: text().notNull(),
  at: instant().notNull(),
  /** The network address that the request came from, when it is known. */
  address: text(),
  requestId: uuid('request_id').notNull(),
  /** JSON object without personal data. */
  detail: text().notNull(),
};
