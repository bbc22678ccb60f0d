import { describe, expect, it } from 'vitest';
import { addClient, addCompany } from '../../scripts/shared/companies.ts';
import { issueToken, type TestClient } from '../../scripts/shared/connection.ts';
import { SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { basic, expectOAuthError, type Form, postForm } from '../support/oauth.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const company = await addCompany(environment);
const stranger = await addCompany(environment);
const sibling = await addClient(environment, { companyId: company.companyId });

const revoke = (form: Form, headers?: Record<string, string>) => postForm(environment, '/oauth/revoke', form, headers);
const newToken = (client: TestClient = company) => issueToken(environment, client);
async function statusWith(token: string): Promise<number> {
  return (await environment.fetch(SHIPMENTS, { headers: { authorization: `Bearer ${token}` } })).status;
}

describe('POST /oauth/revoke', () => {
  it.each([
    ['HTTP Basic', basic(company), {}],
    ['the body', {}, { client_id: company.clientId, client_secret: company.clientSecret }],
  ])('revokes a token of the client authenticated by %s, at once', async (_way, headers, form) => {
    const token = await newToken();
    const kept = await newToken();
    expect(await statusWith(token)).toBe(200);
    const response = await revoke({ token, ...form }, headers);
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect([await statusWith(token), await statusWith(kept)]).toEqual([401, 200]);
  });

  it('accepts any token_type_hint and repeated revocations', async () => {
    const token = await newToken();
    for (const hint of ['access_token', 'refresh_token', 'nonsense']) {
      expect((await revoke({ token, token_type_hint: hint }, basic(company))).status).toBe(200);
    }
    expect(await statusWith(token)).toBe(401);
  });

  it('stores the revocation until the token would have expired', async () => {
    const token = await newToken();
    await revoke({ token }, basic(company));
    const { jti, exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
      jti: string;
      exp: number;
    };
    const rows = await environment.sql('directory', 'select expires_at from token_revocations where token_id = ?', [
      jti,
    ]);
    expect(rows).toEqual([{ expires_at: exp * 1_000_000 }]);
  });

  it.each([
    ['of another company', stranger],
    ['of another client of the company', sibling],
  ])('is 200 for a token %s, but does not revoke it', async (_case, other) => {
    const token = await newToken(other);
    const response = await revoke({ token }, basic(company));
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(await statusWith(token)).toBe(200);
  });

  it.each(['abc', 'a.b.c', 'x'.repeat(4000)])('is 200 for a malformed token: %s', async (token) => {
    const response = await revoke({ token }, basic(company));
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});

describe('a wrong request', () => {
  it.each([
    ['no token', {}, basic(company), 400, 'invalid_request'],
    ['an empty token', { token: '' }, basic(company), 400, 'invalid_request'],
    ['two ways to authenticate', { token: 'x', client_secret: 'y' }, basic(company), 400, 'invalid_request'],
    ['no authentication', { token: 'x' }, {}, 401, 'invalid_client'],
    ['a wrong secret', { token: 'x' }, basic({ ...company, clientSecret: 'msk_test_x' }), 401, 'invalid_client'],
  ])('with %s', async (_case, form, headers, status, error) => {
    await expectOAuthError(await revoke(form, headers), { status, error });
  });

  it('with the token twice', async () => {
    const form = [
      ['token', 'x'],
      ['token', 'y'],
    ] as const;
    await expectOAuthError(await revoke(form, basic(company)), { status: 400, error: 'invalid_request' });
  });

  it('as JSON', async () => {
    const headers = { ...basic(company), 'content-type': 'application/json' };
    const response = await environment.fetch('/oauth/revoke', { method: 'POST', body: '{"token":"x"}', headers });
    await expectOAuthError(response, { status: 415, error: 'invalid_request' });
  });

  it('with a body of more than 8 KiB', async () => {
    const response = await revoke({ token: 'x'.repeat(9000) }, basic(company));
    const body = await expectOAuthError(response, { status: 413, error: 'invalid_request' });
    expect(body['code']).toBe('PAYLOAD_TOO_LARGE');
  });

  it('does not revoke the token in the request', async () => {
    const token = await newToken();
    await revoke({ token }, basic({ ...company, clientSecret: 'msk_test_x' }));
    expect(await statusWith(token)).toBe(200);
  });
});
