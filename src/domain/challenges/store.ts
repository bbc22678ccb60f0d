import { and, desc, eq, gt, lt, type SQL, sql } from 'drizzle-orm';
import { securityUses } from '../../../db/directory/schema/security-uses.ts';
import { personChallenges } from '../../../db/directory/schema/sessions.ts';
import { columnsOf, queries, read, write } from '../../../db/statement.ts';
import type { MessageChannel } from '../../contract/message.ts';
import type { ChallengePurpose } from '../../contract/person-role.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';

/* The SQL of people's codes and of what is counted for security, in the directory. It runs before anybody is known. */

const place = sql.placeholder;

const insertUse = write(
  queries.insert(securityUses).select(
    sql`select ${place('bucket')}, ${place('now')}
      where (select count(*) from security_uses where bucket = ${place('bucket')} and used_at > ${place('since')}) < ${place('max')}
        and not exists (select 1 from security_uses where bucket = ${place('bucket')} and used_at > ${place('spacedSince')})`,
  ),
  { mustChange: true },
);
export interface SecurityUse {
  readonly bucket: string;
  readonly now: Instant;
  /** At most `max` uses since then, and none at all since `spacedSince`. */
  readonly since: Instant;
  readonly max: number;
  readonly spacedSince: Instant;
}
/** Counts a use; refuses the unit when there were too many. */
export function useInsert(use: SecurityUse) {
  return insertUse({ ...use });
}

const selectUse = read({ usedAt: securityUses.usedAt }, (columns) =>
  queries
    .select(columns)
    .from(securityUses)
    .where(and(eq(securityUses.bucket, place('bucket')), gt(securityUses.usedAt, place('since'))))
    .orderBy(desc(securityUses.usedAt))
    .limit(1)
    .offset(place('skipped')),
);
/** A use since an instant, the newest but for `skipped`. */
export function useBefore(bucket: string, since: Instant, skipped: number) {
  return selectUse({ bucket, since, skipped });
}

const deleteOldUses = write(queries.delete(securityUses).where(lt(securityUses.usedAt, place('before'))));
/** For the sweep only. */
export function oldUsesDelete(before: Instant) {
  return deleteOldUses({ before });
}

const endChallenges = write(
  queries
    .update(personChallenges)
    .set({ expiresAt: sql`${place('now')}` })
    .where(
      and(
        eq(personChallenges.subject, place('subject')),
        eq(personChallenges.purpose, place('purpose')),
        gt(personChallenges.expiresAt, place('now')),
      ),
    ),
);
/** Ends the codes of a subject: only the next one will count. */
export function challengesEnd(purpose: ChallengePurpose, subject: string, now: Instant) {
  return endChallenges({ purpose, subject, now });
}

const insertChallenge = write(
  queries.insert(personChallenges).select(
    sql`select ${place('id')}, ${place('purpose')}, ${place('subject')},
      coalesce(${place('personId')}, (select person_id from sign_in_identifiers where identifier = ${place('identifier')})),
      ${place('channel')}, ${place('deviceReference')}, ${place('codeHmac')}, 0, ${place('expiresAt')}, null, ${place('createdAt')}`,
  ),
);
export interface ChallengeRow {
  readonly id: Uuid;
  readonly purpose: ChallengePurpose;
  readonly subject: string;
  readonly personId: Uuid | null;
  /** Finds the person who is not named. */
  readonly identifier: string | null;
  readonly channel: MessageChannel;
  readonly deviceReference: Uuid | null;
  readonly codeHmac: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}
export function personChallengeInsert(row: ChallengeRow) {
  return insertChallenge({ ...row });
}

const selectChallenge = read(columnsOf(personChallenges), (columns) =>
  queries
    .select(columns)
    .from(personChallenges)
    .where(eq(personChallenges.id, place('id'))),
);
export type PersonChallenge = typeof personChallenges.$inferSelect;
export function personChallengeById(id: Uuid) {
  return selectChallenge({ id });
}

const selectNewest = read({ id: personChallenges.id }, (columns) =>
  queries
    .select(columns)
    .from(personChallenges)
    .where(and(eq(personChallenges.subject, place('subject')), eq(personChallenges.purpose, place('purpose'))))
    .orderBy(desc(personChallenges.createdAt), desc(personChallenges.id))
    .limit(1),
);
/** The one code of a subject that counts. */
export function newestChallenge(purpose: ChallengePurpose, subject: string) {
  return selectNewest({ purpose, subject });
}

export interface PersonCodeTrial extends Readonly<Record<string, string | number | bigint | null>> {
  readonly id: Uuid;
  readonly purpose: ChallengePurpose;
  /** Null where the id says enough. */
  readonly subject: string | null;
  readonly codeHmac: string;
  /** Left in the row by the right code. */
  readonly answerHash: string;
  readonly now: Instant;
  readonly max: number;
}
/**
 * A statement that counts a try and checks it at once, so that no two tries are ever one. The right code leaves the hash
 * of its answer, if `mayAnswer` is true of the row. Refuses the unit when the code is used up, over, or not there.
 */
export function compileTrial(mayAnswer: SQL) {
  return write<PersonCodeTrial>(
    queries
      .update(personChallenges)
      .set({
        attempts: sql`${personChallenges.attempts} + 1`,
        answerHash: sql`case when ${personChallenges.codeHmac} = ${place('codeHmac')} and ${mayAnswer} then ${place('answerHash')} end`,
      })
      .where(
        and(
          eq(personChallenges.id, place('id')),
          eq(personChallenges.purpose, place('purpose')),
          sql`${personChallenges.subject} = coalesce(${place('subject')}, ${personChallenges.subject})`,
          sql`${personChallenges.answerHash} is null`,
          lt(personChallenges.attempts, place('max')),
          gt(personChallenges.expiresAt, place('now')),
        ),
      ),
    { mustChange: true },
  );
}

const tryPersonCode = compileTrial(sql`${personChallenges.personId} is not null`);
/** A try at a code of whoever was found when it was asked for. The code of nobody has no right answer. */
export function personCodeTrial(trial: PersonCodeTrial) {
  return tryPersonCode(trial);
}

const deleteOldChallenges = write(
  queries.delete(personChallenges).where(lt(personChallenges.createdAt, place('before'))),
);
/** For the sweep only. */
export function oldPersonChallengesDelete(before: Instant) {
  return deleteOldChallenges({ before });
}
