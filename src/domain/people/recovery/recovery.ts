import type { Database } from '../../../../db/database.ts';
import { tokenHashOf } from '../../../access/authenticate.ts';
import type { AuditActor, Operator } from '../../../access/principal.ts';
import { type CompanyScope, scopeForOperator, scopeForService, scopeWithActor } from '../../../access/require.ts';
import { OPERATIONS } from '../../../contract/audit.ts';
import type { FoundPerson, ListedRecovery, RecoveryRecord } from '../../../contract/recovery.ts';
import { toBase64Url } from '../../../core/base64url.ts';
import { emailOf } from '../../../core/email.ts';
import { addSeconds, formatInstant } from '../../../core/instant.ts';
import { HELD_HOURS, RECOVERY_HOURS } from '../../../core/limits.ts';
import { toE164 } from '../../../core/phone.ts';
import { ok, type Result, refuse, unavailable } from '../../../core/result.ts';
import type { Uuid } from '../../../core/uuid.ts';
import { auditOf, commitChange, type EntryDetails } from '../../audit/change.ts';
import { channelRefusal, sendNotice } from '../../challenges/challenge.ts';
import { readRow } from '../../rows.ts';
import { type IdentifierDependencies, type InvitingDependencies, identifierOf, invite } from '../identifier.ts';
import { identifiersOf } from '../identifier-store.ts';
import {
  allRecoveries,
  dueRecoveries,
  peopleByIdentifier,
  personById,
  type RecoveryRow,
  recoveryById,
  recoveryCompletion,
  recoveryDelete,
  recoveryInsertion,
  recoveryOf,
  recoveryOfToken,
} from './store.ts';

/*
 * Promise: an operator gives an account new identifiers only after every identifier of the account was told and two days have
 * passed in which any of them, a session of the person or an operator could stop it. The new ones sign in only after their own code.
 */

interface OperatorAct {
  readonly operator: Operator;
  readonly actor: AuditActor;
}

/** The merchants' people with an e-mail address or a mobile, so that an operator recovers the right one. */
export async function findPeople(
  { directory }: { readonly directory: { readonly database: Database } },
  spelling: string,
): Promise<Result<FoundPerson[]>> {
  const found = await directory.database.read(peopleByIdentifier(identifierOf(spelling).identifier));
  if (!found.ok) return unavailable();
  return ok(found.rows.map(({ shard: _shard, hasAccepted, ...row }) => ({ ...row, hasAccepted: hasAccepted === 1 })));
}

export interface RecoveryOrder {
  readonly personId: Uuid;
  readonly email: string;
  readonly mobile: string;
  readonly reason: string;
}

/**
 * Begins a recovery and tells every identifier that the person holds. 404 for an operator: the command `operator` replaces those.
 * 409 if one has begun already, or if another person has proved one of the new identifiers.
 */
export async function beginRecovery(
  dependencies: Omit<InvitingDependencies, 'later'>,
  { personId, reason, ...order }: RecoveryOrder,
  { operator, actor }: OperatorAct & { readonly operator: { readonly personId: Uuid } },
): Promise<Result<RecoveryRecord>> {
  const { directory, clock, random, messages, config } = dependencies;
  const found = await readRow(directory.database, personById(personId), 'RESOURCE_NOT_FOUND');
  if (!found.ok) return found;
  const { companyId, shard, companyName } = found.value;
  const held = await directory.database.read(identifiersOf(personId));
  if (!held.ok) return unavailable();
  const known = held.rows.map(({ identifier }) => identifierOf(identifier));
  // Nobody could stop what nobody is told.
  for (const { channel } of known) {
    const silent = channelRefusal(messages, channel);
    if (silent !== undefined) return silent;
  }
  const now = clock.now();
  const token = toBase64Url(random.bytes(STOP_TOKEN_BYTES));
  const dueAt = addSeconds(now, RECOVERY_HOURS * 3600);
  const row = {
    id: random.uuid(),
    personId,
    email: emailOf(order.email),
    mobile: toE164(order.mobile),
    stopTokenHash: await tokenHashOf(token),
    reason,
    begunBy: operator.personId,
    requestId: actor.requestId,
    dueAt,
  };
  const scope = scopeWithActor(scopeForOperator(operator, { id: companyId, shard }), actor);
  const unit = { statements: recoveryInsertion(row) };
  const entry = { action: 'recovery.begun', subject: personId, at: now, detail: {} };
  const kept = await commitChange(directory, { unit, audit: auditOf(dependencies, scope, entry) });
  if (!kept.ok) return kept;
  if (!kept.value) return refuse('INVALID_STATE_TRANSITION');
  const url = `${config.baseUrl}/console/stop-recovery#${token}`;
  for (const { channel, identifier: recipient } of known)
    await sendNotice(dependencies, { channel, recipient, purpose: 'RECOVERY_BEGUN', companyName, url });
  return ok(present({ ...row, ...found.value }));
}

const STOP_TOKEN_BYTES = 32;

/** The recoveries that wait, the next first. */
export async function listRecoveries({
  directory,
}: {
  readonly directory: { readonly database: Database };
}): Promise<Result<ListedRecovery[]>> {
  const found = await directory.database.read(allRecoveries());
  if (!found.ok) return unavailable();
  return ok(
    found.rows.map((row) => {
      const { fullName, companyName, reason } = row;
      return { ...present(row), fullName, companyName, reason };
    }),
  );
}

/** The recovery of a person that waits. */
export async function readRecovery(
  { directory }: { readonly directory: { readonly database: Database } },
  personId: Uuid,
): Promise<Result<RecoveryRecord | null>> {
  const found = await directory.database.read(recoveryOf(personId));
  if (!found.ok) return unavailable();
  const [row] = found.rows;
  return ok(row === undefined ? null : present(row));
}

/** Who stops a recovery: an operator, the person in a session, or anybody who has the message. */
export type Stop =
  | ({ readonly by: 'operator'; readonly recoveryId: Uuid } & OperatorAct)
  | { readonly by: 'person'; readonly personId: Uuid; readonly actor: AuditActor }
  | { readonly by: 'token'; readonly token: string; readonly where: Pick<AuditActor, 'address' | 'requestId'> };

/** Stops a recovery; 404 if it was stopped or carried out already. */
export async function stopRecovery(dependencies: IdentifierDependencies, stop: Stop): Promise<Result<true>> {
  const { directory, clock } = dependencies;
  const statement =
    stop.by === 'operator'
      ? recoveryById(stop.recoveryId)
      : stop.by === 'person'
        ? recoveryOf(stop.personId)
        : recoveryOfToken(await tokenHashOf(stop.token));
  const found = await readRow(directory.database, statement, 'RESOURCE_NOT_FOUND');
  if (!found.ok) return found;
  const { id, personId } = found.value;
  const unit = { statements: [recoveryDelete(id)] };
  const entry: EntryDetails = {
    action: 'recovery.stopped',
    subject: personId,
    at: clock.now(),
    detail: { by: stop.by },
  };
  const audit = auditOf(dependencies, scopeOfStop(found.value, stop), entry);
  const kept = await commitChange(directory, { unit, audit });
  if (!kept.ok) return kept;
  return kept.value ? ok(true) : refuse('RESOURCE_NOT_FOUND');
}

function scopeOfStop({ companyId: id, shard, personId }: RecoveryRow, stop: Stop): CompanyScope {
  if (stop.by === 'operator') return scopeWithActor(scopeForOperator(stop.operator, { id, shard }), stop.actor);
  const actor = stop.by === 'person' ? stop.actor : { personId, clientId: null, ...stop.where };
  return scopeWithActor(scopeForService(shard, id), actor);
}

/** Carries out the recoveries that nobody has stopped in time, and invites their people to prove the new e-mail address. */
export async function finishRecoveries(dependencies: Omit<InvitingDependencies, 'later'>): Promise<void> {
  const { directory, clock } = dependencies;
  const now = clock.now();
  const due = await directory.database.read(dueRecoveries(now));
  if (!due.ok) return;
  for (const { id, personId, email, mobile, begunBy, requestId, companyId, shard } of due.rows) {
    const actor = { personId: begunBy, clientId: OPERATIONS, address: null, requestId };
    const scope = scopeWithActor(scopeForService(shard, companyId), actor);
    const heldUntil = addSeconds(now, HELD_HOURS * 3600);
    const unit = { statements: recoveryCompletion({ id, personId, email, mobile, now, heldUntil }) };
    const entry = { action: 'recovery.completed', subject: personId, at: now, detail: {} };
    const kept = await commitChange(directory, { unit, audit: auditOf(dependencies, scope, entry) });
    if (kept.ok && kept.value) await invite(dependencies, personId);
  }
}

function present({ id, personId, dueAt }: Pick<RecoveryRow, 'id' | 'personId' | 'dueAt'>): RecoveryRecord {
  return { recoveryId: id, personId, dueAt: formatInstant(dueAt) };
}
