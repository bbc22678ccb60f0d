import { createLocalJWKSet, jwtVerify } from 'jose';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { BASE_URL } from '../../scripts/shared/connection.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();

it('GET the metadata answers according to RFC 8414', async () => {
  const response = await environment.fetch('/.well-known/oauth-authorization-server');
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
  expect(await response.json()).toMatchObject({
    issuer: BASE_URL,
    token_endpoint: `${BASE_URL}/oauth/token`,
    revocation_endpoint: `${BASE_URL}/oauth/revoke`,
    jwks_uri: `${BASE_URL}/.well-known/jwks.json`,
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    scopes_supported: ['shipments:read', 'shipments:write', 'webhooks:manage', 'logs:read', 'finance:read'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  });
});

it('GET the keys answers public keys only, which verify the service’s tokens', async () => {
  const response = await environment.fetch('/.well-known/jwks.json');
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
  const base64url = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
  // Strict: an unexpected member could be a private one.
  const key = z.strictObject({
    kty: z.literal('OKP'),
    crv: z.literal('Ed25519'),
    kid: z.string().min(1),
    x: base64url,
    use: z.literal('sig'),
    alg: z.literal('EdDSA'),
  });
  const { keys } = z.strictObject({ keys: z.array(key).length(1) }).parse(await response.json());
  const token = await environment.token(environment.companies[0]);
  const { payload } = await jwtVerify(token, createLocalJWKSet({ keys }), {
    issuer: BASE_URL,
    audience: BASE_URL,
    typ: 'at+jwt',
  });
  expect(payload['client_id']).toBe(environment.companies[0].clientId);
});
