import { check, index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { MESSAGE_CHANNELS } from '../../../src/contract/message.ts';
import { ASSURANCE_LEVELS } from '../../../src/contract/person-role.ts';
import { instant, isOneOf, oneOf, uuid } from '../../columns.ts';
import { people } from './people.ts';

/** Sessions of people. The company and role of a session are read from its person at each request. */
export const sessions = sqliteTable(
  'sessions',
  {
    id: uuid().primaryKey(),
    /** SHA-256 of the token, in base64url. An elevation replaces the token. */
    tokenHash: text('token_hash').notNull(),
    personId: uuid('person_id')
      .notNull()
      .references(() => people.id),
    /** How the first code was sent. The second code uses the other channel. */
    channel: oneOf(MESSAGE_CHANNELS)().notNull(),
    assurance: oneOf(ASSURANCE_LEVELS)().notNull(),
    /** Until when the second factor counts as fresh; null at AAL1. */
    freshUntil: instant('fresh_until'),
    deviceReference: uuid('device_reference').notNull(),
    createdAt: instant('created_at').notNull(),
    /** Up to a minute behind: see `sessionTouch`. */
    lastSeenAt: instant('last_seen_at').notNull(),
    /** The absolute end, even if the session is in use. */
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    check('sessions_channel', isOneOf(table.channel, MESSAGE_CHANNELS)),
    check('sessions_assurance', isOneOf(table.assurance, ASSURANCE_LEVELS)),
    // Every request.
    uniqueIndex('sessions_token_hash').on(table.tokenHash),
    // A person's sessions.
    index('sessions_person_id').on(table.personId, table.createdAt),
    // Sweep.
    index('sessions_last_seen_at').on(table.lastSeenAt),
  ],
);
