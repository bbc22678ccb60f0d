import { fromBase64Url, toBase64Url } from '../core/base64url.ts';
import { importAesKey } from '../core/crypto.ts';
import { parseStored } from '../core/json.ts';
import { Kept } from '../core/kept.ts';
import type { Random } from '../ports/random.ts';

/** 96 bits, the recommended length for AES-GCM (NIST SP 800-38D). */
const NONCE_BYTES = 12;

/**
 * Makes texts that only this service can write and read, with AES-256-GCM: cursors of lists, and price locks. The binding is
 * authenticated but not in the text. So a cursor is valid only for its company, list, filters and order, and a lock only for
 * its company.
 */
export class Sealer {
  readonly #keys: readonly string[];
  readonly #random: Random;
  readonly #imported = new Kept<string, Promise<CryptoKey>>();

  /** `keys`: 32 bytes in base64url each. The first encrypts, all decrypt. */
  constructor(keys: readonly string[], random: Random) {
    this.#keys = keys;
    this.#random = random;
  }

  async seal(binding: readonly (string | undefined)[], content: readonly unknown[]): Promise<string> {
    const [key] = this.#keys;
    if (key === undefined) throw new Error('There is no key');
    const nonce = this.#random.bytes(NONCE_BYTES);
    const sealed = await crypto.subtle.encrypt(algorithm(nonce, binding), await this.#import(key), encode(content));
    const bytes = new Uint8Array(NONCE_BYTES + sealed.byteLength);
    bytes.set(nonce);
    bytes.set(new Uint8Array(sealed), NONCE_BYTES);
    return toBase64Url(bytes);
  }

  /** The content, or undefined for a text with another binding or an unknown key, and for an invalid one. */
  async open<Content = string[]>(binding: readonly (string | undefined)[], text: string): Promise<Content | undefined> {
    const bytes = fromBase64Url(text);
    if (bytes === undefined || bytes.length <= NONCE_BYTES) return undefined;
    const nonce = bytes.slice(0, NONCE_BYTES);
    for (const key of this.#keys) {
      try {
        const opened = await crypto.subtle.decrypt(
          algorithm(nonce, binding),
          await this.#import(key),
          bytes.slice(NONCE_BYTES),
        );
        return parseStored<Content>(new TextDecoder().decode(opened));
      } catch {
        // Encrypted with another key, or with another binding. The next key may fit.
      }
    }
    return undefined;
  }

  #import(key: string): Promise<CryptoKey> {
    return this.#imported.getOrMake(key, () => importAesKey(key));
  }
}

function algorithm(nonce: Uint8Array<ArrayBuffer>, binding: readonly (string | undefined)[]): AesGcmParams {
  return { name: 'AES-GCM', iv: nonce, additionalData: encode(binding.map((part) => part ?? null)) };
}

function encode(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}
