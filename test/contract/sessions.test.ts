import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { addCompany } from '../../scripts/shared/companies.ts';
import { AUTHENTICATION, addPerson, addSession, codesTo, otherThan, signIn } from '../../scripts/shared/people.ts';
import { sendJson } from '../../scripts/shared/sandbox.ts';
import { expectProblem, timelessText } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const company = await addCompany(environment);
const ORIGIN = 'https://api.mirsal.test';
const CURRENT = `${AUTHENTICATION}/sessions/current`;
const ELEVATIONS = `${AUTHENTICATION}/assurance-elevations`;

type Headers = Readonly<Record<string, string>>;
const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
const cookie = (token: string): Headers => ({ cookie: `__Host-session=${token}` });
const read = (headers: Headers) => environment.fetch(CURRENT, { headers });
const leave = (headers: Headers) => environment.fetch(CURRENT, { method: 'DELETE', headers });
const newSession = async () => addSession(environment, await addPerson(environment, company));

describe('a session', () => {
  it('is accepted as a bearer token and as a cookie', async () => {
    const token = await newSession();
    expect((await read(bearer(token))).status).toBe(200);
    expect((await read({ cookie: `theme=dark; __Host-session=${token}; a=b` })).status).toBe(200);
  });

  it('ends at once when its person signs out', async () => {
    const token = await newSession();
    const response = await leave(bearer(token));
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(response.headers.get('set-cookie')).toBe(
      '__Host-session=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax',
    );
    await expectRefused(await read(bearer(token)));
    await expectRefused(await leave(bearer(token)));
  });

  it('is ended once by eight concurrent sign-outs', async () => {
    const token = await newSession();
    const answers = await Promise.all(Array.from({ length: 8 }, () => leave(bearer(token))));
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(204);
    // A request that arrives after the sign-out has no session.
    expect(statuses.filter((status) => status !== 204 && status !== 401)).toEqual([]);
  });

  it.each([
    ['was never issued', (token: string) => `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`, ''],
    ['has expired', (token: string) => token, 'expires_at = 1'],
    ['was idle for half an hour', (token: string) => token, 'last_seen_at = last_seen_at - 1800 * 1000000'],
    ['is malformed', () => 'abc', ''],
    ['is empty', () => '', ''],
  ])('is refused with identical bytes if it %s', async (_case, change, assignment) => {
    const person = await addPerson(environment, company);
    const token = await addSession(environment, person);
    if (assignment !== '')
      await environment.sql('directory', `update sessions set ${assignment} where person_id = ?`, [person.personId]);
    const expected = await (await read(bearer('ses_x'))).text();
    for (const headers of [bearer(change(token)), cookie(change(token))]) {
      const response = await read(headers);
      expect(timelessText(await response.clone().text())).toBe(timelessText(expected));
      await expectRefused(response);
    }
  });

  it('is refused once its person no longer belongs to a company', async () => {
    const person = await addPerson(environment, company);
    const token = await addSession(environment, person);
    await environment.sql('directory', 'delete from company_members where person_id = ?', [person.personId]);
    await expectRefused(await read(bearer(token)));
  });

  it('is not accepted where a client token is required, nor the reverse', async () => {
    await expectRefused(await read(bearer(await environment.token(company))));
    const response = await environment.fetch('/v2/external/shipments', { headers: bearer(await newSession()) });
    await expectRefused(response);
  });

  it('is extended while it is used, with at most one write per minute', async () => {
    const person = await addPerson(environment, company);
    const token = await addSession(environment, person);
    const seen = async () =>
      (
        await environment.sql('directory', 'select last_seen_at from sessions where person_id = ?', [person.personId])
      )[0]?.['last_seen_at'];
    const first = await seen();
    for (let use = 0; use < 3; use += 1) await read(bearer(token));
    expect(await seen()).toBe(first);
    const ago = (seconds: number) =>
      environment.sql('directory', 'update sessions set last_seen_at = ? where person_id = ?', [
        Number(first) - seconds * 1e6,
        person.personId,
      ]);
    await ago(1500);
    expect((await read(bearer(token))).status).toBe(200);
    // It is written beside the answer.
    await expect.poll(async () => Number(await seen())).toBeGreaterThanOrEqual(Number(first));
  });
});

describe('a request with', () => {
  it('both a token and a cookie is 400', async () => {
    const token = await newSession();
    const both = await read({ ...bearer(token), ...cookie(token) });
    const violations = ['Authorization FORBIDDEN_FIELD', 'Cookie FORBIDDEN_FIELD'];
    await expectProblem(both, { status: 400, code: 'INVALID_HEADER', violations });
    await expectProblem(await read({ authorization: 'Basic eDp5', ...cookie(token) }), {
      status: 400,
      code: 'INVALID_HEADER',
      violations,
    });
  });

  it('two session cookies is 401', async () => {
    const token = await newSession();
    await expectRefused(await read({ cookie: `__Host-session=${token}; __Host-session=${token}` }));
  });

  it('a long session cookie is 401, and with cookies of more than 8 KiB is 400', async () => {
    await expectRefused(await read(cookie('x'.repeat(8000))));
    const response = await read({ cookie: `a=${'x'.repeat(9000)}` });
    await expectProblem(response, { status: 400, code: 'INVALID_HEADER', violations: ['Cookie TOO_LONG'] });
  });

  it('neither is 401 with a challenge without an error code', async () => {
    const response = await read({});
    await expectProblem(response, { status: 401, code: 'AUTHENTICATION_REQUIRED' });
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="mirsal"');
  });
});

describe('a change authenticated by cookie', () => {
  it.each([
    ['another site', { origin: 'https://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
    ['our host over plain HTTP', { origin: 'http://api.mirsal.test' }],
    ['another site by Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling site by Sec-Fetch-Site', { 'sec-fetch-site': 'same-site' }],
    ['an unknown origin', {}],
    ['another site, whatever Sec-Fetch-Site says', { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }],
  ])('from %s is 403', async (_case, headers) => {
    const token = await newSession();
    const response = await leave({ ...cookie(token), ...headers });
    await expectProblem(response, { status: 403, code: 'ACCESS_DENIED' });
    expect((await read(cookie(token))).status).toBe(200);
  });

  it.each([
    ['our origin', { origin: ORIGIN }],
    ['the same origin by Sec-Fetch-Site', { 'sec-fetch-site': 'same-origin' }],
  ])('from %s is accepted', async (_case, headers) => {
    const token = await newSession();
    expect((await leave({ ...cookie(token), ...headers })).status).toBe(204);
  });

  it('is refused only if it writes: a read from another site is answered', async () => {
    expect((await read({ ...cookie(await newSession()), origin: 'https://evil.example' })).status).toBe(200);
  });
});

const started = z.strictObject({
  elevationId: z.uuid(),
  channel: z.enum(['SMS', 'EMAIL']),
  maskedDestination: z.string(),
  expiresAt: z.string(),
});
const raised = z.strictObject({
  assuranceLevel: z.literal('AAL2'),
  freshUntil: z.string(),
  sessionToken: z.string().regex(/^ses_[A-Za-z0-9_-]{43}$/),
});
const begin = (token: string) => sendJson(environment, 'POST', ELEVATIONS, {}, bearer(token));
const prove = (token: string, elevationId: string, otp: string) =>
  sendJson(environment, 'POST', `${ELEVATIONS}/${elevationId}/verifications`, { otp }, bearer(token));

describe('an elevation', () => {
  it('has its code in the inbox of a local service, for the person of the session alone', async () => {
    const inbox = (headers: Headers) => environment.fetch('/local/one-time-codes?recipient=me', { headers });
    const person = await addPerson(environment, company);
    const token = await addSession(environment, person);
    await begin(token);
    const [code] = await codesTo(environment, person.mobile);
    expect(await (await inbox(bearer(token))).json()).toMatchObject({ data: [{ code, purpose: 'ELEVATION' }] });
    expect(await (await inbox(cookie(await newSession()))).json()).toEqual({ data: [] });
    expect((await inbox({})).status).toBe(401);
  });

  it.each([
    ['email', 'SMS'],
    ['mobile', 'EMAIL'],
  ] as const)('after a sign-in by %s uses %s, and replaces the token', async (first, channel) => {
    const person = await addPerson(environment, company);
    const token = await signIn(environment, person[first]);
    const response = await begin(token);
    expect(response.status).toBe(202);
    const { elevationId, ...rest } = started.parse(await response.json());
    expect(rest.channel).toBe(channel);
    const [letter, domain] = [person.email.slice(0, 1), person.email.split('@')[1]];
    const shown = { SMS: `********${person.mobile.slice(-4)}`, EMAIL: `${letter}********@${domain}` };
    expect(rest.maskedDestination).toBe(shown[channel]);
    const [code = ''] = await codesTo(environment, person[first === 'email' ? 'mobile' : 'email']);
    const proved = await prove(token, elevationId, code);
    expect(proved.status).toBe(200);
    const { sessionToken, freshUntil } = raised.parse(await proved.json());
    expect(proved.headers.get('set-cookie')).toContain(`__Host-session=${sessionToken}; Path=/;`);
    const minutes = (Date.parse(freshUntil) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(9.5);
    expect(minutes).toBeLessThanOrEqual(10.01);
    await expectRefused(await read(bearer(token)));
    const current = await (await read(bearer(sessionToken))).json();
    expect(current).toMatchObject({ assuranceLevel: 'AAL2', freshUntil });
    await expectProblem(await prove(sessionToken, elevationId, code), { status: 422, code: 'OTP_EXPIRED' });
  });

  it('cannot be completed by another session', async () => {
    const person = await addPerson(environment, company);
    const [token, other] = [await addSession(environment, person), await addSession(environment, person)];
    const { elevationId } = started.parse(await (await begin(token)).json());
    const [code = ''] = await codesTo(environment, person.mobile);
    await expectProblem(await prove(other, elevationId, code), { status: 422, code: 'OTP_EXPIRED' });
    expect((await prove(token, elevationId, code)).status).toBe(200);
  });

  it('allows five attempts', async () => {
    const person = await addPerson(environment, company);
    const token = await addSession(environment, person);
    const { elevationId } = started.parse(await (await begin(token)).json());
    const [code = ''] = await codesTo(environment, person.mobile);
    for (const attemptsRemaining of [4, 3, 2, 1, 0]) {
      const problem = await expectProblem(await prove(token, elevationId, otherThan(code)), {
        status: 422,
        code: 'OTP_INVALID',
      });
      expect(problem['attemptsRemaining']).toBe(attemptsRemaining);
    }
    await expectProblem(await prove(token, elevationId, code), { status: 422, code: 'OTP_EXPIRED' });
  });

  it('needs a session and an empty body', async () => {
    await expectProblem(await sendJson(environment, 'POST', ELEVATIONS, {}), {
      status: 401,
      code: 'AUTHENTICATION_REQUIRED',
    });
    const response = await sendJson(environment, 'POST', ELEVATIONS, { channel: 'SMS' }, bearer(await newSession()));
    await expectProblem(response, {
      status: 422,
      code: 'VALIDATION_FAILED',
      violations: ['channel UNKNOWN_PROPERTY'],
    });
  });
});

async function expectRefused(response: Response): Promise<void> {
  await expectProblem(response, { status: 401, code: 'AUTHENTICATION_REQUIRED' });
  expect(response.headers.get('www-authenticate')).toBe('Bearer realm="mirsal", error="invalid_token"');
}
