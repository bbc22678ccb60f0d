import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromBase64Url, toBase64Url } from '../../../src/core/base64url.ts';

test('bytes are written as every other program writes them, and read back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const text = toBase64Url(bytes);
      expect(text).toBe(Buffer.from(bytes).toString('base64url'));
      expect(fromBase64Url(text)).toEqual(new Uint8Array(bytes));
    }),
  );
});

test('every sign of the alphabet is written and read', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const bytes = Uint8Array.from(Buffer.from(alphabet, 'base64url'));
  expect(toBase64Url(bytes)).toBe(alphabet);
  expect(fromBase64Url(alphabet)).toEqual(bytes);
  // Each of both signs more than once.
  expect(toBase64Url(Uint8Array.of(0xff, 0xff, 0xfe, 0xfb, 0xef, 0xbe))).toBe('___-----');
});

test.each(['A', 'AAAAA', 'AA=', 'AA==', 'A+', 'A/', ' AA', 'AA ', 'AA\n', 'AA\nAA', '!AAA', 'AAA!', 'AAÀA'])(
  '%j is none',
  (text) => {
    expect(fromBase64Url(text)).toBeUndefined();
  },
);
