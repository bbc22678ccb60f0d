import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { addCompany } from '../../scripts/shared/companies.ts';
import { BASE_URL, type TestCompany } from '../../scripts/shared/connection.ts';
import {
  AUTHENTICATION,
  addOperator,
  addPerson,
  addSession,
  codesTo,
  type TestPerson,
} from '../../scripts/shared/people.ts';
import { newSandbox, sendJson } from '../../scripts/shared/sandbox.ts';
import { askForCode } from '../support/driver-sign-in.ts';
import { addDriver, newCity } from '../support/fleet.ts';
import { mediaForm, statesOf } from '../support/media.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { problemOfCall, trpcClientWith } from '../support/trpc.ts';

/* A page acts for the person and the company that it shows: `Mirsal-Acting-As`. */

const environment = sharedEnvironment();
const ACTING_AS = 'Mirsal-Acting-As';
const CURRENT = `${AUTHENTICATION}/sessions/current`;
const ELEVATIONS = `${AUTHENTICATION}/assurance-elevations`;
const MALFORMED = { status: 400, code: 'INVALID_HEADER', violations: [`${ACTING_AS} PATTERN_MISMATCH`] };
const CHANGED = { status: 409, code: 'SESSION_CHANGED' } as const;

interface Holder {
  readonly company: TestCompany;
  readonly person: TestPerson;
  readonly token: string;
  /** What its pages send. */
  readonly name: string;
}

async function newHolder(assurance: 'AAL1' | 'AAL2' = 'AAL2'): Promise<Holder> {
  const company = await addCompany(environment);
  const person = await addPerson(environment, company);
  const token = await addSession(environment, person, { assurance });
  return { company, person, token, name: `${person.personId}.${company.companyId}` };
}

const bearer = (token: string, name?: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  ...(name === undefined ? {} : { [ACTING_AS]: name }),
});
/** As a page of the service sends it. */
const page = (token: string, name: string): Record<string, string> => ({
  cookie: `__Host-session=${token}`,
  origin: BASE_URL,
  'sec-fetch-site': 'same-origin',
  [ACTING_AS]: name,
});
const call = (headers: Record<string, string>) => trpcClientWith(environment, headers);

describe('a page of somebody else than the session’s holder', () => {
  it('changes nothing: a branch, an endpoint, a shipment, people, a session', async () => {
    const [shown, holder] = [await newHolder(), await newHolder()];
    const pages = call(bearer(holder.token, shown.name));
    const branch = { branchCode: 'OTHER', name: 'Other', nameAr: 'آخر', cityCode: 'RUH' };
    const endpoint = { url: 'https://hooks.example.com/mirsal', eventTypes: ['*' as const] };
    const newcomer = { fullName: 'Huda', email: 'huda@people.example', mobile: '0512345678', role: 'OWNER' as const };
    for (const attempt of [
      () => pages.branches.create.mutate(branch),
      () => pages.webhookEndpoints.create.mutate(endpoint),
      () => pages.merchantApiCredential.rotate.mutate({ overlapSeconds: 0 }),
      () => pages.people.add.mutate(newcomer),
      () => pages.shipments.create.mutate({ idempotencyKey: randomUUID() } as never),
      () => pages.sessions.end.mutate({ sessionId: randomUUID() }),
      () => pages.sessions.signOut.mutate({}),
    ])
      expect(await problemOfCall(attempt())).toMatchObject(CHANGED);
    const { shard, companyId } = holder.company;
    const count = async (table: string, where: string) =>
      (
        await environment.sql(shard, `select count(*) as n from ${table} where company_id = ? and ${where}`, [
          companyId,
        ])
      )[0];
    expect(await count('branches', "branch_code = 'OTHER'")).toMatchObject({ n: 0 });
    expect(await count('webhook_endpoints', '1')).toMatchObject({ n: 0 });
    const own = call(bearer(holder.token, holder.name));
    expect(await own.people.list.query({})).toHaveLength(1);
    expect(await own.sessions.current.query({})).toMatchObject({ person: { personId: holder.person.personId } });
  });

  it('reads nothing: lists, CSV, a label, the code in the local inbox', async () => {
    const [shown, holder] = [await newHolder(), await newHolder()];
    const headers = page(holder.token, shown.name);
    for (const path of [
      '/v2/external/shipments',
      `/v2/external/shipments/${randomUUID()}/waybill`,
      CURRENT,
      '/local/one-time-codes?recipient=me',
    ]) {
      await expectProblem(await environment.fetch(path, { headers }), CHANGED);
      const own = await environment.fetch(path, { headers: page(holder.token, holder.name) });
      expect(own.status).toBe(path.endsWith('waybill') ? 403 : 200);
    }
    const csv = { ...headers, accept: 'text/csv' };
    await expectProblem(await environment.fetch('/v2/external/shipments', { headers: csv }), CHANGED);
  });

  it('uploads nothing', async () => {
    const [shown, holder] = [await newHolder(), await newHolder()];
    const upload = (name: string) =>
      environment.fetch('/trpc/mediaAssets.create', {
        method: 'POST',
        body: mediaForm({ externalReference: 'a' }),
        headers: page(holder.token, name),
      });
    const refused = await upload(shown.name);
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('SESSION_CHANGED')]);
    expect(await statesOf(environment, holder.company)).toEqual([]);
    expect((await upload(holder.name)).status).toBe(200);
  });

  it('is refused in each call of a batch', async () => {
    const [shown, holder] = [await newHolder(), await newHolder()];
    const path = '/trpc/sessions.current,sessions.list?batch=1&input=%7B%220%22%3A%7B%7D%2C%221%22%3A%7B%7D%7D';
    const response = await environment.fetch(path, { headers: page(holder.token, shown.name) });
    const answers = z.array(z.object({ error: z.object({ message: z.string() }) })).parse(await response.json());
    expect(answers.map(({ error }) => error.message)).toEqual(['SESSION_CHANGED', 'SESSION_CHANGED']);
  });

  it('gets that refusal before any about the holder: the role, the second factor, a suspension', async () => {
    const [shown, holder] = [await newHolder(), await newHolder('AAL1')];
    const pages = call(bearer(holder.token, shown.name));
    expect(await problemOfCall(pages.people.list.query({}))).toMatchObject(CHANGED);
    expect(await problemOfCall(pages.merchantApiCredential.rotate.mutate({ overlapSeconds: 0 }))).toMatchObject(
      CHANGED,
    );
    const { companyId } = holder.company;
    await environment.sql(
      'directory',
      "insert into company_suspensions (company_id, version, since, suspended_by, reason) values (?, 1, 1, 'x', 'x')",
      [companyId],
    );
    expect(await problemOfCall(pages.sessions.current.query({}))).toMatchObject(CHANGED);
    const own = call(bearer(holder.token, holder.name));
    expect(await problemOfCall(own.sessions.current.query({}))).toMatchObject({ companyState: 'SUSPENDED' });
  });

  it('is also the page of the same person in an earlier company', async () => {
    const holder = await newHolder();
    const next = await addCompany(environment);
    await environment.sql('directory', 'update company_members set company_id = ? where person_id = ?', [
      next.companyId,
      holder.person.personId,
    ]);
    const response = await environment.fetch(CURRENT, { headers: bearer(holder.token, holder.name) });
    await expectProblem(response, CHANGED);
    const moved = bearer(holder.token, `${holder.person.personId}.${next.companyId}`);
    expect((await environment.fetch(CURRENT, { headers: moved })).status).toBe(200);
  });

  it('starts no second factor, and proves none that another session asked for', async () => {
    const [shown, holder] = [await newHolder('AAL1'), await newHolder('AAL1')];
    const start = (token: string, name: string) =>
      environment.fetch(ELEVATIONS, {
        method: 'POST',
        body: '{}',
        headers: { ...bearer(token, name), 'content-type': 'application/json' },
      });
    await expectProblem(await start(holder.token, shown.name), CHANGED);
    expect(await codesTo(environment, holder.person.mobile)).toEqual([]);
    const { elevationId } = z
      .looseObject({ elevationId: z.uuid() })
      .parse(await (await start(shown.token, shown.name)).json());
    const [otp = ''] = await codesTo(environment, shown.person.mobile);
    const answer = (token: string, name?: string) =>
      environment.fetch(`${ELEVATIONS}/${elevationId}/verifications`, {
        method: 'POST',
        body: JSON.stringify({ otp }),
        headers: { ...bearer(token, name), 'content-type': 'application/json' },
      });
    await expectProblem(await answer(holder.token, shown.name), CHANGED);
    // A page of the other person, and the same person's other session: the code is the session's that asked for it.
    await expectProblem(await answer(holder.token, holder.name), { status: 422, code: 'OTP_EXPIRED' });
    const second = await addSession(environment, shown.person);
    await expectProblem(await answer(second, shown.name), { status: 422, code: 'OTP_EXPIRED' });
    expect((await answer(shown.token, shown.name)).status).toBe(200);
  });
});

describe('a sign-in within a page', () => {
  const ask = async (identifier: string) => {
    const body = { identifier, deviceReference: randomUUID() };
    const asked = await sendJson(environment, 'POST', `${AUTHENTICATION}/sign-ins`, body);
    const { challengeId } = z.looseObject({ challengeId: z.uuid() }).parse(await asked.json());
    const [otp = ''] = await codesTo(environment, identifier);
    return (name: string | undefined, code = otp) =>
      environment.fetch(`${AUTHENTICATION}/sign-ins/${challengeId}/verifications`, {
        method: 'POST',
        body: JSON.stringify({ otp: code }),
        headers: { 'content-type': 'application/json', ...(name === undefined ? {} : { [ACTING_AS]: name }) },
      });
  };

  it('signs in the person the page shows', async () => {
    const { person, name } = await newHolder();
    const answer = await ask(person.email);
    const response = await answer(name);
    expect([response.status, response.headers.getSetCookie().length]).toEqual([200, 1]);
  });

  it('signs in nobody else, and leaves the code for a page that shows nobody', async () => {
    const [shown, other] = [await newHolder(), await newHolder()];
    const answer = await ask(other.person.mobile);
    await expectProblem(await answer(shown.name, '000000'), { status: 422, code: 'OTP_INVALID' });
    const refused = await answer(shown.name);
    expect(refused.headers.getSetCookie()).toEqual([]);
    await expectProblem(refused, CHANGED);
    const sessions = 'select count(*) as n from sessions where person_id = ?';
    expect(await environment.sql('directory', sessions, [other.person.personId])).toMatchObject([{ n: 1 }]);
    await expectProblem(await answer('nobody'), MALFORMED);
    expect((await answer(undefined)).status).toBe(200);
  });

  it('says nothing about who has an unknown or another’s identifier without its code', async () => {
    const { name } = await newHolder();
    const answer = await ask('nobody@people.example');
    await expectProblem(await answer(name, '123456'), { status: 422, code: 'OTP_INVALID' });
  });
});

describe('the header', () => {
  it('may be left out, and takes ids in either case', async () => {
    const { token, name } = await newHolder();
    for (const headers of [bearer(token), bearer(token, name), bearer(token, name.toUpperCase())])
      expect((await environment.fetch(CURRENT, { headers })).status).toBe(200);
  });

  it.each([
    ['is empty', () => ''],
    ['has no point', (name: string) => name.replace('.', '')],
    ['has a third part', (name: string) => `${name}.`],
    ['has another separator', (name: string) => name.replace('.', '/')],
    ['stands twice', (name: string) => `${name}, ${name}`],
    ['is no id', () => 'me.company'],
    ['has braces', (name: string) => `{${name}}`],
    ['names no person', (name: string) => name.slice(name.indexOf('.'))],
  ])('is refused with 400 if it %s', async (_case, change) => {
    const { token, name } = await newHolder();
    for (const headers of [bearer(token, change(name)), page(token, change(name))]) {
      const refused = await environment.fetch(CURRENT, { headers });
      await expectProblem(refused, MALFORMED);
    }
  });

  it('means nothing to the token of a program, which is one company’s', async () => {
    const { company, name } = await newHolder();
    const token = await environment.token(company);
    for (const named of [name, (await newHolder()).name, 'anything'])
      expect((await environment.fetch('/v2/external/shipments', { headers: bearer(token, named) })).status).toBe(200);
  });

  it('is not looked at before the session is known', async () => {
    const { name } = await newHolder();
    const refused = await environment.fetch(CURRENT, { headers: bearer(`ses_${'A'.repeat(43)}`, name) });
    await expectProblem(refused, { status: 401, code: 'AUTHENTICATION_REQUIRED' });
  });
});

describe('operators and drivers', () => {
  it('an operator’s page names the operator and no company', async () => {
    const operator = await addOperator(environment);
    const token = await addSession(environment, operator, { assurance: 'AAL2' });
    const merchant = await newHolder();
    const list = (session: string, name: string) => call(bearer(session, name)).operations.tariffs.list.query({});
    expect((await list(token, `${operator.personId}.`)).length).toBeGreaterThan(0);
    for (const name of [merchant.name, `${operator.personId}.${merchant.company.companyId}`, `${randomUUID()}.`])
      expect(await problemOfCall(list(token, name))).toMatchObject(CHANGED);
    expect(await problemOfCall(list(merchant.token, `${operator.personId}.`))).toMatchObject(CHANGED);
  });

  it('a driver’s page names the driver, and a call for another does nothing', async () => {
    const city = newCity();
    const [shown, holder] = [await addDriver(environment, city), await addDriver(environment, city)];
    const { challengeId, otp } = await askForCode(environment, holder.phone);
    const verified = await sendJson(environment, 'POST', `/v2/driver/sessions/${challengeId}/verifications`, { otp });
    const { driverToken } = z.looseObject({ driverToken: z.string() }).parse(await verified.json());
    const standing = (name: string) => environment.fetch('/v2/driver/me', { headers: bearer(driverToken, name) });
    expect((await standing(`${holder.driverId}.`)).status).toBe(200);
    await expectProblem(await standing(`${shown.driverId}.`), CHANGED);
    await expectProblem(await standing(holder.driverId), MALFORMED);
    const pages = call(bearer(driverToken, `${shown.driverId}.`)).driver;
    expect(await problemOfCall(pages.setDuty.mutate({ onDuty: false }))).toMatchObject(CHANGED);
    expect(await problemOfCall(pages.signOut.mutate({}))).toMatchObject(CHANGED);
    expect(await call(bearer(driverToken)).driver.getStanding.query({})).toMatchObject({ onDuty: true });
  });

  it('the sandbox’s driver is named alike', async () => {
    const sandbox = await newSandbox(environment);
    const { token } = await sandbox.signIn();
    const { driverId } = await call(bearer(token)).driver.getStanding.query({});
    expect(await call(bearer(token, `${driverId}.`)).driver.getStanding.query({})).toMatchObject({ driverId });
    const named = call(bearer(token, `${driverId}.${sandbox.company.companyId}`));
    expect(await problemOfCall(named.driver.getStanding.query({}))).toMatchObject(CHANGED);
  });
});

describe('429 for codes', () => {
  it('says the seconds in the body and in Retry-After', async () => {
    const { phone } = await addDriver(environment, newCity());
    const ask = () => sendJson(environment, 'POST', '/v2/driver/sessions', { phone });
    await ask();
    const refused = await ask();
    const retryAfterSeconds = Number(refused.headers.get('retry-after'));
    expect(retryAfterSeconds).toBeGreaterThan(50);
    expect(await expectProblem(refused, { status: 429, code: 'OTP_RATE_LIMITED' })).toMatchObject({
      retryAfterSeconds,
    });
  });
});
