import { describe, expect, test } from 'vitest';
import { newId } from '../../../scripts/shared/seed-values.ts';
import { type Client, type Person, SCOPES, type Scope } from '../../../src/access/principal.ts';
import {
  MEMBER,
  OWNER,
  PROVED_OWNER,
  requireAnyCompany,
  requireCompany,
  requireCompanyOf,
  requireOperator,
  scopeForDriver,
  scopeForOperator,
  scopeForService,
} from '../../../src/access/require.ts';
import { addMicros, instantFromMillis } from '../../../src/core/instant.ts';
import { Problem } from '../../../src/core/problem.ts';

/* For which company a principal acts, and what it lacks when it acts for none. */

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
  const proved = { assurance: 'AAL2', freshUntil: addMicros(now, 1) } as const;
  return { kind: 'person', shard: 'shard-1', role: 'OWNER', channel: 'SMS', ...ids, ...proved, ...changes };
}

/** Code and challenge of the refusal; `admitted` when there is none. */
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
  test.each(SCOPES)('acts for it with %s in its token, and with nothing else', (scope) => {
    expect(requireCompany(client(scope), scope)).toEqual({ companyId, shard: 'shard-1', clientId: 'mcl_one' });
    expect(requireCompany(client(...SCOPES), scope)).toMatchObject({ companyId });
    const others = SCOPES.filter((other) => other !== scope);
    for (const scopes of [[], others])
      expect(told(() => requireCompany(client(...scopes), scope))).toBe(challenge(scope));
  });

  test('acts for it where no scope is asked for', () => {
    expect(requireAnyCompany(client())).toEqual({ companyId, shard: 'shard-1', clientId: 'mcl_one' });
  });

  test('is no operator, whatever its token says', () => {
    expect(told(() => requireOperator(client(...SCOPES)))).toBe(challenge('operations'));
  });
});

describe('an operator', () => {
  test('acts for no company by himself', () => {
    expect(told(() => requireCompany(operator(...SCOPES), 'shipments:read'))).toBe(challenge('shipments:read'));
    expect(told(() => requireAnyCompany(operator(...SCOPES)))).toBe('ACCESS_DENIED');
  });

  test('is one with operations in his token alone', () => {
    const good = operator('operations');
    expect(requireOperator(good)).toBe(good);
    const others = SCOPES.filter((scope) => scope !== 'operations');
    for (const scopes of [[], others])
      expect(told(() => requireOperator(operator(...scopes)))).toBe(challenge('operations'));
  });
});

describe('a person', () => {
  test('acts for his own company, and is no client of it', () => {
    const one = person();
    const scope = { companyId, shard: 'shard-1', clientId: `person ${one.personId}` };
    expect(requireCompanyOf(one, MEMBER, now)).toEqual(scope);
    expect(told(() => requireAnyCompany(one))).toBe('ACCESS_DENIED');
    expect(told(() => requireCompany(one, 'shipments:read'))).toBe(challenge('shipments:read'));
    expect(told(() => requireOperator(one))).toBe(challenge('operations'));
  });

  test.each([
    ['nothing asked of a member', { role: 'MEMBER', assurance: 'AAL1', freshUntil: null }, MEMBER, 'admitted'],
    ['an owner asked for', { role: 'OWNER' }, OWNER, 'admitted'],
    ['an owner asked for, a member come', { role: 'MEMBER' }, OWNER, 'ACCESS_DENIED'],
    ['a member asked for, an owner come', { role: 'OWNER' }, MEMBER, 'admitted'],
    ['a second factor, just proved', {}, PROVED_OWNER, 'admitted'],
    ['a second factor of a member', { role: 'MEMBER' }, { role: 'MEMBER', assurance: 'AAL2' }, 'admitted'],
    ['a second factor, none', { assurance: 'AAL1' }, PROVED_OWNER, 'ASSURANCE_REQUIRED'],
    ['a second factor, at its very end', { freshUntil: now }, PROVED_OWNER, 'REAUTHENTICATION_REQUIRED'],
    ['a second factor, of when nobody knows', { freshUntil: null }, PROVED_OWNER, 'REAUTHENTICATION_REQUIRED'],
    ['a factor long over where none is asked for', { freshUntil: addMicros(now, -1) }, OWNER, 'admitted'],
    ['the role first, then the factor', { role: 'MEMBER', assurance: 'AAL1' }, PROVED_OWNER, 'ACCESS_DENIED'],
  ] as const)('%s', (_case, changes, demands, outcome) => {
    expect(told(() => requireCompanyOf(person(changes), demands, now))).toBe(outcome);
  });
});

test('whoever acts on what the database has told is named', () => {
  const [id, driverId] = [newId(), newId()];
  const acting = requireOperator(operator('operations'));
  expect(scopeForOperator(acting, { id, shard: 'shard-2' })).toEqual({
    companyId: id,
    shard: 'shard-2',
    clientId: 'mcl_one',
  });
  expect(scopeForDriver({ driverId, shard: 'shard-2' }, { companyId: id })).toEqual({
    companyId: id,
    shard: 'shard-2',
    clientId: `driver ${driverId}`,
  });
  expect(scopeForService('shard-2', id)).toEqual({ companyId: id, shard: 'shard-2', clientId: 'service' });
});
