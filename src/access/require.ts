import type { AssuranceLevel, Role } from '../contract/person-role.ts';
import type { Instant } from '../core/instant.ts';
import { Problem } from '../core/problem.ts';
import { refuse } from '../core/result.ts';
import type { Uuid } from '../core/uuid.ts';
import type { DriverPrincipal } from './driver-token.ts';
import type { OperatorClient, Person, Principal, Scope } from './principal.ts';

declare const brand: unique symbol;

/** Proof that the caller may act for this company. Only this file makes one, and store functions ask for it. */
export interface CompanyScope {
  readonly companyId: Uuid;
  readonly shard: string;
  /** Who acts: the client, `person …` or `driver …`. */
  readonly clientId: string;
  readonly [brand]: 'CompanyScope';
}

/** The company a principal acts for, when its token carries `scope`; else 403 (RFC 6750 section 3.1). */
export function requireCompany(principal: Principal, scope: Scope): CompanyScope {
  if (principal.kind !== 'company' || !principal.scopes.has(scope)) throw insufficientScope(scope);
  return mint(principal.companyId, principal.shard, principal.clientId);
}

/** The company that a client acts for, whatever its token is good for; 403 for who acts for none. */
export function requireAnyCompany(principal: Principal): CompanyScope {
  if (principal.kind !== 'company') throw new Problem(refuse('ACCESS_DENIED'));
  return mint(principal.companyId, principal.shard, principal.clientId);
}

/** What a procedure asks of a person beside a session. */
export interface PersonDemands {
  /** OWNER: a MEMBER may not. */
  readonly role: Role;
  /** AAL2: the second factor was proved, at most ten minutes ago. */
  readonly assurance: AssuranceLevel;
}

/** Every person of the company. */
export const MEMBER: PersonDemands = { role: 'MEMBER', assurance: 'AAL1' };
/** What shows who did what. */
export const OWNER: PersonDemands = { role: 'OWNER', assurance: 'AAL1' };
/** What gives data away for good: credentials, people, where webhooks go. A stolen session cannot do it. */
export const PROVED_OWNER: PersonDemands = { role: 'OWNER', assurance: 'AAL2' };

/** The company of a person. 403 says what is missing: a role, a second factor, or a recent one. */
export function requireCompanyOf(person: Person, { role, assurance }: PersonDemands, now: Instant): CompanyScope {
  if (role === 'OWNER' && person.role !== 'OWNER') throw new Problem(refuse('ACCESS_DENIED'));
  if (assurance === 'AAL2') {
    if (person.assurance !== 'AAL2') throw new Problem(refuse('ASSURANCE_REQUIRED'));
    const isFresh = person.freshUntil !== null && now < person.freshUntil;
    if (!isFresh) throw new Problem(refuse('REAUTHENTICATION_REQUIRED'));
  }
  return mint(person.companyId, person.shard, `person ${person.personId}`);
}

/** An operator, when its token carries `operations`; else 403. */
export function requireOperator(principal: Principal): OperatorClient {
  if (principal.kind !== 'operator' || !principal.scopes.has('operations')) throw insufficientScope('operations');
  return principal;
}

/** An operator acts on a company of whose existence and shard the directory has just told. */
export function scopeForOperator(operator: OperatorClient, company: { id: Uuid; shard: string }): CompanyScope {
  return mint(company.id, company.shard, operator.clientId);
}

/** For a driver who acts on a shipment, after the shard has just said that this driver holds it. */
export function scopeForDriver(driver: DriverPrincipal, shipment: { companyId: Uuid }): CompanyScope {
  return mint(shipment.companyId, driver.shard, `driver ${driver.driverId}`);
}

/** The same company and actor, in the shard that the company has moved to. */
export function scopeWhereItLives({ companyId, clientId }: CompanyScope, shard: string): CompanyScope {
  return mint(companyId, shard, clientId);
}

/** The service itself acts on what it has just read of a company in its shard. */
export function scopeForService(shard: string, companyId: Uuid): CompanyScope {
  return mint(companyId, shard, 'service');
}

function mint(companyId: Uuid, shard: string, clientId: string): CompanyScope {
  return { companyId, shard, clientId } as CompanyScope;
}

function insufficientScope(scope: Scope): Problem {
  return new Problem(refuse('ACCESS_DENIED'), {
    'www-authenticate': `Bearer realm="mirsal", error="insufficient_scope", scope="${scope}"`,
  });
}
