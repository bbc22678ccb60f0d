import { and, asc, eq, gt, lt, sql } from 'drizzle-orm';
import { driverChallenges } from '../../../../db/directory/schema/drivers.ts';
import { columnsOf, queries, read, write } from '../../../../db/statement.ts';
import type { Instant } from '../../../core/instant.ts';
import type { Uuid } from '../../../core/uuid.ts';

/* The SQL of drivers' sign-ins, in the directory. It runs before anybody is known. */

const place = sql.placeholder;

const insertChallenge = write(
  queries.insert(driverChallenges).select(
    sql`select ${place('id')}, ${place('phone')},
      (select driver_id from driver_phones where phone = ${place('phone')}),
      (select shard from driver_phones where phone = ${place('phone')}),
      ${place('companyId')}, ${place('codeHmac')}, 0, ${place('expiresAt')}, null, ${place('createdAt')}
      where (select count(*) from driver_challenges where phone = ${place('phone')} and created_at > ${place('since')}) < ${place('max')}`,
  ),
  { mustChange: true },
);
export interface ChallengeOrder {
  readonly id: Uuid;
  readonly phone: string;
  readonly companyId: Uuid | null;
  readonly codeHmac: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  /** At most `max` challenges of a phone since then. */
  readonly since: Instant;
  readonly max: number;
}
/** A challenge for a phone, whoever's it is; refuses the unit when there were too many lately. */
export function challengeInsert(order: ChallengeOrder) {
  return insertChallenge({ ...order });
}

const selectChallenge = read(columnsOf(driverChallenges), (columns) =>
  queries
    .select(columns)
    .from(driverChallenges)
    .where(eq(driverChallenges.id, place('id'))),
);
export function challengeById(id: Uuid) {
  return selectChallenge({ id });
}

const selectOldest = read({ createdAt: driverChallenges.createdAt }, (columns) =>
  queries
    .select(columns)
    .from(driverChallenges)
    .where(and(eq(driverChallenges.phone, place('phone')), gt(driverChallenges.createdAt, place('since'))))
    .orderBy(asc(driverChallenges.createdAt))
    .limit(1),
);
/** The first of the challenges that count: when it no longer does, there is room for another. */
export function oldestChallenge(phone: string, since: Instant) {
  return selectOldest({ phone, since });
}

const tryCode = write(
  queries
    .update(driverChallenges)
    .set({
      attempts: sql`${driverChallenges.attempts} + 1`,
      tokenHash: sql`case when ${driverChallenges.codeHmac} = ${place('codeHmac')} and ${driverChallenges.driverId} is not null then ${place('tokenHash')} end`,
    })
    .where(
      and(
        eq(driverChallenges.id, place('id')),
        sql`${driverChallenges.companyId} is ${place('companyId')}`,
        sql`${driverChallenges.tokenHash} is null`,
        lt(driverChallenges.attempts, place('max')),
        gt(driverChallenges.expiresAt, place('now')),
      ),
    ),
  { mustChange: true },
);
export interface CodeTrial {
  readonly id: Uuid;
  readonly companyId: Uuid | null;
  readonly codeHmac: string;
  readonly tokenHash: string;
  readonly now: Instant;
  readonly max: number;
}
/**
 * Counts a try and checks it in one statement, so that no two tries are ever one. The right code leaves the hash of the
 * new token in the row. Refuses the unit when the challenge is used up, over, or nobody's.
 */
export function codeTrial(trial: CodeTrial) {
  return tryCode({ ...trial });
}

const deleteOldChallenges = write(
  queries.delete(driverChallenges).where(lt(driverChallenges.createdAt, place('before'))),
);
/** For the sweep only. */
export function oldChallengesDelete(before: Instant) {
  return deleteOldChallenges({ before });
}
