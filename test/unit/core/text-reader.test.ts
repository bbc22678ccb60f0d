import { assert, constantFrom, property, string, uint8Array } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, findFormFault } from '../../../src/core/text-reader.ts';

const decode = (...bytes: readonly number[]) => decodeText(new Uint8Array(bytes));

describe('a text', () => {
  it('in UTF-8 is kept as it is', () => {
    assert(
      property(string({ unit: 'binary' }), (text) => {
        expect(decodeText(new TextEncoder().encode(`x${text}`))).toEqual({ ok: true, text: `x${text}` });
      }),
    );
  });

  it('with a byte order mark is refused', () => {
    expect(decode(0xef, 0xbb, 0xbf, 0x41)).toEqual({ ok: false, fault: { kind: 'byte_order_mark' } });
    // Inside a text it is a character.
    expect(decode(0x41, 0xef, 0xbb, 0xbf)).toEqual({ ok: true, text: 'A\ufeff' });
  });

  it.each([
    ['Latin-1', [0x63, 0x61, 0x66, 0xe9], 4],
    ['windows-1256 after Arabic', [0xd9, 0x82, 0xc7, 0xe1], 3],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00], 1],
    ['a continuation alone', [0x41, 0x80], 2],
    ['two bytes, one of them cut off', [0x41, 0xd9], 2],
    ['three bytes, one of them cut off', [0xe2, 0x82], 1],
    ['four bytes, one of them cut off', [0xf0, 0x9f, 0x98], 1],
    ['a longer form of a slash', [0xc0, 0xaf], 1],
    ['a longer form of three bytes', [0x41, 0xe0, 0x80, 0xaf], 2],
    ['a longer form of four bytes', [0xf0, 0x80, 0x80, 0xaf], 1],
    ['half of a surrogate pair', [0xed, 0xa0, 0x80], 1],
    ['a code point above the last', [0xf4, 0x90, 0x80, 0x80], 1],
    ['a byte that UTF-8 never has', [0x41, 0xf5, 0x80, 0x80, 0x80], 2],
  ])('that has %s is refused with the number of the byte', (_name, bytes, byte) => {
    expect(decode(...bytes)).toEqual({ ok: false, fault: { kind: 'not_utf8', byte } });
  });

  it('names a byte before which all is UTF-8', () => {
    const strict = new TextDecoder('utf-8', { fatal: true });
    assert(
      property(uint8Array({ min: 0x41 }), (bytes) => {
        const answer = decodeText(bytes);
        if (answer.ok || answer.fault.kind !== 'not_utf8') return;
        const { byte } = answer.fault;
        expect(() => strict.decode(bytes.subarray(0, byte - 1))).not.toThrow();
        // No character begins at the named byte, whatever its length.
        for (const length of [1, 2, 3, 4])
          if (byte - 1 + length <= bytes.length)
            expect(() => strict.decode(bytes.subarray(byte - 1, byte - 1 + length))).toThrow(/valid/);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a query or a form', () => {
  it.each([
    ['externalReference=%C7%E1%DA', 'externalReference', '%C7%E1%DA'],
    ['?a=1&caf%e9=2', 'caf\ufffd', '%e9'],
    ['a=%D9%82&b=x%D9', 'b', '%D9'],
    ['a=%41%ED%A0%80', 'a', '%ED%A0%80'],
  ])('%s names the parameter and its bytes', (form, name, escape) => {
    expect(findFormFault(form)).toEqual({ name, escape });
  });

  it.each(['', '?', 'a=1', 'a=%41+%20', 'a=%D9%82%D9%87&b=ق', 'a=%', 'a=%zz', 'a=100%&b=%8'])('%j is read', (form) =>
    expect(findFormFault(form)).toBeUndefined(),
  );

  it('is read if a program encoded it', () => {
    assert(
      property(string({ unit: 'grapheme' }), constantFrom('', '?'), (value, before) => {
        expect(findFormFault(`${before}${new URLSearchParams({ [value]: value })}`)).toBeUndefined();
      }),
    );
  });
});
