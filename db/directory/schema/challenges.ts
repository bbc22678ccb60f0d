import { sql } from 'drizzle-orm';
import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { MESSAGE_CHANNELS, MESSAGE_PURPOSES } from '../../../src/contract/message.ts';
import { CHALLENGE_PURPOSES } from '../../../src/contract/person-role.ts';
import { count, instant, oneOf, uuid } from '../../columns.ts';

/**
 * One-time codes that people and drivers requested. Only a keyed HMAC of each code is stored. An unknown identifier or
 * phone gets a row too, so that it is counted and answered like a known one.
 */
export const challenges = sqliteTable(
  'challenges',
  {
    id: uuid().primaryKey(),
    purpose: oneOf(CHALLENGE_PURPOSES)().notNull(),
    /** What the code is for: an HMAC of the identifier, or the id of a registration, a session or a sandbox's company. */
    subject: text().notNull(),
    /** The person who answers it; null for a driver and an unknown identifier. A registration has none until it makes its owner. */
    personId: uuid('person_id'),
    /** The driver who answers it, and the shard of that driver; otherwise null. */
    driverId: uuid('driver_id'),
    shard: text(),
    channel: oneOf(MESSAGE_CHANNELS)().notNull(),
    deviceReference: uuid('device_reference'),
    codeHmac: text('code_hmac').notNull(),
    attempts: count().notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** A hash that the right code writes here. If two requests send the right code at once, only one finds its own hash. */
    answerHash: text('answer_hash'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    // The codes of one subject. Only the newest is valid.
    index('challenges_of_subject').on(table.subject, table.createdAt),
    // The codes of a person whose identifier changed.
    index('challenges_of_person').on(table.personId).where(sql`${table.personId} is not null`),
    // Sweep.
    index('challenges_created_at').on(table.createdAt),
  ],
);

/**
 * Counted uses of security limits, by an HMAC of the identity. The limits apply to all isolates and survive restarts.
 */
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

/** The inbox of a local deployment, instead of SMS and e-mail. Empty everywhere else. */
export const oneTimeCodes = sqliteTable(
  'one_time_codes',
  {
    id: uuid().primaryKey(),
    channel: oneOf(MESSAGE_CHANNELS)().notNull(),
    /** E.164 or an e-mail address. */
    recipient: text().notNull(),
    purpose: oneOf(MESSAGE_PURPOSES)().notNull(),
    /** Empty if the message has no code. */
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
