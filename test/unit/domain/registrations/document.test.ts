import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { isOfType } from '../../../../src/contract/file-type.ts';
import { displayNameOf } from '../../../../src/domain/registrations/document.ts';
import { JPEG, JPEG_THEN_PDF, PDF, PNG, PNG_THEN_PDF } from '../../../support/files.ts';

const TYPES = ['application/pdf', 'image/jpeg', 'image/png'] as const;

describe('a file', () => {
  test.each([
    ['application/pdf', PDF],
    ['image/jpeg', JPEG],
    ['image/png', PNG],
  ] as const)('of %s has that type and no other', (type, bytes) => {
    expect(TYPES.filter((each) => isOfType(bytes, each))).toEqual([type]);
  });

  test.each([
    ['JPEG, then PDF', JPEG_THEN_PDF],
    ['PNG, then PDF', PNG_THEN_PDF],
  ])('of two types has neither: %s', (_kind, bytes) => {
    expect(TYPES.filter((each) => isOfType(bytes, each))).toEqual([]);
  });

  it('that is cut off at any byte has no type', () => {
    for (const whole of [PDF.slice(0, -1), JPEG, PNG]) {
      for (let end = 0; end < whole.length; end += 1) {
        expect(TYPES.filter((each) => isOfType(whole.slice(0, end), each))).toEqual([]);
      }
    }
  });

  it('may have padding after its end', () => {
    for (const [type, bytes] of [
      ['image/png', PNG],
      ['application/pdf', PDF],
    ] as const) {
      expect(isOfType(new Uint8Array([...bytes, 0x0d, 0x0a, 0, 0]), type)).toBe(true);
    }
  });

  it('of random bytes has no type', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(TYPES.filter((type) => isOfType(bytes, type))).toEqual([]);
      }),
    );
  });
});

describe('a file name', () => {
  it('becomes one line without folders and control characters, whatever was sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (header) => {
        const name = displayNameOf(header);
        expect(name).not.toMatch(/[\p{Cc}\p{Cf}/\\]/u);
        expect(Array.from(name).length).toBeLessThanOrEqual(120);
        expect(name).not.toBe('');
      }),
    );
  });

  it('keeps Arabic, sent as bytes or percent-encoded', () => {
    const bytes = Buffer.from('عنوان.pdf', 'utf8').toString('latin1');
    expect(displayNameOf(bytes)).toBe('عنوان.pdf');
    expect(displayNameOf(encodeURIComponent('عنوان.pdf'))).toBe('عنوان.pdf');
  });
});

describe('a hostile file name', () => {
  const odd = fc.constantFrom(
    ...['%0D%0A', '\u202e', '%E2%80%AE', '../', '\\\\', '%00', '%2F', '\x1b[31m', ' ', '.', '<', '%', 'ع'],
  );
  const name = fc.array(fc.oneof(odd, fc.string({ unit: 'binary' })), { maxLength: 40 }).map((parts) => parts.join(''));

  it('becomes one printable line', () => {
    fc.assert(
      fc.property(name, (header) => {
        const shown = displayNameOf(header);
        expect(shown).toMatch(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\\\:*?"<>|]{1,240}$/u);
        expect(Array.from(shown).length).toBeLessThanOrEqual(120);
        expect(shown).not.toMatch(/^[ .]|^$/);
      }),
    );
  });
});

describe('a file name of 40,000 repetitions', () => {
  it.each(['.', ' ', ' .', '%20', '%2E', '/', '\u202e', '%E2%80%AE', '%'])(
    'of %j is sanitised in linear time',
    (part) => {
      const name = `x${part.repeat(20_000)}x${part.repeat(20_000)}`;
      const before = performance.now();
      expect(displayNameOf(name).length).toBeLessThanOrEqual(120);
      expect(performance.now() - before).toBeLessThan(1000);
    },
  );
});
