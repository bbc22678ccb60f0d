import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { companies } from '../../../../db/directory/schema/companies.ts';
import { companyMembers } from '../../../../db/directory/schema/people.ts';
import { sessions } from '../../../../db/directory/schema/sessions.ts';
import { queries, read, write } from '../../../../db/statement.ts';
import type { Instant } from '../../../core/instant.ts';
import type { Uuid } from '../../../core/uuid.ts';

/* The SQL of people's sessions, in the directory. */

const place = sql.placeholder;

const personColumns = {
  personId: sessions.personId,
  companyId: companyMembers.companyId,
  shard: companies.shard,
  role: companyMembers.role,
  sessionId: sessions.id,
  channel: sessions.channel,
  assurance: sessions.assurance,
  freshUntil: sessions.freshUntil,
  lastSeenAt: sessions.lastSeenAt,
};
const selectLiveSession = read(personColumns, (columns) =>
  queries
    .select(columns)
    .from(sessions)
    .innerJoin(companyMembers, eq(companyMembers.personId, sessions.personId))
    .innerJoin(companies, eq(companies.id, companyMembers.companyId))
    .where(
      and(
        eq(sessions.tokenHash, place('tokenHash')),
        gt(sessions.expiresAt, place('now')),
        gt(sessions.lastSeenAt, place('idleSince')),
      ),
    ),
);
/** Whose session it is, with the company and the role of now, unless it is over or was idle since `idleSince`. */
export function liveSession(tokenHash: string, now: Instant, idleSince: Instant) {
  return selectLiveSession({ tokenHash, now, idleSince });
}

const touchSession = write(
  queries
    .update(sessions)
    .set({ lastSeenAt: sql`${place('now')}` })
    .where(and(eq(sessions.id, place('id')), lt(sessions.lastSeenAt, place('before')))),
);
/** Notes that a session is in use, if that was last noted before `before`. */
export function sessionTouch(id: Uuid, now: Instant, before: Instant) {
  return touchSession({ id, now, before });
}

const deleteEndedSessions = write(
  queries
    .delete(sessions)
    .where(sql`(${sessions.expiresAt} < ${place('now')} or ${sessions.lastSeenAt} < ${place('idleSince')})`),
);
/** For the sweep only. */
export function endedSessionsDelete(now: Instant, idleSince: Instant) {
  return deleteEndedSessions({ now, idleSince });
}
