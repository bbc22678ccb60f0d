import { describe, expect, it } from 'vitest';
import { newId } from '../../../../scripts/shared/seed-values.ts';
import { EndpointSecrets, newSigningSecret, secretBytesOf } from '../../../../src/domain/webhooks/secret.ts';
import { systemRandom } from '../../../../src/providers/system.ts';

/* Signing secrets: their format and their encryption. */

const key = (kid: string, byte: number) => ({ kid, key: Buffer.alloc(32, byte).toString('base64url') });
const secrets = new EndpointSecrets([key('a', 1)], systemRandom);
const endpointId = newId();

describe('a signing secret', () => {
  it('is whsec_ and base64 of 32 random bytes', () => {
    const [one, other] = [newSigningSecret(systemRandom), newSigningSecret(systemRandom)];
    expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(other).not.toBe(one);
    const bytes = Uint8Array.from({ length: 32 }, (_, index) => 255 - index);
    const secret = newSigningSecret({ ...systemRandom, bytes: () => bytes });
    expect(secret).toBe(`whsec_${Buffer.from(bytes).toString('base64')}`);
    expect(secretBytesOf(secret)).toEqual(bytes);
  });
});

describe('an encrypted secret', () => {
  it('begins with the name of its key, and differs each time', async () => {
    const [one, other] = [await secrets.seal(endpointId, 'whsec_x'), await secrets.seal(endpointId, 'whsec_x')];
    expect(one).toMatch(/^a\.[A-Za-z0-9_-]{16}\.[A-Za-z0-9_-]+$/);
    expect(other.split('.')[1]).not.toBe(one.split('.')[1]);
    expect([await secrets.open(endpointId, one), await secrets.open(endpointId, other)]).toEqual([
      'whsec_x',
      'whsec_x',
    ]);
  });

  it('decrypts to the same characters', async () => {
    const text = 'whsec_é+/=\u{1F4E6}';
    expect(await secrets.open(endpointId, await secrets.seal(endpointId, text))).toBe(text);
  });

  it.each([
    ['empty', ''],
    ['only a key name', 'a'],
    ['without a ciphertext', 'a.AAAAAAAAAAAAAAAA'],
    ['without a nonce', 'a..AAAA'],
    ['with a malformed nonce', 'a.!!!!.AAAA'],
    ['with a malformed ciphertext', 'a.AAAAAAAAAAAAAAAA.!!!!'],
    ['of an unknown key', 'gone.AAAAAAAAAAAAAAAA.AAAA'],
  ])('is refused if it is %s', async (_case, sealed) => {
    await expect(secrets.open(endpointId, sealed)).rejects.toThrow(/./);
  });

  it('is refused if its key is unknown or it is malformed', async () => {
    for (const sealed of ['gone.AAAAAAAAAAAAAAAA.AAAA', 'a.!.AAAA', 'a.AAAAAAAAAAAAAAAA.!']) {
      await expect(secrets.open(endpointId, sealed)).rejects.toThrow('No key opens this secret');
    }
  });

  it('opens after a rotation of the deployment’s keys, until the old key is removed', async () => {
    const sealed = await secrets.seal(endpointId, 'whsec_x');
    const rotated = new EndpointSecrets([key('b', 2), key('a', 1)], systemRandom);
    expect(await rotated.open(endpointId, sealed)).toBe('whsec_x');
    const anew = await rotated.seal(endpointId, 'whsec_x');
    expect(anew).toMatch(/^b\./);
    const later = new EndpointSecrets([key('b', 2)], systemRandom);
    expect(await later.open(endpointId, anew)).toBe('whsec_x');
    await expect(later.open(endpointId, sealed)).rejects.toThrow('No key opens this secret');
  });

  it('is refused under another name of its key', async () => {
    const sealed = await secrets.seal(endpointId, 'whsec_x');
    const renamed = new EndpointSecrets([key('b', 1)], systemRandom);
    await expect(renamed.open(endpointId, sealed.replace(/^a/, 'b'))).rejects.toThrow(/./);
  });

  it('needs a valid key', async () => {
    await expect(new EndpointSecrets([], systemRandom).seal(endpointId, 'x')).rejects.toThrow('no webhook key');
    const wrong = new EndpointSecrets([{ kid: 'a', key: 'no key!' }], systemRandom);
    await expect(wrong.seal(endpointId, 'x')).rejects.toThrow('not base64url');
  });
});
