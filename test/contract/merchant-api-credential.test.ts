import { describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { issueToken } from '../../scripts/shared/connection.ts';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { sendJson } from '../../scripts/shared/sandbox.ts';
import { until } from '../../scripts/shared/until.ts';
import { CREDENTIAL, newOwner, readIssued } from '../support/credentials.ts';
import { basic, postForm } from '../support/oauth.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const canSignIn = async (client: { clientId: string; clientSecret: string }) =>
  (await postForm(environment, '/oauth/token', { grant_type: 'client_credentials' }, basic(client))).status === 200;
/** The scopes of a new credential. */
const GRANTED = ['shipments:read', 'shipments:write', 'webhooks:manage'];
const ask = async (token: string) =>
  (await environment.fetch(SHIPMENTS, { headers: { authorization: `Bearer ${token}` } })).status;

describe('POST', () => {
  it('issues the credential with its secret, which obtains tokens of all scopes', async () => {
    const owner = await newOwner(environment);
    const response = await owner.send('POST', CREDENTIAL);
    expect({ status: response.status, cache: response.headers.get('cache-control') }).toEqual({
      status: 201,
      cache: 'no-store',
    });
    const body = (await response.json()) as Record<string, unknown>;
    expect(body).toEqual({
      credentialId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      clientId: expect.stringMatching(/^mcl_[A-Za-z0-9_-]{24}$/),
      clientSecret: expect.stringMatching(/^msk_test_[A-Za-z0-9_-]{43}$/),
      secretHint: String(body['clientSecret']).slice(-4),
      scopes: GRANTED,
      deployment: 'local',
      createdAt: expect.stringMatching(INSTANT),
    });
    const client = { clientId: String(body['clientId']), clientSecret: String(body['clientSecret']) };
    const granted = await postForm(environment, '/oauth/token', { grant_type: 'client_credentials' }, basic(client));
    expect(await granted.json()).toMatchObject({ scope: GRANTED.join(' ') });
    expect(await ask(await issueToken(environment, client))).toBe(200);
    const kept = await environment.sql('directory', 'select * from credential_secrets where secret_hint = ?', [
      String(body['secretHint']),
    ]);
    expect(JSON.stringify(kept)).not.toContain(client.clientSecret);
  });

  it('issues one credential for twenty concurrent requests', async () => {
    const owner = await newOwner(environment);
    const answers = await Promise.all(Array.from({ length: 20 }, () => owner.send('POST', CREDENTIAL)));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(19);
    for (const answer of refused) await expectProblem(answer, { status: 409, code: 'CREDENTIAL_ALREADY_EXISTS' });
    expect(await owner.audited()).toEqual(['credential.created']);
  });
});

describe('GET', () => {
  it('shows everything but the secret', async () => {
    const owner = await newOwner(environment);
    const { clientSecret, ...facts } = await readIssued(await owner.send('POST', CREDENTIAL));
    const response = await owner.send('GET', CREDENTIAL);
    const text = await response.text();
    expect(text).not.toContain(clientSecret);
    expect({ status: response.status, body: JSON.parse(text) as unknown }).toEqual({
      status: 200,
      body: { ...facts, lastUsedAt: null, previousSecretExpiresAt: null },
    });
  });

  it('shows the last use, which is written at most once a minute', async () => {
    const owner = await newOwner(environment);
    const client = await readIssued(await owner.send('POST', CREDENTIAL));
    const lastUse = async () =>
      ((await (await owner.send('GET', CREDENTIAL)).json()) as { lastUsedAt: string | null }).lastUsedAt ?? undefined;
    await issueToken(environment, client);
    const first = await until('the use is noted', lastUse);
    expect(first).toMatch(INSTANT);
    for (let index = 0; index < 3; index += 1) await issueToken(environment, client);
    expect(await lastUse()).toBe(first);
    // After a minute it is written again.
    const back = 'update credentials set last_used_at = last_used_at - 61000000 where client_id = ?';
    await environment.sql('directory', back, [client.clientId]);
    await issueToken(environment, client);
    expect(await until('the use is noted', async () => ((await lastUse()) ?? '') >= first || undefined)).toBe(true);
  });

  it('does not count a wrong secret as a use', async () => {
    const owner = await newOwner(environment);
    const client = await readIssued(await owner.send('POST', CREDENTIAL));
    expect(await canSignIn({ ...client, clientSecret: 'msk_test_wrong' })).toBe(false);
    expect(await (await owner.send('GET', CREDENTIAL)).json()).toMatchObject({ lastUsedAt: null });
  });
});

describe('PUT scopes', () => {
  const SCOPES = `${CREDENTIAL}/scopes`;
  const WITH_LOGS = [...GRANTED, 'logs:read'];

  it('grants a scope to new tokens, and a rotation keeps it', async () => {
    const owner = await newOwner(environment);
    const client = await readIssued(await owner.send('POST', CREDENTIAL));
    const violations = ['scopes[0] NOT_IN_ENUM'];
    const refused = { status: 422, code: 'VALIDATION_FAILED', violations } as const;
    await expectProblem(await owner.send('PUT', SCOPES, { scopes: ['operations'] }), refused);
    const response = await owner.send('PUT', SCOPES, { scopes: WITH_LOGS.toReversed() });
    expect([response.status, await response.json()]).toMatchObject([200, { scopes: WITH_LOGS }]);
    const token = await issueToken(environment, client, 'logs:read');
    const headers = { authorization: `Bearer ${token}` };
    expect((await environment.fetch('/v2/external/requests', { headers })).status).toBe(200);
    const rotated = await owner.send('POST', `${CREDENTIAL}/rotations`, {});
    expect(await rotated.json()).toMatchObject({ scopes: WITH_LOGS });
    expect(await owner.audited()).toEqual(['credential.created', 'credential.scopes_changed', 'credential.rotated']);
  });

  it('ends tokens with a scope that it takes away, and no others', async () => {
    const owner = await newOwner(environment);
    const client = await readIssued(await owner.send('POST', CREDENTIAL));
    const [all, one] = [await issueToken(environment, client), await issueToken(environment, client, 'shipments:read')];
    expect([await ask(all), await ask(one)]).toEqual([200, 200]);
    await owner.send('PUT', SCOPES, { scopes: ['shipments:read'] });
    expect([await ask(all), await ask(one)]).toEqual([401, 200]);
  });
});

describe('POST rotations', () => {
  const ROTATIONS = `${CREDENTIAL}/rotations`;

  it('issues a second secret, and both are valid during the overlap', async () => {
    const owner = await newOwner(environment);
    const first = await readIssued(await owner.send('POST', CREDENTIAL));
    const response = await owner.send('POST', ROTATIONS, { overlapSeconds: 3600 });
    expect(response.status).toBe(201);
    const second = await readIssued(response);
    const { clientSecret, secretHint, ...same } = first;
    const previousSecretExpiresAt = expect.stringMatching(INSTANT) as unknown;
    expect(second).toEqual({
      ...same,
      clientSecret: expect.stringMatching(/^msk_test_/),
      secretHint: second.clientSecret.slice(-4),
      previousSecretExpiresAt,
    });
    expect([second.clientSecret === clientSecret, second.secretHint === secretHint]).toEqual([false, false]);
    for (const client of [first, second]) expect(await canSignIn(client)).toBe(true);
    const told = (await (await owner.send('GET', CREDENTIAL)).json()) as Record<string, unknown>;
    expect(told).toMatchObject({ secretHint: second.secretHint, previousSecretExpiresAt });
    await expectProblem(await owner.send('POST', ROTATIONS, {}), { status: 409, code: 'SECRET_ROTATION_IN_PROGRESS' });
    expect(await owner.audited()).toEqual(['credential.created', 'credential.rotated']);
  });

  it('ends the first secret and its tokens after the overlap, and allows the next rotation', async () => {
    const owner = await newOwner(environment);
    const first = await readIssued(await owner.send('POST', CREDENTIAL));
    const second = await readIssued(await owner.send('POST', ROTATIONS, { overlapSeconds: 600 }));
    const tokens = [await issueToken(environment, first), await issueToken(environment, second)];
    await environment.sql(
      'directory',
      `update credential_secrets set expires_at = expires_at - 601000000 where expires_at is not null
        and credential_id = ?`,
      [first.credentialId],
    );
    expect([await canSignIn(first), await canSignIn(second)]).toEqual([false, true]);
    expect([await ask(tokens[0] ?? ''), await ask(tokens[1] ?? '')]).toEqual([401, 200]);
    expect((await owner.send('POST', ROTATIONS, {})).status).toBe(201);
  });

  it('ends the first secret at once without an overlap', async () => {
    const owner = await newOwner(environment);
    const first = await readIssued(await owner.send('POST', CREDENTIAL));
    const token = await issueToken(environment, first);
    expect(await ask(token)).toBe(200);
    const rotated = await owner.send('POST', ROTATIONS, { overlapSeconds: 0 });
    expect(await rotated.clone().json()).toMatchObject({ previousSecretExpiresAt: null });
    const second = await readIssued(rotated);
    expect([await canSignIn(first), await canSignIn(second)]).toEqual([false, true]);
    expect(await ask(token)).toBe(401);
    expect((await owner.send('POST', ROTATIONS, { overlapSeconds: 0 })).status).toBe(201);
  });

  it.each([
    ['an empty object', {}],
    ['no body', undefined],
  ])('overlaps for a day by default, given %s', async (_case, body) => {
    const owner = await newOwner(environment);
    await owner.send('POST', CREDENTIAL);
    const rotated = await owner.send('POST', ROTATIONS, body);
    expect(rotated.status).toBe(201);
    const { previousSecretExpiresAt } = (await rotated.json()) as { previousSecretExpiresAt: string };
    const ahead = Date.parse(previousSecretExpiresAt) - Date.now();
    expect(Math.abs(ahead - 86_400_000)).toBeLessThan(60_000);
  });

  it('starts once for ten concurrent requests', async () => {
    const owner = await newOwner(environment);
    await owner.send('POST', CREDENTIAL);
    const answers = await Promise.all(Array.from({ length: 10 }, () => owner.send('POST', ROTATIONS, {})));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(9);
    for (const answer of refused) await expectProblem(answer, { status: 409, code: 'SECRET_ROTATION_IN_PROGRESS' });
  });

  it.each([
    ['overlapSeconds OUT_OF_RANGE', { overlapSeconds: -1 }],
    ['overlapSeconds OUT_OF_RANGE', { overlapSeconds: 604_801 }],
    ['overlapSeconds TYPE_MISMATCH', { overlapSeconds: 1.5 }],
    ['overlapSeconds TYPE_MISMATCH', { overlapSeconds: '60' }],
    ['overlapSeconds NULL_NOT_ALLOWED', { overlapSeconds: null }],
    ['scopes UNKNOWN_PROPERTY', { scopes: ['operations'] }],
  ])('is 422 %s for %j', async (violation, body) => {
    const owner = await newOwner(environment);
    const response = await owner.send('POST', ROTATIONS, body);
    await expectProblem(response, { status: 422, code: 'VALIDATION_FAILED', violations: [violation] });
  });
});

describe('DELETE', () => {
  it('ends the credential, its secrets and its tokens, and allows a new credential', async () => {
    const owner = await newOwner(environment);
    const client = await readIssued(await owner.send('POST', CREDENTIAL));
    const rotated = await readIssued(await owner.send('POST', `${CREDENTIAL}/rotations`, {}));
    const tokens = await Promise.all([client, rotated].map((one) => issueToken(environment, one)));
    expect(await ask(tokens[0] ?? '')).toBe(200);
    const response = await owner.send('DELETE', CREDENTIAL);
    expect({ status: response.status, text: await response.text() }).toEqual({ status: 204, text: '' });
    for (const secret of [client, rotated]) expect(await canSignIn(secret)).toBe(false);
    for (const token of tokens) expect(await ask(token)).toBe(401);
    const next = await readIssued(await owner.send('POST', CREDENTIAL));
    expect(next.clientId).not.toBe(client.clientId);
    expect(await canSignIn(next)).toBe(true);
  });

  it('succeeds once for five concurrent requests', async () => {
    const owner = await newOwner(environment);
    await owner.send('POST', CREDENTIAL);
    const statuses = (await Promise.all(Array.from({ length: 5 }, () => owner.send('DELETE', CREDENTIAL)))).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted((one, other) => one - other)).toEqual([204, 404, 404, 404, 404]);
    expect(await owner.audited()).toEqual(['credential.created', 'credential.deleted']);
  });
});

it.each([
  ['GET', CREDENTIAL],
  ['DELETE', CREDENTIAL],
  ['POST', `${CREDENTIAL}/rotations`],
])('is 404 without a credential: %s %s', async (method, path) => {
  const owner = await newOwner(environment);
  const stranger = await addCompany(environment);
  expect(stranger.clientId).not.toBe('');
  const body = method === 'POST' ? {} : undefined;
  await expectProblem(await owner.send(method, path, body), { status: 404, code: 'RESOURCE_NOT_FOUND' });
  expect(await canSignIn(stranger)).toBe(true);
});

it('is audited with the person who did it, and without the secret', async () => {
  const owner = await newOwner(environment);
  const issued = await readIssued(await owner.send('POST', CREDENTIAL));
  const [entry] = await environment.sql('directory', 'select * from audit_entries where subject = ?', [
    issued.credentialId,
  ]);
  expect(entry).toMatchObject({
    company_id: owner.companyId,
    person_id: owner.personId,
    client_id: null,
    action: 'credential.created',
    detail: JSON.stringify({ clientId: issued.clientId }),
  });
});

it('refuses unknown query parameters', async () => {
  const owner = await newOwner(environment);
  const response = await sendJson(environment, 'POST', `${CREDENTIAL}?scopes=operations`, undefined, {
    authorization: `Bearer ${owner.token}`,
  });
  await expectProblem(response, {
    status: 400,
    code: 'UNKNOWN_QUERY_PARAMETER',
    violations: ['scopes UNKNOWN_PROPERTY'],
  });
});
