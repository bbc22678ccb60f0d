import { decodeJwt, decodeProtectedHeader, importJWK, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { newSigningKey } from '../../../scripts/shared/keys.ts';
import { newId } from '../../../scripts/shared/seed-values.ts';
import { ACCESS_TOKEN_SECONDS, AccessTokens, scopesOf } from '../../../src/access/access-token.ts';
import type { Client } from '../../../src/access/principal.ts';
import { addSeconds, instantFromMillis } from '../../../src/core/instant.ts';

/* Access tokens according to RFC 9068: their claims, and which tokens are accepted. */

const BASE_URL = 'https://api.mirsal.test';
const [key, next] = [await newSigningKey(), await newSigningKey()];
const tokens = new AccessTokens([key], BASE_URL);
const NOW = instantFromMillis(1_795_224_000_900);
const SECONDS = 1_795_224_000;
const ids = () => ({ clientId: 'mcl_one', secretId: newId(), tokenId: newId() });
const CLIENT: Client = {
  ...{ kind: 'company', companyId: newId(), shard: 'shard-1', ...ids() },
  scopes: new Set(['shipments:read', 'webhooks:manage']),
};
const OPERATOR: Client = { kind: 'operator', ...ids(), scopes: new Set(['operations']) };
if (CLIENT.kind !== 'company') throw new Error('A company’s client was wanted');
const CLAIMS = {
  client_id: CLIENT.clientId,
  scope: 'shipments:read webhooks:manage',
  sid: CLIENT.secretId,
  company: CLIENT.companyId,
  shard: CLIENT.shard,
  iss: BASE_URL,
  aud: BASE_URL,
  sub: CLIENT.clientId,
  jti: CLIENT.tokenId,
  iat: SECONDS,
  exp: SECONDS + 3600,
};

describe('a token', () => {
  test('has its client, scopes, company and expiry as claims', async () => {
    const token = await tokens.issue(CLIENT, NOW);
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid: key.kid });
    expect(decodeJwt(token)).toEqual(CLAIMS);
    expect(ACCESS_TOKEN_SECONDS).toBe(3600);
  });

  test('of an operator names no company', async () => {
    const claims = decodeJwt(await tokens.issue(OPERATOR, NOW));
    expect(claims).toMatchObject({ client_id: 'mcl_one', scope: 'operations', sid: OPERATOR.secretId });
    expect(Object.keys(claims)).not.toContain('company');
    expect(Object.keys(claims)).not.toContain('shard');
  });

  test.each([
    ['a company’s client', CLIENT],
    ['an operator', OPERATOR],
  ])('is accepted: %s', async (_who, principal) => {
    const verified = await tokens.verify(await tokens.issue(principal, NOW), NOW);
    expect(verified).toEqual({ principal, expiresAt: SECONDS + 3600 });
  });

  test.each([
    [3604, true],
    [3605, false],
    [4000, false],
    // Issued slightly in the future by a machine whose clock is fast.
    [-5, true],
  ])('is accepted %i s after it was issued: %s', async (seconds, isBelieved) => {
    const token = await tokens.issue(CLIENT, NOW);
    expect((await tokens.verify(token, addSeconds(NOW, seconds))) !== undefined).toBe(isBelieved);
  });

  test('cannot be issued without a key', async () => {
    await expect(new AccessTokens([], BASE_URL).issue(CLIENT, NOW)).rejects.toThrow('no signing key');
  });
});

/** A token with other claims or another header, signed with a valid key. */
async function forged(claims: Record<string, unknown>, head: Record<string, unknown> = {}, by = key): Promise<string> {
  const all = Object.fromEntries(Object.entries({ ...CLAIMS, ...claims }).filter(([, value]) => value !== undefined));
  const header = { alg: 'EdDSA', typ: 'at+jwt', kid: by.kid, ...head };
  return new SignJWT(all).setProtectedHeader(header).sign(await importJWK(by, 'EdDSA'));
}

describe('a token is refused', () => {
  test('but not without a change, so that the cases below differ in one point only', async () => {
    expect(await tokens.verify(await forged({}), NOW)).toEqual({ principal: CLIENT, expiresAt: SECONDS + 3600 });
  });

  test.each([
    ['from another issuer', { iss: 'https://sandbox.mirsal.test' }],
    ['without an issuer', { iss: undefined }],
    ['for another audience', { aud: 'https://sandbox.mirsal.test' }],
    ['without an audience', { aud: undefined }],
    ['without an expiry', { exp: undefined }],
    ['that has expired', { exp: SECONDS - 6 }],
    ['without an id', { jti: undefined }],
    ['whose id is not a UUID', { jti: 'one' }],
    ['whose id is not a string', { jti: 1 }],
    ['without a client', { client_id: undefined }],
    ['whose client is not a string', { client_id: 7 }],
    ['without a secret id', { sid: undefined }],
    ['whose secret id is not a UUID', { sid: 'secret' }],
    ['without scopes', { scope: undefined }],
    ['with a company and no shard', { shard: undefined }],
    ['with a shard and no company', { company: undefined }],
    ['whose company is not a UUID', { company: 'najd' }],
    ['whose company is null', { company: null }],
    ['whose shard is not a string', { shard: 1 }],
  ])('%s', async (_case, claims) => {
    expect(await tokens.verify(await forged(claims), NOW)).toBeUndefined();
  });

  test.each([
    ['of another type', { typ: 'JWT' }],
    ['without a type', { typ: undefined }],
    ['with an unknown key', { kid: 'other' }],
    ['without a key', { kid: undefined }],
  ])('with a header %s', async (_case, head) => {
    expect(await tokens.verify(await forged({}, head), NOW)).toBeUndefined();
  });

  test('signed by another key under the name of a valid one, or changed after signing', async () => {
    expect(await tokens.verify(await forged({}, { kid: key.kid }, next), NOW)).toBeUndefined();
    const [head = '', body = '', signature = ''] = (await forged({})).split('.');
    const other = Buffer.from(JSON.stringify({ ...CLAIMS, scope: 'operations' })).toString('base64url');
    expect(await tokens.verify(`${head}.${other}.${signature}`, NOW)).toBeUndefined();
    expect(await tokens.verify(`${head}.${body}.`, NOW)).toBeUndefined();
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt', kid: key.kid })).toString('base64url');
    expect(await tokens.verify(`${none}.${body}.`, NOW)).toBeUndefined();
    for (const text of ['', 'a', 'a.b.c']) expect(await tokens.verify(text, NOW)).toBeUndefined();
  });

  test('signed by another algorithm, with the public key as its secret', async () => {
    const secret = Buffer.from(key.x, 'base64url');
    const token = await new SignJWT(CLAIMS)
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: key.kid })
      .sign(secret);
    expect(await tokens.verify(token, NOW)).toBeUndefined();
  });
});

describe('signing keys', () => {
  test('rotate without refused tokens: every key verifies, the first one signs', async () => {
    const old = await tokens.issue(CLIENT, NOW);
    const changed = new AccessTokens([next, key], BASE_URL);
    expect(await changed.verify(old, NOW)).toMatchObject({ principal: CLIENT });
    const issued = await changed.issue(CLIENT, NOW);
    expect(decodeProtectedHeader(issued).kid).toBe(next.kid);
    expect(await changed.verify(issued, NOW)).toMatchObject({ principal: CLIENT });
    expect(await tokens.verify(issued, NOW)).toBeUndefined();
  });

  test('are published without their private half', () => {
    const published = new AccessTokens([next, key], BASE_URL).publicKeys();
    const publicHalf = ({ kid, x }: typeof key) => ({ kty: 'OKP', crv: 'Ed25519', kid, x, use: 'sig', alg: 'EdDSA' });
    expect(published).toEqual([publicHalf(next), publicHalf(key)]);
  });

  test('must be Ed25519 keys', async () => {
    const symmetric = { kty: 'oct', kid: 'k', k: 'AAAA', x: '', d: '' };
    await expect(new AccessTokens([symmetric], BASE_URL).issue(CLIENT, NOW)).rejects.toThrow('must be an Ed25519 key');
  });
});

test.each([
  ['shipments:read', ['shipments:read']],
  ['webhooks:manage shipments:write', ['shipments:write', 'webhooks:manage']],
  ['operations nothing shipments', ['operations']],
  ['shipments:readshipments:write', []],
  ['', []],
  [undefined, []],
  [['operations'], []],
])('%j contains the known scopes %j', (text, scopes) => {
  expect([...scopesOf(text)]).toEqual(scopes);
});
