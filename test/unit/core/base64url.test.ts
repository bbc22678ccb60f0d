import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromBase64Url, isBase64Url, toBase64Url } from '../../../src/core/base64url.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

test('bytes are encoded as by other programs, and decode to the same bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const text = toBase64Url(bytes);
      expect(text).toBe(Buffer.from(bytes).toString('base64url'));
      expect(fromBase64Url(text)).toEqual(new Uint8Array(bytes));
    }),
  );
});

test('every character of the alphabet is encoded and decoded', () => {
  const bytes = Uint8Array.from(Buffer.from(ALPHABET, 'base64url'));
  expect(toBase64Url(bytes)).toBe(ALPHABET);
  expect(fromBase64Url(ALPHABET)).toEqual(bytes);
  // Both - and _ occur more than once.
  expect(toBase64Url(Uint8Array.of(0xff, 0xff, 0xfe, 0xfb, 0xef, 0xbe))).toBe('___-----');
});

test.each([1, 2, 3, 31, 32, 64])('text of %i bytes has exactly one encoding', (length) => {
  const text = toBase64Url(new Uint8Array(length).fill(0xa5));
  const same = [...ALPHABET].filter((last) => isBase64Url(text.slice(0, -1) + last));
  // The last character has unused bits, which must be zero.
  expect(same).toHaveLength(length % 3 === 0 ? 64 : length % 3 === 1 ? 4 : 16);
  expect(new Set(same.map((last) => String(fromBase64Url(text.slice(0, -1) + last)))).size).toBe(same.length);
});

test.each([
  'A',
  'AAAAA',
  'AA=',
  'AA==',
  'AAA=',
  'A+',
  'A/',
  '!AAA',
  'AAA!',
  ' AA',
  'AA ',
  'AA\n',
  'AAÀA',
  'AB',
  'AAB',
  'A+AA',
  'A/AA',
  'AAAA\n',
  ' AAAA',
  'AA AA',
  'AAÁA',
  'AAAA.',
])('%j is not base64url', (text) => expect(fromBase64Url(text)).toBeUndefined());
