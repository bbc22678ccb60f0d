import type { Database } from '../../../../db/database.ts';
import type { Writer } from '../../../../db/writer.ts';
import type { AnyPerson, AuditActor } from '../../../access/principal.ts';
import type { CompanyScope } from '../../../access/require.ts';
import type { SuspendedPerson } from '../../../access/session-token.ts';
import { type CurrentSession, type MemberSignIns, type Session } from '../../../contract/session.ts';
import { addSeconds, formatInstant, type Instant } from '../../../core/instant.ts';
import { SIGN_IN_DAYS } from '../../../core/limits.ts';
import { ok, type Result, refuse, unavailable } from '../../../core/result.ts';
import type { Uuid } from '../../../core/uuid.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Random } from '../../../ports/random.ts';
import { auditOf, commitChange } from '../../audit/change.ts';
import {
  companySessions,
  lastSignIns,
  liveSession,
  memberOfSession,
  memberSessionDelete,
  type SessionRow,
  sessionDelete,
  sessionsOf,
  sessionTouch,
} from './store.ts';

/** A session ends after half an hour without use, and after twelve hours in any case. */
export const IDLE_SECONDS = 30 * 60;
export const SESSION_SECONDS = 12 * 3600;
/** The precision of a session's last use, because recording it costs a write. A session may end this much too early. */
const TOUCH_SECONDS = 60;
const DAY_SECONDS = 24 * 3600;

export interface SessionDependencies {
  readonly directory: { readonly database: Database; readonly writer: Writer };
  readonly clock: Clock;
}

/**
 * The person of an active session. People of suspended companies are marked, unless such people are `admitted`. `unknown` if
 * the directory did not answer.
 */
export async function findSession(
  { directory, clock, later }: SessionDependencies & { readonly later: (work: Promise<unknown>) => void },
  tokenHash: string,
  suspended: 'refused' | 'admitted' = 'refused',
): Promise<AnyPerson | SuspendedPerson | undefined | 'unknown'> {
  const now = clock.now();
  const answer = await directory.database.read(liveSession(tokenHash, now, idleSince(now)));
  if (!answer.ok) return 'unknown';
  const [row] = answer.rows;
  const person = row === undefined ? undefined : personOfSession(row);
  if (row === undefined || person === undefined) return undefined;
  if (row.suspendedSince !== null && suspended === 'refused') return { kind: 'suspended', person };
  const before = addSeconds(now, -TOUCH_SECONDS);
  // The session is active whether or not this write succeeds, so the request does not wait for it.
  if (row.lastSeenAt < before)
    later(directory.writer.commit({ statements: [sessionTouch(person.sessionId, now, before)] }));
  return person;
}

/** A merchant's person or an operator. Undefined if the person was removed meanwhile. */
function personOfSession(row: SessionRow): AnyPerson | undefined {
  const {
    companyId,
    companyName,
    shard,
    role,
    operatorId,
    lastSeenAt: _seen,
    suspendedSince: _suspended,
    ...session
  } = row;
  if (operatorId !== null) return { kind: 'operatorPerson', ...session };
  if (companyId === null || companyName === null || shard === null || role === null) return undefined;
  return { kind: 'person', ...session, companyId, companyName, shard, role };
}

/** The session of a request, as it was when the request was authenticated. */
export function presentSession(person: AnyPerson): CurrentSession {
  const { personId, sessionId, fullName, email, assurance, freshUntil, expiresAt } = person;
  const isMember = person.kind === 'person';
  return {
    sessionId,
    person: { personId, fullName, email: email === '' ? null : email, role: isMember ? person.role : 'OPERATOR' },
    company: isMember ? { companyId: person.companyId, name: person.companyName } : null,
    assuranceLevel: assurance,
    freshUntil: freshUntil === null ? null : formatInstant(freshUntil),
    expiresAt: formatInstant(expiresAt),
  };
}

/** The active sessions of a person, newest first. */
export async function listSessions(dependencies: SessionDependencies, person: AnyPerson): Promise<Result<Session[]>> {
  const { directory, clock } = dependencies;
  const now = clock.now();
  const answer = await directory.database.read(sessionsOf(person, now, idleSince(now)));
  if (!answer.ok) return unavailable();
  return ok(answer.rows.map((row) => presentRow(row, person)));
}

/** Where the people of a company are signed in, and when each of them last signed in. */
export async function listSignIns(
  { directory, clock }: SessionDependencies,
  scope: CompanyScope,
  person: AnyPerson,
): Promise<Result<MemberSignIns>> {
  const now = clock.now();
  const [live, last] = await Promise.all([
    directory.database.read(companySessions(scope, now, idleSince(now))),
    directory.database.read(lastSignIns(scope, addSeconds(now, -SIGN_IN_DAYS * DAY_SECONDS))),
  ]);
  if (!live.ok || !last.ok) return unavailable();
  return ok({
    sessions: live.rows.map((row) => ({ ...presentRow(row, person), personId: row.personId, address: row.address })),
    last: last.rows.map(({ personId, at }) => ({ personId, at: formatInstant(at) })),
  });
}

type DetailRow = ReturnType<ReturnType<typeof sessionsOf>['decode']>;

function presentRow(row: DetailRow, { sessionId: current }: AnyPerson): Session {
  const { sessionId, channel, assurance, createdAt, lastSeenAt, expiresAt } = row;
  return {
    sessionId,
    isCurrent: sessionId === current,
    channel,
    assuranceLevel: assurance,
    createdAt: formatInstant(createdAt),
    lastSeenAt: formatInstant(lastSeenAt),
    expiresAt: formatInstant(expiresAt),
  };
}

export interface SignOut {
  /** Undefined for an operator. */
  readonly scope: CompanyScope | undefined;
  readonly person: AnyPerson;
  readonly actor: AuditActor;
  readonly sessionId: Uuid;
}

/** Ends one of a person's sessions at once; 404 if the person has no session with that id. */
export async function signOut(
  dependencies: SessionDependencies & { readonly random: Random },
  { scope, person, actor, sessionId }: SignOut,
): Promise<Result<true>> {
  const entry = { action: 'session.signed_out', subject: sessionId, at: dependencies.clock.now(), detail: {} };
  const ended = await commitChange(dependencies.directory, {
    unit: { statements: [sessionDelete(person, sessionId)] },
    audit: { id: dependencies.random.uuid(), scope, actor, ...entry },
  });
  if (!ended.ok) return ended;
  return ended.value ? ok(true) : refuse('RESOURCE_NOT_FOUND');
}

/**
 * Ends a session of one of the company's people at once, for example when an owner suspects misuse. 404 if nobody of the company
 * has a session with that id, also if it has ended meanwhile.
 */
export async function endMemberSession(
  dependencies: SessionDependencies & { readonly random: Random },
  scope: CompanyScope,
  sessionId: Uuid,
): Promise<Result<true>> {
  const found = await dependencies.directory.database.read(memberOfSession(scope, sessionId));
  if (!found.ok) return unavailable();
  const [member] = found.rows;
  if (member === undefined) return refuse('RESOURCE_NOT_FOUND');
  const entry = { action: 'session.ended', subject: sessionId, at: dependencies.clock.now(), detail: { ...member } };
  const ended = await commitChange(dependencies.directory, {
    unit: { statements: [memberSessionDelete(scope, sessionId)] },
    audit: auditOf(dependencies, scope, entry),
  });
  if (!ended.ok) return ended;
  return ended.value ? ok(true) : refuse('RESOURCE_NOT_FOUND');
}

/** A session that was last used before this instant has ended. */
export function idleSince(now: Instant): Instant {
  return addSeconds(now, -IDLE_SECONDS);
}
