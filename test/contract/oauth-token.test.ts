import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import { addClient, addCompany, addSecret, nowMicros } from '../../scripts/shared/companies.ts';
import { BASE_URL } from '../../scripts/shared/connection.ts';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { basic, expectOAuthError, type Form, postForm } from '../support/oauth.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const company = await addCompany(environment, 'shard-2');
const GRANT = { grant_type: 'client_credentials' } as const;
const IN_BODY = { client_id: company.clientId, client_secret: company.clientSecret };
const ALL = 'shipments:read shipments:write webhooks:manage logs:read finance:read';

const ask = (form: Form, headers?: Record<string, string>) => postForm(environment, '/oauth/token', form, headers);
const wordsOf = (scope: unknown) => String(scope).split(' ').toSorted();

describe('POST /oauth/token', () => {
  it.each([
    ['HTTP Basic', GRANT, basic(company)],
    ['the body', { ...GRANT, ...IN_BODY }, {}],
    ['HTTP Basic, its id also in the body', { ...GRANT, client_id: company.clientId }, basic(company)],
  ])('returns a token for one hour to a client authenticated by %s', async (_way, form, headers) => {
    const response = await ask(form, headers);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
    });
    const body = (await response.json()) as Record<string, unknown>;
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: expect.any(String),
    });
    expect(wordsOf(body['scope'])).toEqual(wordsOf(ALL));
    const headersOut = { authorization: `Bearer ${String(body['access_token'])}` };
    expect((await environment.fetch(SHIPMENTS, { headers: headersOut })).status).toBe(200);
  });

  it('issues a JWT according to RFC 9068, signed with a published key', async () => {
    const token = await tokenWith({ ...GRANT, scope: 'shipments:read' });
    const { keys } = (await (await environment.fetch('/.well-known/jwks.json')).json()) as { keys: { kid: string }[] };
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid: keys[0]?.kid });
    const claims = decodeJwt(token);
    expect(claims).toMatchObject({
      iss: BASE_URL,
      aud: BASE_URL,
      sub: company.clientId,
      client_id: company.clientId,
      scope: 'shipments:read',
    });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(3600);
    expect(claims.jti).not.toBe(decodeJwt(await tokenWith(GRANT)).jti);
  });

  it.each([
    ['one', 'shipments:read', ['shipments:read']],
    ['two, in any order', 'webhooks:manage shipments:read', ['shipments:read', 'webhooks:manage']],
    ['one twice', 'shipments:write shipments:write', ['shipments:write']],
  ])('grants the requested scopes: %s', async (_case, scope, granted) => {
    const response = await ask({ ...GRANT, scope }, basic(company));
    expect(wordsOf(((await response.json()) as Record<string, unknown>)['scope'])).toEqual(granted);
  });

  it('treats an empty parameter as missing (RFC 6749 section 3.1)', async () => {
    const response = await ask({ ...GRANT, scope: '' }, basic(company));
    expect(wordsOf(((await response.json()) as Record<string, unknown>)['scope'])).toEqual(wordsOf(ALL));
  });

  it('ignores unknown parameters (RFC 6749 section 3.2)', async () => {
    expect((await ask({ ...GRANT, audience: 'x' }, basic(company))).status).toBe(200);
  });

  it('grants an operator the scope operations', async () => {
    const response = await ask(GRANT, basic(environment.operator));
    expect(await response.json()).toMatchObject({ scope: 'operations' });
  });
});

it.each([
  // The default of Apache HttpClient.
  'application/x-www-form-urlencoded; charset=ISO-8859-1',
  'application/x-www-form-urlencoded;charset=windows-1252; boundary=x',
  'APPLICATION/X-WWW-FORM-URLENCODED; charset=UTF-8',
])('a token is issued for a form as %s', async (type) => {
  const response = await ask(GRANT, { ...basic(company), 'content-type': type });
  expect(response.status).toBe(200);
});

describe('a wrong request', () => {
  const limited = { companyId: company.companyId, scopes: 'shipments:read' };
  it.each([
    ['no grant', {}, 400, 'invalid_request'],
    ['another grant', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['an unknown scope', { ...GRANT, scope: 'shipments:delete' }, 400, 'invalid_scope'],
    ['a known and an unknown scope', { ...GRANT, scope: 'shipments:read admin' }, 400, 'invalid_scope'],
    ['the scope of operators', { ...GRANT, scope: 'operations' }, 400, 'invalid_scope'],
    ['a scope in capitals', { ...GRANT, scope: 'SHIPMENTS:READ' }, 400, 'invalid_scope'],
    ['a secret in the header and in the body', { ...GRANT, ...IN_BODY }, 400, 'invalid_request'],
    ['another client in the body', { ...GRANT, client_id: 'mcl_other' }, 400, 'invalid_request'],
  ])('with %s', async (_case, form, status, error) => {
    await expectOAuthError(await ask(form, basic(company)), { status, error });
  });

  it('with a scope that is not granted to this client', async () => {
    const client = await addClient(environment, limited);
    const error = { status: 400, error: 'invalid_scope' };
    await expectOAuthError(await ask({ ...GRANT, scope: 'shipments:write' }, basic(client)), error);
    expect(await (await ask(GRANT, basic(client))).json()).toMatchObject({ scope: 'shipments:read' });
  });

  it('with a parameter twice', async () => {
    const form = [
      ['grant_type', 'client_credentials'],
      ['grant_type', 'client_credentials'],
    ] as const;
    await expectOAuthError(await ask(form, basic(company)), { status: 400, error: 'invalid_request' });
  });

  it.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x'])('as %s', async (type) => {
    const response = await environment.fetch('/oauth/token', {
      method: 'POST',
      body: 'grant_type=client_credentials',
      headers: { ...basic(company), 'content-type': type },
    });
    await expectOAuthError(response, { status: 415, error: 'invalid_request' });
  });

  it('with a compressed body', async () => {
    const response = await ask(GRANT, { ...basic(company), 'content-encoding': 'gzip' });
    expect(response.headers.get('accept-encoding')).toBe('identity');
    const body = await expectOAuthError(response, { status: 415, error: 'invalid_request' });
    expect(body['error_description']).toBe('The body has the content coding gzip. Send it without Content-Encoding.');
  });

  it('with a body of more than 8 KiB', async () => {
    const response = await ask({ ...GRANT, padding: 'x'.repeat(9000) }, basic(company));
    const body = await expectOAuthError(response, { status: 413, error: 'invalid_request' });
    expect(body['code']).toBe('PAYLOAD_TOO_LARGE');
  });
});

describe('a client that fails to authenticate is 401 and learns nothing', () => {
  const wrong = {
    ...company,
    clientSecret: `${company.clientSecret.slice(0, -1)}${company.clientSecret.endsWith('A') ? 'B' : 'A'}`,
  };
  it.each([
    ['no authentication', {}, {}],
    ['a wrong secret', {}, basic(wrong)],
    ['a wrong secret in the body', { client_id: company.clientId, client_secret: 'msk_test_x' }, {}],
    ['an unknown client', {}, basic({ clientId: 'mcl_nobody', clientSecret: company.clientSecret })],
    ["another client's secret", {}, basic({ ...company, clientSecret: environment.companies[0].clientSecret })],
    ['an id without a secret', { client_id: company.clientId }, {}],
    ['an empty secret', { client_id: company.clientId, client_secret: '' }, {}],
    ['a malformed Basic header', {}, { authorization: 'Basic ???' }],
    ['a header without a colon', {}, { authorization: `Basic ${Buffer.from('abc').toString('base64')}` }],
    ['a bearer token', {}, { authorization: 'Bearer abc' }],
    ['SQL', {}, basic({ clientId: "' or 1=1 --", clientSecret: "' or 1=1 --" })],
  ])('%s', async (_case, form, headers) => {
    const response = await ask({ ...GRANT, ...form }, headers);
    const challenge = response.headers.get('www-authenticate') ?? '';
    await expectOAuthError(response, { status: 401, error: 'invalid_client' });
    expect(challenge).toMatch(/\bBearer realm="/);
    expect(challenge).toMatch(/\bBasic realm="/);
  });

  it.each(['\n', '\r\n', ' ', '\t', '\u00a0'])('a secret with %j around it, and it is told', async (space) => {
    const sent = [`${company.clientSecret}${space}`, `${space}${company.clientSecret}`];
    for (const clientSecret of sent) {
      // As `echo -n` without -n makes it: no form encoding in Basic.
      const plain = `Basic ${Buffer.from(`${company.clientId}:${clientSecret}`).toString('base64')}`;
      const answers = [await ask({ ...GRANT, ...IN_BODY, client_secret: clientSecret })];
      if (space !== '\u00a0') answers.push(await ask(GRANT, { authorization: plain }));
      for (const answer of answers) {
        const body = await expectOAuthError(answer, { status: 401, error: 'invalid_client' });
        expect(body['error_description']).toMatch(/^The client secret has white space before or after it/);
      }
    }
  });

  it('a secret in the query, and it is told', async () => {
    const path = `/oauth/token?${new URLSearchParams({ ...GRANT, ...IN_BODY })}`;
    const told = /^client_secret is in the query, which logs keep/;
    const form = await expectOAuthError(await postForm(environment, path, GRANT), {
      ...{ status: 401, error: 'invalid_client' },
    });
    expect(form['error_description']).toMatch(told);
    const bare = await environment.fetch(path, { method: 'POST' });
    const body = await expectOAuthError(bare, { status: 415, error: 'invalid_request' });
    expect(body['error_description']).toMatch(told);
  });

  it('an unknown client and a wrong secret are answered alike', async () => {
    const texts = await Promise.all(
      [wrong, { clientId: 'mcl_nobody', clientSecret: 'x' }].map(async (client) => {
        const {
          requestId: _request,
          correlationId: _correlation,
          timestamp: _at,
          ...rest
        } = (await (await ask(GRANT, basic(client))).json()) as Record<string, unknown>;
        return JSON.stringify(rest);
      }),
    );
    expect(texts[0]).toBe(texts[1]);
  });

  it('a deleted credential and an expired secret are 401', async () => {
    const client = await addClient(environment, { companyId: company.companyId });
    const hour = 3600 * 1_000_000;
    const overlapping = { ...client, clientSecret: await addSecret(environment, client.clientId, nowMicros() + hour) };
    const over = { ...client, clientSecret: await addSecret(environment, client.clientId, nowMicros() - 1) };
    for (const valid of [client, overlapping]) expect((await ask(GRANT, basic(valid))).status).toBe(200);
    await expectOAuthError(await ask(GRANT, basic(over)), { status: 401, error: 'invalid_client' });
    await environment.sql('directory', 'update credentials set deleted_at = ? where client_id = ?', [
      nowMicros(),
      client.clientId,
    ]);
    for (const dead of [client, overlapping])
      await expectOAuthError(await ask(GRANT, basic(dead)), { status: 401, error: 'invalid_client' });
  });
});

async function tokenWith(form: Form): Promise<string> {
  return String(((await (await ask(form, basic(company))).json()) as Record<string, unknown>)['access_token']);
}
