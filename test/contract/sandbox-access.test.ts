import { decodeJwt, importJWK, type JWK, SignJWT } from 'jose';
import { v7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { addPerson, addSession } from '../../scripts/shared/people.ts';
import { readChallenge, readReadiness, SANDBOX, sendJson } from '../../scripts/shared/sandbox.ts';
import { newOwner } from '../support/credentials.ts';
import { expectProblem } from '../support/problem.ts';
import { complete } from '../support/registrations.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

/** How people use their company's sandbox, and which callers are refused. */

const environment = sharedEnvironment();
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const cookie = (token: string) => ({ cookie: `__Host-session=${token}` });
const send = (method: string, path: string, headers: Readonly<Record<string, string>>, body?: unknown) =>
  sendJson(environment, method, `${SANDBOX}${path}`, body, headers);

describe('a person of any role', () => {
  it.each(['OWNER', 'MEMBER'] as const)('creates and reads the sandbox of their company: %s', async (role) => {
    const company = await addCompany(environment);
    const token = await addSession(environment, await addPerson(environment, company, role));
    const own = { ...cookie(token), origin: environment.baseUrl };
    expect(await readReadiness(await send('GET', '/readiness', cookie(token)))).toMatchObject({
      canCreateShipment: false,
    });
    const made = await send('POST', '/bootstrap', own);
    expect(made.status).toBe(201);
    expect(await readReadiness(made)).toMatchObject({ canCreateShipment: true, generation: 1 });
    expect((await send('POST', '/bootstrap', bearer(token))).status).toBe(200);
    const system = bearer(await environment.token(company));
    const told = await Promise.all(
      [bearer(token), cookie(token), system].map(async (headers) => (await send('GET', '/readiness', headers)).text()),
    );
    expect(new Set(told).size).toBe(1);
  });

  it('changes the sandbox', async () => {
    const company = await addCompany(environment);
    const token = bearer(await addSession(environment, await addPerson(environment, company, 'MEMBER')));
    const { sandboxDriverPhone: phone } = await readReadiness(await send('POST', '/bootstrap', token));
    const held = await readReadiness(await send('PUT', '/dispatch-hold', token, { held: true }));
    expect(held.nextShipmentDispatchHeld).toBe(true);
    const reset = await readReadiness(await send('POST', '/resets', token));
    expect(reset).toMatchObject({ generation: 2, nextShipmentDispatchHeld: false });
    expect((await send('POST', '/faults', token, { target: 'ROUTING', count: 1 })).status).toBe(201);
    expect((await send('DELETE', '/faults', token)).status).toBe(204);
    const { challengeId, sandboxOtp } = await readChallenge(await send('POST', '/driver-sessions', token, { phone }));
    const verified = await send('POST', `/driver-sessions/${challengeId}/verifications`, token, { otp: sandboxOtp });
    expect(verified.status).toBe(200);
  });

  it('creates one sandbox together with client programs for twenty concurrent requests', async () => {
    const company = await addCompany(environment, 'shard-2');
    const callers = [
      bearer(await addSession(environment, await addPerson(environment, company))),
      { ...cookie(await addSession(environment, await addPerson(environment, company))), origin: environment.baseUrl },
      bearer(await environment.token(company)),
      bearer(await environment.token(company, 'webhooks:manage')),
    ];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => send('POST', '/bootstrap', callers[index % callers.length] ?? {})),
    );
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([...Array.from({ length: 19 }, () => 200), 201]);
    expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1);
  });
});

const CHANGES = [
  ['POST', '/bootstrap', undefined],
  ['PUT', '/dispatch-hold', { held: true }],
  ['POST', '/resets', undefined],
  ['POST', '/faults', { target: 'ROUTING', count: 1 }],
  ['DELETE', '/faults', undefined],
  ['POST', `/shipments/${v7()}/scenarios`, { name: 'LOST', stepSeconds: 0 }],
  ['POST', `/shipments/${v7()}/dispatch-releases`, undefined],
] as const;

describe.each(CHANGES)('%s %s', (method, path, body) => {
  it('is 403 for a cookie sent from a page of another site', async () => {
    const { token } = await newOwner(environment);
    for (const foreign of [{}, { origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const response = await send(method, path, { ...cookie(token), ...foreign }, body);
      await expectProblem(response, { status: 403, code: 'ACCESS_DENIED' });
    }
  });

  it('is 400 with a cookie and a bearer token at once, and 401 with an unknown session', async () => {
    const { token } = await newOwner(environment);
    const both = { ...cookie(token), ...bearer(await environment.token(environment.companies[0])) };
    await expectProblem(await send(method, path, both, body), {
      status: 400,
      code: 'INVALID_HEADER',
      violations: ['Authorization FORBIDDEN_FIELD', 'Cookie FORBIDDEN_FIELD'],
    });
    const none = bearer(`ses_${'y'.repeat(43)}`);
    await expectProblem(await send(method, path, none, body), { status: 401, code: 'AUTHENTICATION_REQUIRED' });
  });
});

it('a person has access to shipments of their own company only', async () => {
  const { token } = await newOwner(environment);
  for (const path of ['scenarios', 'dispatch-releases']) {
    const body = path === 'scenarios' ? { name: 'LOST', stepSeconds: 0 } : undefined;
    const response = await send('POST', `/shipments/${v7()}/${path}`, bearer(token), body);
    await expectProblem(response, { status: 403, code: 'ACCESS_DENIED' });
  }
});

describe('COMPANY_VERIFIED', () => {
  const verifiedOf = (body: { prerequisites: readonly { prerequisite: string; ready: boolean }[] }) =>
    body.prerequisites.find(({ prerequisite }) => prerequisite === 'COMPANY_VERIFIED')?.ready;

  it('is true for a company with a completed registration', async () => {
    const { companyId } = await complete(environment);
    const [owner] = await environment.sql('directory', 'select person_id from company_members where company_id = ?', [
      companyId,
    ]);
    const token = await addSession(environment, { personId: String(owner?.['person_id']) });
    const made = await send('POST', '/bootstrap', bearer(token));
    expect(made.status).toBe(201);
    const body = await readReadiness(made);
    expect([verifiedOf(body), body.canCreateShipment]).toEqual([true, true]);
  });

  it('is false for an unknown company, whatever its token says', async () => {
    const company = await addCompany(environment);
    const [signingKey] = JSON.parse(environment.signingKeys) as [JWK & { kid: string }];
    const claims = { ...decodeJwt(await environment.token(company)), jti: v7(), company: v7() };
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: signingKey.kid })
      .sign(await importJWK(signingKey, 'EdDSA'));
    const body = await readReadiness(await send('GET', '/readiness', bearer(token)));
    expect([verifiedOf(body), body.canCreateShipment]).toEqual([false, false]);
  });
});
