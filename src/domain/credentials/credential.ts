import { fromBase64Url, toBase64Url } from '../../core/base64url.ts';
import type { Random } from '../../ports/random.ts';

const CLIENT_ID_BYTES = 18;
/** 256 bits. */
export const SECRET_BYTES = 32;

/** A new OAuth client's id. */
export function newClientId(random: Random): string {
  return `mcl_${toBase64Url(random.bytes(CLIENT_ID_BYTES))}`;
}

/** Prefix of a client secret: it says which kind of deployment a leaked secret belongs to. */
const SECRET_PREFIX = { local: 'msk_test_', sandbox: 'msk_test_', production: 'msk_live_' } as const;

/** A new client secret: a prefix and 256 random bits in base64url. `bytes` are those 32 bytes. */
export function formatClientSecret(deployment: keyof typeof SECRET_PREFIX, bytes: Uint8Array): string {
  return SECRET_PREFIX[deployment] + toBase64Url(bytes);
}

/** What is shown of a secret ever after: its last four characters. */
export function secretHintOf(secret: string): string {
  return secret.slice(-4);
}

/**
 * HMAC-SHA-256 of a client secret under the deployment's key, in base64url: what the directory keeps. A secret of 256
 * random bits needs no slow hash, and a stolen directory is of no use without the key.
 */
export async function secretHmacOf(credentialKey: string, secret: string): Promise<string> {
  const bytes = fromBase64Url(credentialKey);
  if (bytes === undefined) throw new Error('The credential key is not base64url');
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return toBase64Url(new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(secret))));
}
