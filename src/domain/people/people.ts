import type { Database } from '../../../db/database.ts';
import type { WriteStatement } from '../../../db/statement.ts';
import type { Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { PersonRecord, PersonRequest } from '../../contract/person.ts';
import type { Role } from '../../contract/person-role.ts';
import { emailOf } from '../../core/email.ts';
import { formatInstant } from '../../core/instant.ts';
import { maskPhone, toE164 } from '../../core/phone.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { auditOf, commitChange, type EntryDetails } from '../audit/change.ts';
import { quietly } from '../challenges/challenge.ts';
import { invitationsOf, usedUpRefusal, useStatements } from '../challenges/limit.ts';
import { barringReview } from '../companies/store.ts';
import { type InvitingDependencies, invite } from './identifier.ts';
import { type MemberRow, memberInsertion, memberRemoval, membersOf, roleOf, roleUpdate } from './store.ts';

export interface PeopleDependencies {
  readonly directory: { readonly database: Database; readonly writer: Writer };
  readonly clock: Clock;
  readonly random: Random;
}

/** Who may act for the company. */
export async function listPeople(
  { directory }: Pick<PeopleDependencies, 'directory'>,
  scope: CompanyScope,
): Promise<Result<PersonRecord[]>> {
  const answer = await directory.database.read(membersOf(scope));
  return answer.ok ? ok(answer.rows.map(present)) : unavailable();
}

/**
 * Adds a person and sends an invitation by e-mail. The person can sign in only after accepting it with a code. If an
 * e-mail address or a mobile belongs to another person, the response is the same and it stays with that person. So an
 * owner learns nothing about other companies.
 */
export async function addPerson(
  dependencies: PeopleInvitingDependencies,
  scope: CompanyScope,
  person: PersonRequest,
): Promise<Result<PersonRecord>> {
  const { clock, random } = dependencies;
  const { fullName, role } = person;
  const row = {
    personId: random.uuid(),
    fullName,
    email: emailOf(person.email),
    mobile: toE164(person.mobile),
    role,
    createdAt: clock.now(),
  };
  const entry = { action: 'person.added', subject: row.personId, detail: { role } };
  const kept = await keepInvitation(dependencies, scope, { entry, statements: memberInsertion(scope, row) });
  if (!kept.ok) return kept;
  if (!kept.value) return refuse('INVALID_STATE_TRANSITION');
  await quietly(dependencies, invite(dependencies, row.personId));
  return ok(present({ ...row, hasAccepted: 0 }));
}

export interface PeopleInvitingDependencies extends InvitingDependencies {
  readonly shards: ReadonlyMap<string, { readonly database: Database }>;
}

/**
 * Keeps a change that sends an invitation. A company sends none before it is approved, as strangers would read its name in a
 * message of the service, and only so many. False if the unit was refused for another reason.
 */
async function keepInvitation(
  dependencies: PeopleInvitingDependencies,
  scope: CompanyScope,
  { entry, statements }: Change,
): Promise<Result<boolean>> {
  const { shards, directory, clock, config } = dependencies;
  const barred = await shards.get(scope.shard)?.database.read(barringReview(scope));
  if (barred?.ok !== true) return unavailable();
  const review = barred.rows[0]?.review;
  if (review != null) return refuse('REGISTRATION_INCOMPLETE', { members: { review } });
  const limits = await invitationsOf(config, scope.companyId);
  const now = clock.now();
  const kept = await keep(dependencies, scope, { entry, statements: [...statements, ...useStatements(limits, now)] });
  if (!kept.ok || kept.value) return kept;
  return (await usedUpRefusal(directory.database, limits, now)) ?? kept;
}

/**
 * Sends the invitation again, at most as often as any notice. A person who can sign in gets none, and the response is the
 * same.
 */
export async function inviteAgain(
  dependencies: PeopleInvitingDependencies,
  scope: CompanyScope,
  personId: Uuid,
): Promise<Result<true>> {
  const found = await dependencies.directory.database.read(roleOf(scope, personId));
  if (!found.ok) return unavailable();
  if (found.rows.length === 0) return refuse('RESOURCE_NOT_FOUND');
  const entry = { action: 'person.invited', subject: personId, detail: {} };
  const kept = await keepInvitation(dependencies, scope, { entry, statements: [] });
  if (!kept.ok) return kept;
  if (!kept.value) return unavailable();
  await quietly(dependencies, invite(dependencies, personId));
  return ok(true);
}

export interface RoleChange {
  readonly personId: Uuid;
  readonly role: Role;
}

/** Changes a person's role, effective from the person's next request. A company always has an owner who can sign in. */
export async function changeRole(
  dependencies: PeopleDependencies,
  scope: CompanyScope,
  { personId, role }: RoleChange,
): Promise<Result<true>> {
  const entry = { action: 'person.role_changed', subject: personId, detail: { role } };
  const statements = [roleUpdate(scope, personId, role)];
  const kept = await keep(dependencies, scope, { entry, statements });
  if (!kept.ok) return kept;
  return kept.value ? ok(true) : whyNot(dependencies, scope, personId);
}

/** Removes a person from the company, with their sessions and data. A company always has an owner who can sign in. */
export async function removePerson(
  dependencies: PeopleDependencies,
  scope: CompanyScope,
  { personId }: Omit<RoleChange, 'role'>,
): Promise<Result<true>> {
  const entry = { action: 'person.removed', subject: personId, detail: {} };
  const kept = await keep(dependencies, scope, { entry, statements: memberRemoval(scope, personId) });
  if (!kept.ok) return kept;
  return kept.value ? ok(true) : whyNot(dependencies, scope, personId);
}

interface Change {
  readonly entry: Omit<EntryDetails, 'at'>;
  readonly statements: readonly WriteStatement[];
}

function keep(
  dependencies: PeopleDependencies,
  scope: CompanyScope,
  { entry, statements }: Change,
): Promise<Result<boolean>> {
  const audit = auditOf(dependencies, scope, { at: dependencies.clock.now(), ...entry });
  return commitChange(dependencies.directory, { unit: { statements }, audit });
}

async function whyNot({ directory }: PeopleDependencies, scope: CompanyScope, personId: Uuid) {
  const answer = await directory.database.read(roleOf(scope, personId));
  if (!answer.ok) return unavailable();
  return refuse(answer.rows.length === 0 ? 'RESOURCE_NOT_FOUND' : 'INVALID_STATE_TRANSITION');
}

function present({ email, mobile, createdAt, hasAccepted, ...row }: MemberRow): PersonRecord {
  return {
    ...row,
    email: email === '' ? null : email,
    hasAccepted: hasAccepted === 1,
    maskedMobile: mobile === '' ? null : maskPhone(mobile),
    createdAt: formatInstant(createdAt),
  };
}
