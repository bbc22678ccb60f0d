import { randomBytes } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import * as z from 'zod';

/** An Ed25519 private key as TOKEN_SIGNING_KEYS holds it. */
export const signingKey = z.looseObject({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  kid: z.string().min(1),
  x: z.string().min(1),
  d: z.string().min(1),
});
export type SigningKey = z.output<typeof signingKey>;

/** A new key. Its `kid` is its RFC 7638 thumbprint, so that no two keys share one. */
export async function newSigningKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair('Ed25519', { extractable: true });
  const jwk = await exportJWK(privateKey);
  return signingKey.parse({ kty: jwk.kty, crv: jwk.crv, kid: await calculateJwkThumbprint(jwk), x: jwk.x, d: jwk.d });
}

/** 32 random bytes in base64url: a key for HMAC or AES-256. */
export function newKey256(): string {
  return randomBytes(32).toString('base64url');
}
