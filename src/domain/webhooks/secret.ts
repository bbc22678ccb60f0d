import { fromBase64Url, toBase64Url } from '../../core/base64url.ts';
import { importAesKey } from '../../core/crypto.ts';
import { Kept } from '../../core/kept.ts';
import type { Random } from '../../ports/random.ts';

/** A key of the deployment, 32 bytes in base64url, and the name that encrypted secrets have for it. */
export interface SealingKey {
  readonly kid: string;
  readonly key: string;
}

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
/** 96 bits, the recommended length for AES-GCM (NIST SP 800-38D). */
const NONCE_BYTES = 12;

/** A new signing secret in the form of Standard Webhooks: `whsec_` and base64 of 32 bytes. */
export function newSigningSecret(random: Random): string {
  return PREFIX + btoa(String.fromCharCode(...random.bytes(SECRET_BYTES)));
}

/**
 * A receiver without its secret computes signatures with an empty key. This secret makes the same ones: HMAC fills keys up with
 * zero bytes (RFC 2104), and runtimes refuse a key without bytes.
 */
export const EMPTY_SECRET = `${PREFIX}AA==`;

/** The key bytes of a signing secret. */
export function secretBytesOf(secret: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(secret.slice(PREFIX.length)), (character) => character.charCodeAt(0));
}

/**
 * Promise: a stored signing secret can be decrypted only with a key of this deployment, and only for its endpoint.
 * Stored responses that contain a secret, what attempts sent and got, and tokens of tracking links are encrypted in the same
 * way, each for its own row.
 * AES-256-GCM; key id and subject are authenticated with the text.
 */
export class EndpointSecrets {
  readonly #keys: readonly SealingKey[];
  readonly #random: Random;
  readonly #imported = new Kept<string, Promise<CryptoKey>>();

  /** The first key encrypts, all decrypt. To rotate, add the new key at the front. */
  constructor(keys: readonly SealingKey[], random: Random) {
    this.#keys = keys;
    this.#random = random;
  }

  async seal(subject: string, secret: string): Promise<string> {
    const [key] = this.#keys;
    if (key === undefined) throw new Error('There is no webhook key');
    const nonce = this.#random.bytes(NONCE_BYTES);
    const plain = new TextEncoder().encode(secret);
    const sealed = await crypto.subtle.encrypt(algorithm(nonce, key.kid, subject), await this.#import(key), plain);
    return `${key.kid}.${toBase64Url(nonce)}.${toBase64Url(new Uint8Array(sealed))}`;
  }

  /**
   * Throws for a text that was encrypted with a removed key or for another subject: a bug, or a manual edit of the
   * database.
   */
  async open(subject: string, sealed: string): Promise<string> {
    const [kid, nonceText, text] = sealed.split('.');
    const key = this.#keys.find((candidate) => candidate.kid === kid);
    const nonce = fromBase64Url(nonceText ?? '');
    const bytes = fromBase64Url(text ?? '');
    if (key === undefined || nonce === undefined || bytes === undefined) throw new Error('No key opens this secret');
    const opened = await crypto.subtle.decrypt(algorithm(nonce, key.kid, subject), await this.#import(key), bytes);
    return new TextDecoder().decode(opened);
  }

  #import({ kid, key }: SealingKey): Promise<CryptoKey> {
    return this.#imported.getOrMake(kid, () => importAesKey(key));
  }
}

function algorithm(iv: Uint8Array<ArrayBuffer>, kid: string, subject: string): AesGcmParams {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(`${kid} ${subject}`) };
}
