import { describe, expect, test } from 'vitest';
import { newId } from '../../../scripts/shared/seed-values.ts';
import type { Client, OperatorPerson, Person } from '../../../src/access/principal.ts';
import {
  MEMBER,
  OWNER,
  PROVED_OWNER,
  PROVED_READER,
  requireAnyCompany,
  requireCompany,
  requireCompanyOf,
  requireOperator,
  requireOperatorPerson,
  scopeForDriver,
  scopeForOperator,
  scopeForService,
} from '../../../src/access/require.ts';
import { SCOPES, type Scope } from '../../../src/contract/scope.ts';
import { addMicros, instantFromMillis } from '../../../src/core/instant.ts';
import { Problem } from '../../../src/core/problem.ts';

/* For which company a principal acts, and what is missing when it is refused. */

const now = instantFromMillis(1_795_224_000_000);
const companyId = newId();
const holder = (...scopes: Scope[]) => ({
  clientId: 'mcl_one',
  secretId: newId(),
  tokenId: newId(),
  scopes: new Set(scopes),
});
const client = (...scopes: Scope[]): Client => ({ kind: 'company', companyId, shard: 'shard-1', ...holder(...scopes) });
const operator = (...scopes: Scope[]): Client => ({ kind: 'operator', ...holder(...scopes) });

function person(changes: Partial<Person> = {}): Person {
  const ids = { personId: newId(), companyId, sessionId: newId() };
  const names = { fullName: 'Huda Al-Amri', email: 'huda@shop.example', companyName: 'Tihama Spices' };
  const proved = { assurance: 'AAL2', freshUntil: addMicros(now, 1), signedInAt: now, heldUntil: null } as const;
  const session = { ...ids, ...names, ...proved, expiresAt: now };
  return { kind: 'person', shard: 'shard-1', role: 'OWNER', channel: 'SMS', ...session, ...changes };
}

/** Code and challenge of the refusal; `admitted` if there is none. */
function told(act: () => unknown): string {
  try {
    act();
    return 'admitted';
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [error.refusal.code, ...Object.entries(error.headers).flat()].join(' ');
  }
}

const challenge = (scope: string) =>
  `ACCESS_DENIED www-authenticate Bearer realm="mirsal", error="insufficient_scope", scope="${scope}"`;

describe('a client of a company', () => {
  test.each(SCOPES)('acts for its company if its token has the scope %s, and only then', (scope) => {
    expect(requireCompany(client(scope), scope)).toEqual({ companyId, shard: 'shard-1', clientId: 'mcl_one' });
    expect(requireCompany(client(...SCOPES), scope)).toMatchObject({ companyId });
    const others = SCOPES.filter((other) => other !== scope);
    for (const scopes of [[], others])
      expect(told(() => requireCompany(client(...scopes), scope))).toBe(challenge(scope));
  });

  test('acts for its company without a scope if none is required', () => {
    expect(requireAnyCompany(client())).toEqual({ companyId, shard: 'shard-1', clientId: 'mcl_one' });
  });

  test('is never an operator, whatever scopes its token has', () => {
    expect(told(() => requireOperator(client(...SCOPES)))).toBe(challenge('operations'));
  });
});

describe('an operator', () => {
  test('does not act for a company', () => {
    expect(told(() => requireCompany(operator(...SCOPES), 'shipments:read'))).toBe(challenge('shipments:read'));
    expect(told(() => requireAnyCompany(operator(...SCOPES)))).toBe('ACCESS_DENIED');
  });

  test('needs the scope operations', () => {
    const good = operator('operations');
    expect(requireOperator(good)).toBe(good);
    const others = SCOPES.filter((scope) => scope !== 'operations');
    for (const scopes of [[], others])
      expect(told(() => requireOperator(operator(...scopes)))).toBe(challenge('operations'));
  });
});

describe('a person', () => {
  test('acts for their own company, but not as its client', () => {
    const one = person();
    const scope = { companyId, shard: 'shard-1', clientId: `person ${one.personId}` };
    expect(requireCompanyOf(one, MEMBER, now)).toEqual(scope);
    expect(told(() => requireAnyCompany(one))).toBe('ACCESS_DENIED');
    expect(told(() => requireCompany(one, 'shipments:read'))).toBe(challenge('shipments:read'));
    expect(told(() => requireOperator(one))).toBe(challenge('operations'));
  });

  test.each([
    ['a member, where any role will do', { role: 'MEMBER', assurance: 'AAL1', freshUntil: null }, MEMBER, 'admitted'],
    ['an owner, where an owner is required', { role: 'OWNER' }, OWNER, 'admitted'],
    ['a member, where an owner is required', { role: 'MEMBER' }, OWNER, 'ACCESS_DENIED'],
    ['an owner, where a member will do', { role: 'OWNER' }, MEMBER, 'admitted'],
    ['a fresh second factor, where one is required', {}, PROVED_OWNER, 'admitted'],
    ['a member with a fresh second factor', { role: 'MEMBER' }, { role: 'MEMBER', assurance: 'AAL2' }, 'admitted'],
    ['no second factor, where one is required', { assurance: 'AAL1' }, PROVED_OWNER, 'ASSURANCE_REQUIRED'],
    ['a second factor at the instant of its expiry', { freshUntil: now }, PROVED_OWNER, 'REAUTHENTICATION_REQUIRED'],
    ['a second factor of unknown age', { freshUntil: null }, PROVED_OWNER, 'REAUTHENTICATION_REQUIRED'],
    ['an identifier changed a day ago', { heldUntil: now }, PROVED_OWNER, 'admitted'],
    ['an identifier changed since', { heldUntil: addMicros(now, 1) }, PROVED_OWNER, 'IDENTIFIER_RECENTLY_CHANGED'],
    ['an identifier changed since, for a reader', { heldUntil: addMicros(now, 1) }, PROVED_READER, 'admitted'],
    ['a stale second factor, where none is required', { freshUntil: addMicros(now, -1) }, OWNER, 'admitted'],
    [
      'a member without a second factor: the role is checked first',
      { role: 'MEMBER', assurance: 'AAL1' },
      PROVED_OWNER,
      'ACCESS_DENIED',
    ],
  ] as const)('%s', (_case, changes, demands, outcome) => {
    expect(told(() => requireCompanyOf(person(changes), demands, now))).toBe(outcome);
  });
});

describe('an operator', () => {
  const { companyId: _company, companyName: _name, shard: _shard, role: _role, ...session } = person();
  const one = (changes: Partial<OperatorPerson> = {}): OperatorPerson => ({
    ...session,
    kind: 'operatorPerson',
    ...changes,
  });

  test.each([
    ['a factor that was just proved', {}, 'recently', 'admitted'],
    ['a factor at its very end', { freshUntil: now }, 'recently', 'REAUTHENTICATION_REQUIRED'],
    ['an identifier changed since', { heldUntil: addMicros(now, 1) }, 'recently', 'IDENTIFIER_RECENTLY_CHANGED'],
    ['a factor at its very end, if the session has one', { freshUntil: now }, 'in-session', 'admitted'],
    ['no second factor', { assurance: 'AAL1', freshUntil: null }, 'in-session', 'ASSURANCE_REQUIRED'],
    ['no second factor, where a recent one is needed', { assurance: 'AAL1' }, 'recently', 'ASSURANCE_REQUIRED'],
  ] as const)('%s', (_case, changes, proof, outcome) => {
    expect(told(() => requireOperatorPerson(one(changes), proof, now))).toBe(outcome);
  });

  test('does not act for a company, and a person of a company is not an operator', () => {
    expect(told(() => requireCompanyOf(one(), MEMBER, now))).toBe('ACCESS_DENIED');
    expect(told(() => requireOperatorPerson(person(), 'in-session', now))).toBe('ACCESS_DENIED');
  });

  test('names the operator in the scope of a company', () => {
    const scope = scopeForOperator(one(), { id: companyId, shard: 'shard-1' });
    expect(scope).toEqual({ companyId, shard: 'shard-1', clientId: `operator ${session.personId}` });
  });
});

test('every scope names its actor: operator, driver or service', () => {
  const [id, driverId] = [newId(), newId()];
  const acting = requireOperator(operator('operations'));
  expect(scopeForOperator(acting, { id, shard: 'shard-2' })).toEqual({
    companyId: id,
    shard: 'shard-2',
    clientId: 'mcl_one',
  });
  expect(scopeForDriver({ driverId, shard: 'shard-2', companyId: null }, { companyId: id })).toEqual({
    companyId: id,
    shard: 'shard-2',
    clientId: `driver ${driverId}`,
  });
  expect(scopeForService('shard-2', id)).toEqual({ companyId: id, shard: 'shard-2', clientId: 'service' });
});
