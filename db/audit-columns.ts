import { text } from 'drizzle-orm/sqlite-core';
import { instant, uuid } from './columns.ts';

/**
 * Who did what for a company. The directory and each shard have this table, because the unit that makes a change also
 * writes its entry.
 */
export const auditColumns = {
  id: uuid().primaryKey(),
  companyId: uuid('company_id').notNull(),
  /** The person who acted; null for a client. */
  personId: uuid('person_id'),
  clientId: text('client_id'),
  /** `person.added`, `session.signed_in`, … */
  action: text().notNull(),
  /** The changed thing: an id or a code. */
  subject: text().notNull(),
  at: instant().notNull(),
  /** The network address of the request, if known. */
  address: text(),
  requestId: uuid('request_id').notNull(),
  /** JSON object without personal data. */
  detail: text().notNull(),
};
