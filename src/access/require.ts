import type { MessageChannel } from '../contract/message.ts';
import type { AssuranceLevel, Role } from '../contract/person-role.ts';
import type { Scope } from '../contract/scope.ts';
import { addSeconds, formatInstant, type Instant } from '../core/instant.ts';
import { FRESH_MINUTES } from '../core/limits.ts';
import { Problem } from '../core/problem.ts';
import { refuse } from '../core/result.ts';
import type { Uuid } from '../core/uuid.ts';
import type { DriverPrincipal } from './driver-token.ts';
import type { AnyPerson, AuditActor, Operator, OperatorClient, OperatorPerson, Principal } from './principal.ts';

declare const brand: unique symbol;

/** Proof that the caller may act for this company. Only this file creates it, and store functions require it. */
export interface CompanyScope {
  readonly companyId: Uuid;
  readonly shard: string;
  /** The actor: the client, `person …` or `driver …`. */
  readonly clientId: string;
  /** The actor that the audit names for a change. Undefined for drivers, the service and the company's own programs. */
  readonly actor: AuditActor | undefined;
  readonly [brand]: 'CompanyScope';
}

/** The company of a principal whose token has `scope`; otherwise 403 (RFC 6750 section 3.1). */
export function requireCompany(principal: Principal, scope: Scope): CompanyScope {
  if (principal.kind !== 'company' || !principal.scopes.has(scope)) throw insufficientScope(scope);
  return mint(principal.companyId, principal.shard, principal.clientId);
}

/** The company of a client, with any scope; 403 if the client has no company. */
export function requireAnyCompany(principal: Principal): CompanyScope {
  if (principal.kind !== 'company') throw new Problem(refuse('ACCESS_DENIED'));
  return mint(principal.companyId, principal.shard, principal.clientId);
}

/** What a procedure requires of a person besides a session. */
export interface PersonDemands {
  /** The smallest role. OWNER excludes a MEMBER. */
  readonly role: Role;
  /** AAL2: the person proved the second factor at most ten minutes ago. */
  readonly assurance: AssuranceLevel;
  /** Also admits a person who changed an identifier in the last day, as the call changes nothing. */
  readonly admitsHeld?: true;
}

/** Every person of the company. */
export const MEMBER: PersonDemands = { role: 'MEMBER', assurance: 'AAL1' };
/** For procedures that show the actions of other people. */
export const OWNER: PersonDemands = { role: 'OWNER', assurance: 'AAL1' };
/** For changes that can give data away permanently: credentials, people, webhook addresses. A stolen session is not enough. */
export const PROVED_OWNER: PersonDemands = { role: 'OWNER', assurance: 'AAL2' };

/** For reading what such changes make. */
export const PROVED_READER: PersonDemands = { ...PROVED_OWNER, admitsHeld: true };

/** The company of a person. 403 says what is missing: a role, a second factor, a recent one, or time since an identifier was changed. */
export function requireCompanyOf(
  person: AnyPerson,
  { role, assurance, admitsHeld }: PersonDemands,
  now: Instant,
): CompanyScope {
  if (person.kind !== 'person') throw new Problem(refuse('ACCESS_DENIED'));
  if (role === 'OWNER' && person.role !== 'OWNER') throw new Problem(refuse('ACCESS_DENIED'));
  if (assurance === 'AAL2') {
    requireSecondFactor(person);
    requireRecentFactor(person, now);
    if (admitsHeld !== true) requireNotHeld(person, now);
  }
  return mint(person.companyId, person.shard, `person ${person.personId}`);
}

function requireSecondFactor({ assurance }: AnyPerson): void {
  if (assurance !== 'AAL2') throw new Problem(refuse('ASSURANCE_REQUIRED'));
}

function requireRecentFactor({ freshUntil }: AnyPerson, now: Instant): void {
  const isFresh = freshUntil !== null && now < freshUntil;
  if (!isFresh) throw new Problem(refuse('REAUTHENTICATION_REQUIRED'));
}

/** Somebody who took over a session and one factor could otherwise replace the other factor and then give data away. */
function requireNotHeld({ heldUntil }: AnyPerson, now: Instant): void {
  if (heldUntil === null || now >= heldUntil) return;
  throw new Problem(refuse('IDENTIFIER_RECENTLY_CHANGED', { members: { heldUntil: formatInstant(heldUntil) } }));
}

/**
 * When an operator must have proved the second factor: `in-session`, or `recently`, at most ten minutes ago, for what spends
 * money or gives data away.
 */
export type OperatorProof = 'in-session' | 'recently';

/** The operator of a session. 403 says what is missing: the role, a second factor, or a recent one. */
export function requireOperatorPerson(person: AnyPerson, proof: OperatorProof, now: Instant): OperatorPerson {
  if (person.kind !== 'operatorPerson') throw new Problem(refuse('ACCESS_DENIED'));
  requireSecondFactor(person);
  if (proof === 'recently') {
    requireRecentFactor(person, now);
    requireNotHeld(person, now);
  }
  return person;
}

/** The factor that stays was proved at most this long ago when a person changes the other one. */
const STAYING_SECONDS = FRESH_MINUTES * 60;

/**
 * Whether a person may replace the identifier of a channel: the other channel was proved at most ten minutes ago, by the sign-in or
 * by the second factor, and no identifier was changed in the last day. `proof: SIGN_IN` says that a second factor does not
 * help.
 */
export function requireStayingFactor(person: AnyPerson, changed: MessageChannel, now: Instant): void {
  requireNotHeld(person, now);
  if (person.channel === changed) {
    requireSecondFactor(person);
    requireRecentFactor(person, now);
  } else if (now >= addSeconds(person.signedInAt, STAYING_SECONDS)) {
    throw new Problem(refuse('REAUTHENTICATION_REQUIRED', { members: { proof: 'SIGN_IN' } }));
  }
}

/** The operator of a token with the scope `operations`; otherwise 403. */
export function requireOperator(principal: Principal): OperatorClient {
  if (principal.kind !== 'operator' || !principal.scopes.has('operations')) throw insufficientScope('operations');
  return principal;
}

/** For an operator who acts on a company. The caller has just read the company and its shard from the directory. */
export function scopeForOperator(operator: Operator, company: { id: Uuid; shard: string }): CompanyScope {
  const clientId = operator.kind === 'operator' ? operator.clientId : `operator ${operator.personId}`;
  return mint(company.id, company.shard, clientId);
}

/** For a driver who acts on a shipment. The caller has just read from the shard that the driver has it. */
export function scopeForDriver(driver: DriverPrincipal, shipment: { companyId: Uuid }): CompanyScope {
  return mint(shipment.companyId, driver.shard, `driver ${driver.driverId}`);
}

/** The same company and actor, in the shard that the company has moved to. */
export function scopeInShard(scope: CompanyScope, shard: string): CompanyScope {
  return { ...scope, shard };
}

/** The same company, with the actor that the audit names for changes. */
export function scopeWithActor(scope: CompanyScope, actor: AuditActor): CompanyScope {
  return { ...scope, actor };
}

/** For the service's own work on a company's rows that it has just read in the shard. */
export function scopeForService(shard: string, companyId: Uuid): CompanyScope {
  return mint(companyId, shard, 'service');
}

/** For a batch that this client of the company, or this person, has sent earlier. The row was just read in the shard. */
export function scopeForStoredClient(
  { companyId, shard, clientId }: { readonly companyId: Uuid; readonly shard: string; readonly clientId: string },
  actor: AuditActor | undefined,
): CompanyScope {
  return { ...mint(companyId, shard, clientId), actor };
}

function mint(companyId: Uuid, shard: string, clientId: string): CompanyScope {
  return { companyId, shard, clientId, actor: undefined } as CompanyScope;
}

function insufficientScope(scope: Scope): Problem {
  return new Problem(refuse('ACCESS_DENIED'), {
    'www-authenticate': `Bearer realm="mirsal", error="insufficient_scope", scope="${scope}"`,
  });
}
