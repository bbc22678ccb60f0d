import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { MESSAGE_CHANNELS, MESSAGE_PURPOSES } from '../../../src/contract/message.ts';
import { instant, oneOf, uuid } from '../../columns.ts';

/** The inbox of a local deployment, instead of SMS and e-mail. Empty everywhere else. */
export const oneTimeCodes = sqliteTable(
  'one_time_codes',
  {
    id: uuid().primaryKey(),
    channel: oneOf(MESSAGE_CHANNELS)().notNull(),
    /** E.164 or an e-mail address. */
    recipient: text().notNull(),
    purpose: oneOf(MESSAGE_PURPOSES)().notNull(),
    /** Empty in a message that carries none. */
    code: text().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    // The inbox of one recipient, newest first.
    index('one_time_codes_of_recipient').on(table.recipient, table.createdAt),
    // Sweep.
    index('one_time_codes_created_at').on(table.createdAt),
  ],
);
