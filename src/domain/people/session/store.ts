import { and, desc, eq, gt, gte, inArray, isNull, lt, sql } from 'drizzle-orm';
import { directoryAudit } from '../../../../db/directory/schema/audit.ts';
import { companies, companySuspensions } from '../../../../db/directory/schema/companies.ts';
import { companyMembers, operators, people } from '../../../../db/directory/schema/people.ts';
import { sessions } from '../../../../db/directory/schema/sessions.ts';
import { compilePastRows, type PastRows } from '../../../../db/past-rows.ts';
import { placeholder, queries, read, write } from '../../../../db/statement.ts';
import type { AnyPerson } from '../../../access/principal.ts';
import type { CompanyScope } from '../../../access/require.ts';
import type { Instant } from '../../../core/instant.ts';
import type { Uuid } from '../../../core/uuid.ts';
import { contactOfChallenge } from '../identifier-store.ts';

/* The SQL of people's sessions, in the directory. */

/** More sessions than a person can have: a person gets at most 240 codes in the lifetime of a session. */
const SESSIONS_MAX = 250;

const personColumns = {
  personId: sessions.personId,
  fullName: people.fullName,
  email: people.email,
  companyId: companyMembers.companyId,
  companyName: companies.name,
  shard: companies.shard,
  role: companyMembers.role,
  sessionId: sessions.id,
  channel: sessions.channel,
  assurance: sessions.assurance,
  freshUntil: sessions.freshUntil,
  lastSeenAt: sessions.lastSeenAt,
  operatorId: operators.personId,
  signedInAt: sessions.createdAt,
  expiresAt: sessions.expiresAt,
  heldUntil: people.heldUntil,
  suspendedSince: companySuspensions.since,
};
const selectLiveSession = read(personColumns, (columns) =>
  queries
    .select(columns)
    .from(sessions)
    .innerJoin(people, eq(people.id, sessions.personId))
    .leftJoin(companyMembers, eq(companyMembers.personId, sessions.personId))
    .leftJoin(companies, eq(companies.id, companyMembers.companyId))
    .leftJoin(operators, eq(operators.personId, sessions.personId))
    .leftJoin(
      companySuspensions,
      and(eq(companySuspensions.companyId, companyMembers.companyId), isNull(companySuspensions.endedAt)),
    )
    .where(
      and(
        eq(sessions.tokenHash, placeholder('tokenHash')),
        gt(sessions.expiresAt, placeholder('now')),
        gt(sessions.lastSeenAt, placeholder('idleSince')),
      ),
    ),
);
export type SessionRow = ReturnType<ReturnType<typeof selectLiveSession>['decode']>;
/** A session with the current company and role of its person, and since when the company is suspended. No row if it has expired or is idle since `idleSince`. */
export function liveSession(tokenHash: string, now: Instant, idleSince: Instant) {
  return selectLiveSession({ tokenHash, now, idleSince });
}

const insertSession = write(
  queries.insert(sessions).select(
    sql`select ${placeholder('id')}, c.answer_hash, c.person_id, c.channel, 'AAL1', null, c.device_reference, ${placeholder('now')}, ${placeholder('now')}, ${placeholder('expiresAt')}
      from challenges c join people p on p.id = c.person_id
        join sign_in_identifiers i on i.identifier = ${contactOfChallenge} and i.person_id = p.id
      where c.id = ${placeholder('challengeId')} and c.answer_hash = ${placeholder('tokenHash')}
        and (i.proved_at is not null or i.shown_at is not null)
        and (exists (select 1 from company_members m where m.person_id = p.id)
          or exists (select 1 from operators o where o.person_id = p.id))`,
  ),
);
export interface NewSession {
  readonly id: Uuid;
  readonly challengeId: Uuid;
  readonly tokenHash: string;
  readonly now: Instant;
  readonly expiresAt: Instant;
}
/**
 * A session for the person whose challenge was answered with this token. Inserts nothing without that answer, or if the
 * identifier that the code was sent to does not sign this person in.
 */
export function sessionInsert(session: NewSession) {
  return insertSession({ ...session });
}

const elevateSession = write(
  queries
    .update(sessions)
    .set({
      tokenHash: sql`${placeholder('tokenHash')}`,
      assurance: 'AAL2',
      freshUntil: sql`${placeholder('freshUntil')}`,
    })
    .where(
      and(
        eq(sessions.id, placeholder('id')),
        sql`exists (select 1 from challenges c where c.id = ${placeholder('challengeId')} and c.answer_hash = ${placeholder('tokenHash')})`,
      ),
    ),
);
export interface Elevation {
  readonly id: Uuid;
  readonly challengeId: Uuid;
  readonly tokenHash: string;
  readonly freshUntil: Instant;
}
/** Raises a session and replaces its token, if its challenge was answered with the new token. */
export function sessionElevation(elevation: Elevation) {
  return elevateSession({ ...elevation });
}

const detailColumns = {
  sessionId: sessions.id,
  channel: sessions.channel,
  assurance: sessions.assurance,
  freshUntil: sessions.freshUntil,
  createdAt: sessions.createdAt,
  lastSeenAt: sessions.lastSeenAt,
  expiresAt: sessions.expiresAt,
};
const selectSessions = read(detailColumns, (columns) =>
  queries
    .select(columns)
    .from(sessions)
    .where(
      and(
        eq(sessions.personId, placeholder('personId')),
        gt(sessions.expiresAt, placeholder('now')),
        gt(sessions.lastSeenAt, placeholder('idleSince')),
      ),
    )
    .orderBy(desc(sessions.createdAt), desc(sessions.id))
    .limit(SESSIONS_MAX),
);

/** The active sessions of a person, newest first. */
export function sessionsOf({ personId }: Pick<AnyPerson, 'personId'>, now: Instant, idleSince: Instant) {
  return selectSessions({ personId, now, idleSince });
}

/** More than the people of a company have open at once. */
const COMPANY_SESSIONS_MAX = 1_000;
const selectCompanySessions = read(
  { personId: sessions.personId, ...detailColumns, address: directoryAudit.address },
  (columns) =>
    queries
      .select(columns)
      .from(companyMembers)
      .innerJoin(sessions, eq(sessions.personId, companyMembers.personId))
      .leftJoin(
        directoryAudit,
        and(
          // The entry of the sign-in has the time of its session, so an index finds it.
          eq(directoryAudit.companyId, companyMembers.companyId),
          eq(directoryAudit.at, sessions.createdAt),
          eq(directoryAudit.subject, sql`${sessions.id}`),
        ),
      )
      .where(
        and(
          eq(companyMembers.companyId, placeholder('companyId')),
          gt(sessions.expiresAt, placeholder('now')),
          gt(sessions.lastSeenAt, placeholder('idleSince')),
        ),
      )
      .orderBy(desc(sessions.createdAt), desc(sessions.id))
      .limit(COMPANY_SESSIONS_MAX),
);
/** The active sessions of a company's people, newest first, with the network address of each sign-in. */
export function companySessions(scope: CompanyScope, now: Instant, idleSince: Instant) {
  return selectCompanySessions({ companyId: scope.companyId, now, idleSince });
}

/** What a sign-in is called in the audit. */
const SIGN_INS = ['session.signed_in', 'person.accepted'];
const selectLastSignIns = read({ personId: sessions.personId, at: directoryAudit.at }, (columns) =>
  queries
    .select({
      ...columns,
      personId: sql`${directoryAudit.personId}`.as('person_id'),
      at: sql`max(${directoryAudit.at})`.as('at'),
    })
    .from(directoryAudit)
    .where(
      and(
        eq(directoryAudit.companyId, placeholder('companyId')),
        gte(directoryAudit.at, placeholder('since')),
        inArray(directoryAudit.action, SIGN_INS),
      ),
    )
    .groupBy(directoryAudit.personId)
    .limit(COMPANY_SESSIONS_MAX),
);
/** When each person of a company last signed in, if that was after an instant. */
export function lastSignIns(scope: CompanyScope, since: Instant) {
  return selectLastSignIns({ companyId: scope.companyId, since });
}

const selectIdentity = read(
  { fullName: people.fullName, email: people.email, mobile: people.mobile, companyName: companies.name },
  (columns) =>
    queries
      .select(columns)
      .from(people)
      .leftJoin(companyMembers, eq(companyMembers.personId, people.id))
      .leftJoin(companies, eq(companies.id, companyMembers.companyId))
      .where(eq(people.id, placeholder('personId'))),
);
/** A person's name, the addresses that codes are sent to, and the company, if any. */
export function identityOf({ personId }: Pick<AnyPerson, 'personId'>) {
  return selectIdentity({ personId });
}

const deleteSession = write(
  queries
    .delete(sessions)
    .where(and(eq(sessions.id, placeholder('id')), eq(sessions.personId, placeholder('personId')))),
  { mustChange: true },
);
/** Ends a session of the person. Refuses the unit if the person has no session with that id. */
export function sessionDelete({ personId }: Pick<AnyPerson, 'personId'>, id: Uuid) {
  return deleteSession({ personId, id });
}

const isOfMember = and(
  eq(sessions.id, placeholder('id')),
  sql`${sessions.personId} in (select person_id from company_members where company_id = ${placeholder('companyId')})`,
);
const selectSessionOfMember = read({ personId: sessions.personId }, (columns) =>
  queries.select(columns).from(sessions).where(isOfMember),
);
/** Whose session of the company's people it is. */
export function memberOfSession(scope: CompanyScope, id: Uuid) {
  return selectSessionOfMember({ companyId: scope.companyId, id });
}

const deleteSessionOfMember = write(queries.delete(sessions).where(isOfMember), { mustChange: true });
/** Ends a session of a person of the company. Refuses the unit if nobody there has a session with this id. */
export function memberSessionDelete(scope: CompanyScope, id: Uuid) {
  return deleteSessionOfMember({ companyId: scope.companyId, id });
}

const touchSession = write(
  queries
    .update(sessions)
    .set({ lastSeenAt: sql`${placeholder('now')}` })
    .where(and(eq(sessions.id, placeholder('id')), lt(sessions.lastSeenAt, placeholder('before')))),
);
/** Records the use of a session, if the last record is older than `before`. */
export function sessionTouch(id: Uuid, now: Instant, before: Instant) {
  return touchSession({ id, now, before });
}

const idle = compilePastRows<{ idleSince: Instant }>(sessions, lt(sessions.lastSeenAt, placeholder('idleSince')));
/**
 * Sessions without use since that instant. A session past its end cannot be used, so it becomes one of them. For the
 * sweep only.
 */
export function idleSessions(idleSince: Instant): PastRows {
  return idle({ idleSince });
}
