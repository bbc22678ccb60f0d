import { toBase64Url } from '../../core/base64url.ts';
import type { Random } from '../../ports/random.ts';

const CLIENT_ID_BYTES = 18;
/** 256 bits. */
export const SECRET_BYTES = 32;

/** A new OAuth client's id. */
export function newClientId(random: Random): string {
  return `mcl_${toBase64Url(random.bytes(CLIENT_ID_BYTES))}`;
}

/** Prefix of a client secret. It shows the kind of deployment of a leaked secret. */
const SECRET_PREFIX = { local: 'msk_test_', sandbox: 'msk_test_', production: 'msk_live_' } as const;

/** A new client secret: a prefix and 256 random bits in base64url. `bytes` are those 32 bytes. */
export function formatClientSecret(deployment: keyof typeof SECRET_PREFIX, bytes: Uint8Array): string {
  return SECRET_PREFIX[deployment] + toBase64Url(bytes);
}

/** The last four characters of a secret. Only these are shown later. */
export function secretHintOf(secret: string): string {
  return secret.slice(-4);
}
