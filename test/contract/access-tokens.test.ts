import { decodeJwt, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { v7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { addClient, addCompany, nowMicros } from '../../scripts/shared/companies.ts';
import { issueToken } from '../../scripts/shared/connection.ts';
import { merchantOf, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { expectProblem, timelessText } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const company = await addCompany(environment);
const [signingKey] = JSON.parse(environment.signingKeys) as [JWK & { kid: string }];
const genuine = decodeJwt(await environment.token(company));
const HEADER = { alg: 'EdDSA', typ: 'at+jwt', kid: signingKey.kid };
const now = Math.floor(Date.now() / 1000);

const ask = (authorization: string) => environment.fetch(SHIPMENTS, { headers: { authorization } });

/** A token that is valid apart from the given changes. Undefined removes a claim. */
async function forged(changes: Record<string, unknown>, header: Record<string, unknown> = {}): Promise<string> {
  const claims = Object.fromEntries(
    Object.entries({ ...genuine, ...changes }).filter(([, value]) => value !== undefined),
  );
  return new SignJWT(claims).setProtectedHeader({ ...HEADER, ...header }).sign(await importJWK(signingKey, 'EdDSA'));
}

describe('a forged token', () => {
  it('is accepted when nothing about it is wrong', async () => {
    expect((await ask(`Bearer ${await forged({ jti: v7() })}`)).status).toBe(200);
  });

  it.each<readonly [string, Record<string, unknown>]>([
    ['has expired', { exp: now - 60 }],
    ['never expires', { exp: undefined }],
    ['is not yet valid', { nbf: now + 600 }],
    ['has another issuer', { iss: 'https://sandbox.mirsal.test' }],
    ['is for another audience', { aud: 'https://sandbox.mirsal.test' }],
    ['has no audience', { aud: undefined }],
    ['has no issuer', { iss: undefined }],
    ['has no id', { jti: undefined }],
    ['has no client', { client_id: undefined }],
    ['names no secret', { sid: undefined }],
    ['names an unknown secret', { sid: v7() }],
    ['names a malformed secret', { sid: "' or 1=1 --" }],
  ])('is refused if it %s', async (_case, changes) => {
    await expectRefused(`Bearer ${await forged({ jti: v7(), ...changes })}`);
  });

  it.each([
    ['another type', { typ: 'JWT' }],
    ['no type', { typ: undefined }],
    ['an unknown key', { kid: 'another' }],
    ['no key', { kid: undefined }],
  ])('is refused if it has %s in its header', async (_case, header) => {
    await expectRefused(`Bearer ${await forged({}, header)}`);
  });

  it('is refused if another key signed it under the name of ours', async () => {
    const { privateKey } = await generateKeyPair('Ed25519');
    await expectRefused(`Bearer ${await new SignJWT(genuine).setProtectedHeader(HEADER).sign(privateKey)}`);
  });

  it('is refused if it is signed with the public key as a secret, or not at all', async () => {
    const secret = Buffer.from(String(signingKey.x), 'base64url');
    await expectRefused(
      `Bearer ${await new SignJWT(genuine).setProtectedHeader({ ...HEADER, alg: 'HS256' }).sign(secret)}`,
    );
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    await expectRefused(`Bearer ${encode({ ...HEADER, alg: 'none' })}.${encode(genuine)}.`);
  });

  it('is refused if its claims were changed after signing', async () => {
    const [header = '', , signature = ''] = (await issueToken(environment, company, 'shipments:read')).split('.');
    const claims = Buffer.from(JSON.stringify({ ...genuine, scope: 'operations' })).toString('base64url');
    await expectRefused(`Bearer ${header}.${claims}.${signature}`);
  });
});

describe('an Authorization header', () => {
  it.each(['bearer', 'BEARER', 'Bearer  '])('may spell the scheme as %j', async (scheme) => {
    expect((await ask(`${scheme} ${await environment.token(company)}`)).status).toBe(200);
  });

  it.each([
    ['nothing after its scheme', 'Bearer'],
    ['a word', 'Bearer abc'],
    ['two tokens', 'Bearer abc def'],
    ['punctuation', 'Bearer a,b;c'],
    ['an overlong token', `Bearer ${'a.b.c'.repeat(900)}`],
  ])('is 401 invalid_token with %s', async (_case, authorization) => {
    await expectRefused(authorization);
  });

  it.each([
    ['none', undefined],
    ['HTTP Basic', `Basic ${Buffer.from(`${company.clientId}:${company.clientSecret}`).toString('base64')}`],
    ['the token alone', 'eyJhbGciOiJFZERTQSJ9.e30.AAAA'],
  ])('without a bearer token is 401 with a challenge without an error code: %s', async (_case, authorization) => {
    const response = await environment.fetch(SHIPMENTS, {
      headers: authorization === undefined ? {} : { authorization },
    });
    await expectProblem(response, { status: 401, code: 'AUTHENTICATION_REQUIRED' });
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="[^"]+"$/);
  });

  it('is answered alike whatever is wrong with its token', async () => {
    const bad = [
      'Bearer abc',
      `Bearer ${await forged({ exp: now - 60 })}`,
      `Bearer ${await forged({ jti: v7(), sid: v7() })}`,
    ];
    const texts = await Promise.all(
      bad.map(async (authorization) => timelessText(await (await ask(authorization)).text())),
    );
    expect(new Set(texts).size).toBe(1);
  });
});

describe('a missing scope', () => {
  it.each([
    ['', 'shipments:read'],
    ['webhooks:manage', 'shipments:read'],
    ['shipments:write', 'shipments:read'],
    ['shipments:reads', 'shipments:read'],
  ])('%j is 403, and the challenge names the scope: %s', async (scope, missing) => {
    const response = await ask(`Bearer ${await forged({ jti: v7(), scope })}`);
    await expectProblem(response, { status: 403, code: 'ACCESS_DENIED' });
    const challenge = response.headers.get('www-authenticate') ?? '';
    expect(challenge).toMatch(/^Bearer realm="[^"]+", /);
    expect(challenge).toContain(`error="insufficient_scope", scope="${missing}"`);
  });
});

describe('a token is invalid', () => {
  it('when its credential is deleted', async () => {
    const client = await addClient(environment, { companyId: company.companyId });
    const token = await issueToken(environment, client);
    await environment.sql('directory', 'update credentials set deleted_at = ? where client_id = ?', [
      nowMicros(),
      client.clientId,
    ]);
    // The token was never used, so no cache holds it; a cached one may live for another minute.
    await expectRefused(`Bearer ${token}`);
  });

  it('when its secret has expired', async () => {
    const client = await addClient(environment, { companyId: company.companyId });
    const token = await issueToken(environment, client);
    const overBy = `update credential_secrets set expires_at = ?
      where credential_id = (select id from credentials where client_id = ?)`;
    await environment.sql('directory', overBy, [nowMicros() - 1, client.clientId]);
    await expectRefused(`Bearer ${token}`);
  });

  it('but not when a credential of another client ends', async () => {
    const client = await addClient(environment, { companyId: company.companyId });
    const other = await addClient(environment, { companyId: company.companyId });
    const merchant = await merchantOf(environment, { ...company, ...client });
    await environment.sql('directory', 'update credentials set deleted_at = ? where client_id = ?', [
      nowMicros(),
      other.clientId,
    ]);
    expect((await merchant.get(SHIPMENTS)).status).toBe(200);
  });
});

async function expectRefused(authorization: string): Promise<void> {
  const response = await ask(authorization);
  await expectProblem(response, { status: 401, code: 'AUTHENTICATION_REQUIRED' });
  expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="[^"]+", error="invalid_token"$/);
}
