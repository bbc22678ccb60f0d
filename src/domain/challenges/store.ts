import { and, desc, eq, gt, lt, ne, type SQL, sql } from 'drizzle-orm';
import { challenges, oneTimeCodes, securityUses } from '../../../db/directory/schema/challenges.ts';
import { compilePastRows, type PastRows } from '../../../db/past-rows.ts';
import { columnsOf, placeholder, queries, read, write } from '../../../db/statement.ts';
import type { MessageChannel } from '../../contract/message.ts';
import type { ChallengePurpose } from '../../contract/person-role.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';

/*
 * The SQL of one-time codes, of the counters of security limits, and of a local deployment's inbox, all in the
 * directory. It runs before authentication, so nothing here belongs to a company.
 */

const insertUse = write(
  queries.insert(securityUses).select(
    sql`select ${placeholder('bucket')}, ${placeholder('now')}
      where (select count(*) from security_uses where bucket = ${placeholder('bucket')} and used_at > ${placeholder('since')}) < ${placeholder('max')}
        and not exists (select 1 from security_uses where bucket = ${placeholder('bucket')} and used_at > ${placeholder('spacedSince')})`,
  ),
  { mustChange: true },
);
export interface SecurityUse {
  readonly bucket: string;
  readonly now: Instant;
  /** At most `max` uses since `since`, and none since `spacedSince`. */
  readonly since: Instant;
  readonly max: number;
  readonly spacedSince: Instant;
}
/** Counts a use. Refuses the unit if the limit is exceeded. */
export function useInsert(use: SecurityUse) {
  return insertUse({ ...use });
}

const deleteUse = write(
  queries
    .delete(securityUses)
    .where(
      sql`rowid in (select rowid from security_uses where bucket = ${placeholder('bucket')} and used_at = ${placeholder('at')} limit 1)`,
    ),
);
/** Takes back one use at that instant. */
export function useDelete(bucket: string, at: Instant) {
  return deleteUse({ bucket, at });
}

const selectUse = read({ usedAt: securityUses.usedAt }, (columns) =>
  queries
    .select(columns)
    .from(securityUses)
    .where(and(eq(securityUses.bucket, placeholder('bucket')), gt(securityUses.usedAt, placeholder('since'))))
    .orderBy(desc(securityUses.usedAt))
    .limit(1)
    .offset(placeholder('skipped')),
);
/** The newest use since an instant, after skipping `skipped` newer ones. */
export function useBefore(bucket: string, since: Instant, skipped: number) {
  return selectUse({ bucket, since, skipped });
}

const pastUses = compilePastRows<{ before: Instant }>(securityUses, lt(securityUses.usedAt, placeholder('before')));
/** For the sweep only. */
export function oldUses(before: Instant): PastRows {
  return pastUses({ before });
}

const endChallenges = write(
  queries
    .update(challenges)
    .set({ expiresAt: sql`${placeholder('now')}` })
    .where(
      and(
        eq(challenges.subject, placeholder('subject')),
        eq(challenges.purpose, placeholder('purpose')),
        gt(challenges.expiresAt, placeholder('now')),
      ),
    ),
);
/** Ends the earlier codes of a subject, so that only the next one is valid. */
export function challengesEnd(purpose: ChallengePurpose, subject: string, now: Instant) {
  return endChallenges({ purpose, subject, now });
}

const insertChallenge = write(
  queries.insert(challenges).select(
    sql`select ${placeholder('id')}, ${placeholder('purpose')}, ${placeholder('subject')},
      coalesce(${placeholder('personId')}, (select person_id from sign_in_identifiers
          where identifier = ${placeholder('identifier')} and (proved_at is not null or shown_at is not null))),
      (select driver_id from driver_phones where phone = ${placeholder('driverPhone')}),
      (select shard from driver_phones where phone = ${placeholder('driverPhone')}),
      ${placeholder('channel')}, ${placeholder('deviceReference')}, ${placeholder('codeHmac')}, 0, ${placeholder('expiresAt')}, null, ${placeholder('createdAt')}`,
  ),
);
export interface NewChallenge {
  readonly id: Uuid;
  readonly purpose: ChallengePurpose;
  readonly subject: string;
  readonly personId: Uuid | null;
  /** Finds the person if `personId` is null. */
  readonly identifier: string | null;
  /** Finds the driver, in E.164. */
  readonly driverPhone: string | null;
  readonly channel: MessageChannel;
  readonly deviceReference: Uuid | null;
  readonly codeHmac: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}
export function challengeInsert(row: NewChallenge) {
  return insertChallenge({ ...row });
}

const selectChallenge = read(columnsOf(challenges), (columns) =>
  queries
    .select(columns)
    .from(challenges)
    .where(eq(challenges.id, placeholder('id'))),
);
export type ChallengeRow = typeof challenges.$inferSelect;
export function challengeById(id: Uuid) {
  return selectChallenge({ id });
}

const selectNewest = read({ id: challenges.id }, (columns) =>
  queries
    .select(columns)
    .from(challenges)
    .where(and(eq(challenges.subject, placeholder('subject')), eq(challenges.purpose, placeholder('purpose'))))
    .orderBy(desc(challenges.createdAt), desc(challenges.id))
    .limit(1),
);
/** The valid code of a subject. */
export function newestChallenge(purpose: ChallengePurpose, subject: string) {
  return selectNewest({ purpose, subject });
}

export interface CodeTrial extends Readonly<Record<string, string | number | bigint | null>> {
  readonly id: Uuid;
  readonly purpose: ChallengePurpose;
  /** Null if the id is enough. */
  readonly subject: string | null;
  /** The only person who may answer; null if it is the person of the challenge. */
  readonly personId: Uuid | null;
  readonly codeHmac: string;
  /** Written to the row by the correct code. */
  readonly answerHash: string;
  readonly now: Instant;
  readonly max: number;
}
/**
 * Counts a try and checks it in one statement, so that concurrent tries are all counted. The correct code writes the
 * hash of its answer, if `mayAnswer` is true for the row. Refuses the unit if the code has no tries left, has ended or
 * does not exist.
 */
export function compileTrial(mayAnswer: SQL) {
  return write<CodeTrial>(
    queries
      .update(challenges)
      .set({
        attempts: sql`${challenges.attempts} + 1`,
        answerHash: sql`case when ${challenges.codeHmac} = ${placeholder('codeHmac')} and ${mayAnswer} then ${placeholder('answerHash')} end`,
      })
      .where(
        and(
          eq(challenges.id, placeholder('id')),
          eq(challenges.purpose, placeholder('purpose')),
          sql`${challenges.subject} = coalesce(${placeholder('subject')}, ${challenges.subject})`,
          sql`${challenges.answerHash} is null`,
          lt(challenges.attempts, placeholder('max')),
          gt(challenges.expiresAt, placeholder('now')),
        ),
      ),
    { mustChange: true },
  );
}

const tryPersonCode = compileTrial(
  sql`${challenges.personId} = coalesce(${placeholder('personId')}, ${challenges.personId})`,
);
/** A try at a person's code. A code for an unknown person, or for another one than the trial names, has no correct answer. */
export function personCodeTrial(trial: CodeTrial) {
  return tryPersonCode(trial);
}

const tryDriverCode = compileTrial(sql`${challenges.driverId} is not null`);
/** A try at a driver's code. A code for an unknown driver has no correct answer. */
export function driverCodeTrial(trial: CodeTrial) {
  return tryDriverCode(trial);
}

const tryRecipientCode = compileTrial(sql`true`);
/** A try at the code of a shipment's recipient. */
export function recipientCodeTrial(trial: CodeTrial) {
  return tryRecipientCode(trial);
}

const pastChallenges = compilePastRows<{ before: Instant }>(
  challenges,
  lt(challenges.createdAt, placeholder('before')),
);
/** For the sweep only. */
export function oldChallenges(before: Instant): PastRows {
  return pastChallenges({ before });
}

const insertCode = write(
  queries.insert(oneTimeCodes).values({
    id: placeholder('id'),
    channel: placeholder('channel'),
    recipient: placeholder('recipient'),
    purpose: placeholder('purpose'),
    code: placeholder('code'),
    createdAt: placeholder('createdAt'),
  }),
);
export function oneTimeCodeInsert(row: typeof oneTimeCodes.$inferSelect) {
  return insertCode({ ...row });
}

/** More than any reader needs. */
const SHOWN_MAX = 25;
function compileSelect(hasCode: SQL) {
  return read(columnsOf(oneTimeCodes), (columns) =>
    queries
      .select(columns)
      .from(oneTimeCodes)
      .where(and(eq(oneTimeCodes.recipient, placeholder('recipient')), hasCode))
      .orderBy(desc(oneTimeCodes.createdAt))
      .limit(placeholder('limit')),
  );
}
const selectCodes = compileSelect(ne(oneTimeCodes.code, ''));
/** The codes of one recipient, newest first. */
export function codesOf(recipient: string) {
  return selectCodes({ recipient, limit: SHOWN_MAX });
}

const selectNotices = compileSelect(eq(oneTimeCodes.code, ''));
/** The messages without a code to one recipient, newest first. */
export function noticesOf(recipient: string) {
  return selectNotices({ recipient, limit: SHOWN_MAX });
}

const pastCodes = compilePastRows<{ before: Instant }>(oneTimeCodes, lt(oneTimeCodes.createdAt, placeholder('before')));
/** For the sweep only. */
export function oldCodes(before: Instant): PastRows {
  return pastCodes({ before });
}
