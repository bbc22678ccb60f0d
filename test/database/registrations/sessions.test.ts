import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, requireUuid } from '../../../scripts/shared/seed-values.ts';
import { tokenHashOf } from '../../../src/access/authenticate.ts';
import type { Person } from '../../../src/access/principal.ts';
import { requireCompanyOf } from '../../../src/access/require.ts';
import { Problem } from '../../../src/core/problem.ts';
import type { Result } from '../../../src/core/result.ts';
import { startElevation, verifyElevation } from '../../../src/domain/people/session/elevation.ts';
import { findSession } from '../../../src/domain/people/session/session.ts';
import { startSignIn, verifySignIn } from '../../../src/domain/people/session/sign-in.ts';
import { noDocuments } from '../../../src/providers/absent.ts';
import { sweepDirectory } from '../../../src/service/sweep.ts';
import { type Desk, openDesk } from './desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
  await desk.sql(
    'directory',
    "insert into companies (id, name, shard, created_at) values (?, 'Taif Roses', 'shard-1', 1)",
    [COMPANY],
  );
}, 30_000);
afterAll(() => desk.close());

const COMPANY = newId();
const where = () => ({ address: null, requestId: newId() });
const valueOf = <Value>(result: Result<Value>): Value => {
  if (!result.ok) throw new Error(`Refused: ${result.code}`);
  return result.value;
};

let made = 0;
async function newPerson(): Promise<{ readonly email: string; readonly mobile: string }> {
  made += 1;
  const [id, email, mobile] = [newId(), `person-${made}@people.example`, `+9665${String(made).padStart(8, '0')}`];
  await desk.sql('directory', "insert into people values (?, 'Saad', ?, ?, 1, null)", [id, email, mobile]);
  await desk.sql(
    'directory',
    'insert into sign_in_identifiers (identifier, person_id, proved_at) values (?, ?, 1), (?, ?, 1)',
    [email, id, mobile, id],
  );
  await desk.sql('directory', "insert into company_members values (?, ?, 'OWNER', 1)", [COMPANY, id]);
  return { email, mobile };
}

async function ask(identifier: string) {
  const asked = await startSignIn(desk.services, { identifier, deviceReference: newId() }, where());
  await desk.rest();
  return asked;
}
async function signIn(identifier: string): Promise<string> {
  const { challengeId } = valueOf(await ask(identifier));
  const otp = desk.sent.at(-1)?.code ?? '';
  return valueOf(await verifySignIn(desk.services, { challengeId, otp }, where())).sessionToken;
}
async function find(token: string) {
  const found = await findSession(desk.services, await tokenHashOf(token));
  // The use of the session is recorded after the answer.
  await desk.rest();
  return found;
}
async function personOf(token: string): Promise<Person> {
  const found = await find(token);
  if (typeof found !== 'object' || found.kind !== 'person') throw new Error('There is no session');
  return found;
}

describe('a session', () => {
  it('ends after half an hour without use', async () => {
    const token = await signIn((await newPerson()).email);
    desk.clock.advance(1799);
    expect(await find(token)).toMatchObject({ kind: 'person', companyId: COMPANY, shard: 'shard-1', role: 'OWNER' });
    desk.clock.advance(1799);
    expect(await find(token)).toMatchObject({ channel: 'EMAIL', assurance: 'AAL1', freshUntil: null });
    desk.clock.advance(1800);
    expect(await find(token)).toBeUndefined();
  });

  it('ends after twelve hours even if it is used', async () => {
    const token = await signIn((await newPerson()).email);
    for (let minutes = 0; minutes < 719; minutes += 20) {
      expect(await find(token)).toBeDefined();
      desk.clock.advance(1200);
    }
    expect(await find(token)).toBeUndefined();
  });

  it('costs one read per use, and at most one write a minute', async () => {
    const token = await signIn((await newPerson()).email);
    desk.trips();
    for (let use = 0; use < 5; use += 1) await find(token);
    expect(desk.trips()).toEqual(['read', 'read', 'read', 'read', 'read']);
    desk.clock.advance(61);
    for (let use = 0; use < 3; use += 1) await find(token);
    expect(desk.trips()).toEqual(['read', 'commit', 'read', 'read']);
  });

  it('is deleted by the sweep once it has expired', async () => {
    const [first, second] = [await signIn((await newPerson()).email), await signIn((await newPerson()).email)];
    desk.clock.advance(1200);
    await find(second);
    desk.clock.advance(700);
    await sweepDirectory({ ...desk.services, documents: noDocuments });
    const kept = async (token: string) =>
      (
        await desk.sql('directory', 'select count(*) from sessions where token_hash = ?', [await tokenHashOf(token)])
      ).flat();
    expect([await kept(first), await kept(second)]).toEqual([[0], [1]]);
  });
});

describe('a sign-in', () => {
  it('costs the same for a person and for an unknown identifier', async () => {
    const people = [await newPerson(), await newPerson()];
    for (let sample = 0; sample < 10; sample += 1) {
      const known = people[sample % 2]?.[sample % 4 < 2 ? 'email' : 'mobile'] ?? '';
      const unknown = known.includes('@') ? `nobody-${sample}@people.example` : `+96659000000${sample}`;
      desk.trips();
      const first = valueOf(await ask(known));
      const trips = known.includes('@') ? ['commit', 'read'] : ['read', 'commit', 'read'];
      expect(desk.trips()).toEqual(trips);
      const second = valueOf(await ask(unknown));
      expect(desk.trips()).toEqual(trips);
      expect(Object.keys(second)).toEqual(Object.keys(first));
      const [wrong, nobodys] = [
        await verifySignIn(desk.services, { challengeId: first.challengeId, otp: 'abcdef' }, where()),
        await verifySignIn(desk.services, { challengeId: second.challengeId, otp: 'abcdef' }, where()),
      ];
      expect(nobodys).toEqual(wrong);
      expect(desk.trips()).toEqual(['read', 'commit', 'read', 'read', 'commit', 'read']);
      desk.clock.advance(300);
    }
  });

  it('sends the code after the response, and none to an unknown identifier', async () => {
    const { mobile } = await newPerson();
    await desk.rest();
    const pending: Promise<unknown>[] = [];
    const services = { ...desk.services, later: (work: Promise<unknown>) => void pending.push(work) };
    const before = desk.sent.length;
    // The known one is last, because its code may be sent while another request is answered.
    for (const identifier of ['+966599999999', mobile])
      expect((await startSignIn(services, { identifier, deviceReference: newId() }, where())).ok).toBe(true);
    // Nothing has begun when the response leaves, so it takes the same time for both.
    expect(desk.sent).toHaveLength(before);
    await Promise.all(pending);
    expect(desk.sent.slice(before)).toEqual([
      { channel: 'SMS', recipient: mobile, purpose: 'SIGN_IN', code: expect.stringMatching(/^[0-9]{6}$/) },
    ]);
    expect(pending).toHaveLength(1);
  });

  it('expires after five minutes', async () => {
    const { challengeId } = valueOf(await ask((await newPerson()).email));
    const otp = desk.sent.at(-1)?.code ?? '';
    desk.clock.advance(301);
    expect(await verifySignIn(desk.services, { challengeId, otp }, where())).toEqual({
      ok: false,
      code: 'OTP_EXPIRED',
    });
  });

  it('needs a message provider', async () => {
    desk.setProvider('none');
    expect(await ask((await newPerson()).email)).toMatchObject({ code: 'MESSAGE_PROVIDER_UNAVAILABLE' });
    expect(await ask('nobody@people.example')).toMatchObject({ code: 'MESSAGE_PROVIDER_UNAVAILABLE' });
    desk.setProvider('carrier');
  });
});

describe('a second factor', () => {
  it('is fresh for ten minutes', async () => {
    const token = await signIn((await newPerson()).email);
    const { elevationId } = valueOf(await startElevation(desk.services, await personOf(token), where()));
    const otp = desk.sent.at(-1)?.code ?? '';
    const order = { elevationId: requireUuid(elevationId), otp, where: where() };
    const raised = valueOf(await verifyElevation(desk.services, await personOf(token), order));
    expect(await find(token)).toBeUndefined();
    expect(codeOf(await personOf(raised.sessionToken))).toBe('');
    desk.clock.advance(599);
    expect(codeOf(await personOf(raised.sessionToken))).toBe('');
    desk.clock.advance(1);
    expect(codeOf(await personOf(raised.sessionToken))).toBe('REAUTHENTICATION_REQUIRED');
  });

  it('is checked after the role', async () => {
    const person = await personOf(await signIn((await newPerson()).email));
    expect(codeOf(person)).toBe('ASSURANCE_REQUIRED');
    expect(codeOf({ ...person, role: 'MEMBER' })).toBe('ACCESS_DENIED');
  });

  /** The code of the refusal of an owner-only action; empty if it is allowed. */
  function codeOf(person: Person): string {
    try {
      requireCompanyOf(person, { role: 'OWNER', assurance: 'AAL2' }, desk.clock.now());
      return '';
    } catch (error) {
      return error instanceof Problem ? error.refusal.code : String(error);
    }
  }
});
