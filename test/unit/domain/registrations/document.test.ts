import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { isOfType, isProtectedPdf, withoutTrailer } from '../../../../src/contract/file-type.ts';
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

  test.each([['PNG, then PDF', PNG_THEN_PDF]])('of two types has neither: %s', (_kind, bytes) => {
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

  it('is a JPEG up to its end, whatever a phone appends, and not up to the end of the small copy in it', () => {
    const small = new Uint8Array([0xff, 0xe1, 0, 8, 0xff, 0xd8, 0xff, 0xd9, 1, 2]);
    const whole = new Uint8Array([...JPEG.slice(0, 8), ...small, 0xff, 0xd9]);
    for (const trailer of [
      'SEFH\u0001trailer',
      '\u0000\u0000\u0000',
      'ftypmp42 and a film',
      String.fromCharCode(...PDF),
    ]) {
      const bytes = new Uint8Array([...whole, ...Buffer.from(trailer, 'latin1')]);
      expect(isOfType(bytes, 'image/jpeg'), trailer).toBe(true);
      expect(withoutTrailer(bytes, 'image/jpeg'), trailer).toEqual(whole);
    }
    expect(TYPES.filter((each) => isOfType(JPEG_THEN_PDF, each))).toEqual(['image/jpeg']);
    expect(withoutTrailer(JPEG_THEN_PDF, 'image/jpeg')).toEqual(JPEG);
  });

  it('of random bytes has no type', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(TYPES.filter((type) => isOfType(bytes, type))).toEqual([]);
      }),
    );
  });
});

describe('a WebP', () => {
  const webp = (length: number, size: number) => {
    const bytes = new Uint8Array(Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP8 '), Buffer.alloc(size - 16)]));
    new DataView(bytes.buffer).setUint32(4, length, true);
    return bytes;
  };

  it.each([
    ['whole', 24, 32, true],
    ['with padding after its end', 24, 40, true],
    ['cut off', 24, 31, false],
  ] as const)('that is %s', (_kind, length, size, isWhole) => {
    expect(isOfType(webp(length, size), 'image/webp')).toBe(isWhole);
  });
});

describe('a PDF', () => {
  const pdf = (trailer: string) => new TextEncoder().encode(`%PDF-1.7\n${trailer}\n%%EOF`);

  it.each([
    'trailer << /Size 9 /Encrypt 8 0 R >>',
    '<< /Type /XRef /Encrypt\n12 0 R >> stream',
    '<</Encrypt<</Filter/Standard>>>>',
  ])('may ask for a password: %j', (trailer) => {
    expect(isProtectedPdf(pdf(trailer))).toBe(true);
  });

  it.each(['trailer << /Size 9 >>', '(How to /Encrypt a letter)', '/EncryptMetadata false', '/Encrypted 1 0 R'])(
    'asks for none: %j',
    (trailer) => {
      expect(isProtectedPdf(pdf(trailer))).toBe(false);
    },
  );
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
