import { describe, expect, it } from 'vitest';
import { fromBase64Url, isBase64Url, toBase64Url } from '../../../src/core/base64url.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

describe('base64url', () => {
  it('goes there and back, whatever the bytes', () => {
    for (let length = 0; length < 70; length += 1) {
      const bytes = Uint8Array.from({ length }, (_, index) => (index * 151 + length * 97) % 256);
      expect(fromBase64Url(toBase64Url(bytes))).toEqual(bytes);
    }
  });

  it.each([1, 2, 3, 31, 32, 64])('of %i bytes has one spelling', (length) => {
    const text = toBase64Url(new Uint8Array(length).fill(0xa5));
    const same = [...ALPHABET].filter((last) => isBase64Url(text.slice(0, -1) + last));
    // As many as the bits of the last character that are bits of a byte can say.
    expect(same).toHaveLength(length % 3 === 0 ? 64 : length % 3 === 1 ? 4 : 16);
    expect(new Set(same.map((last) => String(fromBase64Url(text.slice(0, -1) + last)))).size).toBe(same.length);
  });

  it.each(['A', 'AAAAA', 'AA==', 'AAA=', 'AB', 'AAB', 'A+AA', 'A/AA', 'AAAA\n', ' AAAA', 'AA AA', 'AAÁA', 'AAAA.'])(
    'is not %j',
    (text) => expect(fromBase64Url(text)).toBeUndefined(),
  );
});
