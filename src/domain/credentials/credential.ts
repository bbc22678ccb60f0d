import { toBase64Url } from '../../core/base64url.ts';
import { hmacOf } from '../../core/crypto.ts';
import type { Deployment } from '../../core/deployment.ts';
import type { Random } from '../../ports/random.ts';

const CLIENT_ID_BYTES = 18;
/** 256 bits. */
const SECRET_BYTES = 32;

/** A new OAuth client's id. */
export function newClientId(random: Random): string {
  return `mcl_${toBase64Url(random.bytes(CLIENT_ID_BYTES))}`;
}

/** Prefix of a client secret. It shows the kind of deployment of a leaked secret. */
const SECRET_PREFIX = { local: 'msk_test_', sandbox: 'msk_test_', production: 'msk_live_' } as const;

/** The client id of an operator's program. The audit names a change by its client, so the id says which program it is. */
export function programClientId(name: string): string {
  return `operator-${name}`;
}

interface SecretDependencies {
  readonly random: Random;
  readonly config: { readonly credentialKey: string; readonly deployment: Deployment };
}

/** A new client secret, and what the directory keeps of it. */
export async function newSecret({ random, config }: SecretDependencies) {
  const clientSecret = formatClientSecret(config.deployment, random.bytes(SECRET_BYTES));
  const secretHmac = await hmacOf(config.credentialKey, clientSecret);
  return { clientSecret, kept: { id: random.uuid(), secretHmac, secretHint: secretHintOf(clientSecret) } };
}

/** A prefix and 256 random bits in base64url. `bytes` are those 32 bytes. */
export function formatClientSecret(deployment: Deployment, bytes: Uint8Array): string {
  return SECRET_PREFIX[deployment] + toBase64Url(bytes);
}

/** The last four characters of a secret. Only these are shown later. */
export function secretHintOf(secret: string): string {
  return secret.slice(-4);
}
