import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { sizeOfPicture, withoutMetadata } from '../../../src/core/picture.ts';
import { JPEG, PDF, PNG } from '../../support/files.ts';

type Part = string | readonly number[] | Uint8Array;

function bytes(...parts: readonly Part[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1'))));
}
/** Every piece of metadata below contains it. */
const SECRET = '24.7136N 46.6753E';

const segment = (marker: number, ...parts: readonly Part[]) => {
  const content = bytes(...parts);
  return bytes([0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 0xff], content);
};
/** Exif with this orientation, in either byte order. */
const exif = (order: 'MM' | 'II', orientation: number) => {
  const words = (...values: number[]) => values.flatMap((value) => (order === 'MM' ? [0, value] : [value, 0]));
  const tag = order === 'MM' ? [0x01, 0x12] : [0x12, 0x01];
  const offset = order === 'MM' ? [0, 0, 0, 8] : [8, 0, 0, 0];
  const one = order === 'MM' ? [0, 0, 0, 1] : [1, 0, 0, 0];
  const entry = [...tag, ...words(3), ...one, ...words(orientation), 0, 0];
  return segment(0xe1, 'Exif\0\0', order, words(42), offset, words(1), entry, [0, 0, 0, 0], SECRET);
};
const TABLES = segment(0xdb, new Uint8Array(65));
const FRAME = segment(0xc2, [8, 0, 1, 0, 1, 1, 1, 0x11, 0]);
/** A progressive image: two scans, with stuffed zeros, a restart marker and a table between them. */
const SCANS = [
  segment(0xda, [1, 1, 0, 0, 63, 0]),
  [1, 0xff, 0, 2, 0xff, 0xd0, 3],
  segment(0xc4, new Uint8Array(17)),
  segment(0xda, [1, 1, 0, 1, 5, 0]),
  [4, 0xff, 0],
];
const [START, END] = [
  [0xff, 0xd8],
  [0xff, 0xd9],
];
const JFIF = segment(0xe0, 'JFIF\0', [1, 1, 0, 0, 1, 0, 1, 0, 0]);
const COLOURS = [segment(0xe2, 'ICC_PROFILE\0', [1, 1], 'Display P3'), segment(0xee, 'Adobe', [0, 100, 0, 0, 0, 0, 1])];

const jpeg = (picture: Uint8Array<ArrayBuffer>) => withoutMetadata(picture, 'image/jpeg');

describe('a JPEG', () => {
  it('keeps what draws the image and nothing else', () => {
    const image = [TABLES, FRAME, ...SCANS];
    const metadata = [
      exif('MM', 1),
      segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0', SECRET),
      segment(0xe2, 'MPF\0', SECRET),
      segment(0xe0, 'JFXX\0', [0x10], SECRET),
      segment(0xed, 'Photoshop 3.0\0', SECRET),
      segment(0xfe, SECRET),
    ];
    // Some cameras append a second picture, with metadata of its own.
    const second = [START, exif('MM', 1), ...image, END];
    const picture = bytes(
      START,
      JFIF,
      ...metadata,
      ...COLOURS,
      [0xff, 0xff],
      ...image,
      segment(0xfe, SECRET),
      END,
      ...second,
    );
    expect(jpeg(picture)).toEqual(bytes(START, JFIF, ...COLOURS, ...image, END));
  });

  it('loses the small copy of the image in its header', () => {
    const header = segment(0xe0, 'JFIF\0', [1, 2, 1, 0, 72, 0, 72, 1, 1], SECRET);
    expect(jpeg(bytes(START, header, FRAME, END))).toEqual(bytes(START, JFIF, FRAME, END));
  });

  it.each([
    ['MM', 6],
    ['II', 8],
  ] as const)('keeps its orientation, which %s wrote', (order, orientation) => {
    const kept = jpeg(bytes(START, exif(order, orientation), FRAME, ...SCANS, END));
    expect(Buffer.from(kept).includes(SECRET)).toBe(false);
    const [head, rest] = [kept.slice(0, 38), kept.slice(38)];
    expect(rest).toEqual(bytes(FRAME, ...SCANS, END));
    const tiff = [
      'MM',
      [0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0],
    ] as const;
    expect(head).toEqual(bytes(START, segment(0xe1, 'Exif\0\0', ...tiff)));
  });

  it('has no orientation if the file gives none that exists', () => {
    for (const orientation of [0, 9])
      expect(jpeg(bytes(START, exif('MM', orientation), FRAME, END))).toEqual(bytes(START, FRAME, END));
    const endless = segment(0xe1, 'Exif\0\0MM', [0, 42, 0, 0, 0, 8, 0xff, 0xff], new Uint8Array(400));
    expect(jpeg(bytes(START, endless, FRAME, END))).toEqual(bytes(START, FRAME, END));
  });
});

describe('a PNG that was shot on its side', () => {
  const chunk = (type: string, content: Uint8Array) => {
    const checked = Buffer.concat([Buffer.from(type, 'latin1'), content]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(content.length);
    sum.writeUInt32BE(crc32(checked));
    return new Uint8Array(Buffer.concat([length, checked, sum]));
  };
  const turned = (order: 'MM' | 'II', orientation: number) =>
    bytes(PNG.slice(0, 33), chunk('eXIf', exif(order, orientation).slice(10)), PNG.slice(33));

  it.each(['MM', 'II'] as const)('stays turned as its Exif in %s says, and keeps nothing else of it', (order) => {
    const kept = withoutMetadata(turned(order, 6), 'image/png');
    expect(Buffer.from(kept).includes(SECRET)).toBe(false);
    const tiff = exif('MM', 6).slice(10, 32);
    expect(kept).toEqual(bytes(PNG.slice(0, -12), chunk('eXIf', bytes(tiff, [0, 0, 0, 0])), PNG.slice(-12)));
    expect(withoutMetadata(kept, 'image/png')).toEqual(kept);
    expect(withoutMetadata(turned(order, 1), 'image/png')).toEqual(PNG);
  });

  it('has the size that is shown', () => {
    const wide = new Uint8Array(turned('MM', 6));
    wide[19] = 7;
    expect(sizeOfPicture(wide, 'image/png')).toEqual({ width: 1, height: 7 });
  });
});

describe('a PNG', () => {
  const chunk = (type: string, ...parts: readonly Part[]) => {
    const content = bytes(...parts);
    return bytes([0, 0, content.length >> 8, content.length & 0xff], type, content, [0, 0, 0, 0]);
  };

  it('keeps what draws the image and nothing else', () => {
    const [head, image] = [PNG.slice(0, 33), PNG.slice(33)];
    const colours = [chunk('gAMA', [0, 0, 0xb1, 0x8f]), chunk('iCCP', 'p3\0\0')];
    const metadata = ['tEXt', 'zTXt', 'iTXt', 'eXIf', 'tIME', 'prVt'].map((type) => chunk(type, SECRET));
    const picture = bytes(head, ...colours, ...metadata, image, [0, 0, 0x0a]);
    expect(withoutMetadata(picture, 'image/png')).toEqual(bytes(head, ...colours, image));
  });
});

describe('a WebP', () => {
  const chunk = (type: string, ...parts: readonly Part[]) => {
    const content = bytes(...parts);
    return bytes(
      type,
      [content.length & 0xff, content.length >> 8, 0, 0],
      content,
      content.length % 2 === 1 ? [0] : [],
    );
  };
  const webp = (...chunks: readonly Part[]) => {
    const rest = bytes('WEBP', ...chunks);
    return bytes('RIFF', [rest.length & 0xff, rest.length >> 8, 0, 0], rest);
  };
  const size = (flags: number) => chunk('VP8X', [flags, 0, 0, 0, 199, 0, 0, 59, 0, 0]);
  /** 200 by 60 pixels. */
  const LOSSLESS = chunk('VP8L', [0x2f, 199, (59 << 6) & 0xff, 59 >> 2, 0x10, 7]);
  const LOSSY = chunk('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a, 200, 0x40, 60, 0x80, 7]);

  it('keeps what draws the image and nothing else', () => {
    const colours = chunk('ICCP', 'Display P3');
    const metadata = [chunk('EXIF', SECRET), chunk('XMP ', SECRET), chunk('ANIM', SECRET), chunk('OTHR', SECRET)];
    const picture = webp(size(0xff), colours, ...metadata, LOSSLESS, chunk('EXIF', SECRET));
    const kept = withoutMetadata(picture, 'image/webp');
    expect(kept).toEqual(webp(size(0xff - 0x0e), colours, LOSSLESS));
    expect(withoutMetadata(kept, 'image/webp')).toEqual(kept);
    const long = bytes(webp(LOSSY), 'XMP ', [0xff, 0xff, 0, 0], SECRET);
    expect(withoutMetadata(long, 'image/webp')).toEqual(webp(LOSSY));
  });

  it('says its size in either kind of image, whatever its canvas says', () => {
    for (const image of [LOSSLESS, LOSSY])
      expect(sizeOfPicture(webp(chunk('VP8X', new Uint8Array(10)), image), 'image/webp')).toEqual({
        width: 200,
        height: 60,
      });
    const faults = [
      webp(),
      webp(size(2), chunk('ANMF', LOSSY)),
      webp(chunk('VP8 ', [0, 0, 0, 1, 2, 3])),
      bytes('RIFF'),
    ];
    for (const file of faults) expect(sizeOfPicture(file, 'image/webp')).toBeUndefined();
  });
});

test('the size of a JPEG and of a PNG is that of the picture as it is shown', () => {
  const frame = segment(0xc2, [8, 0, 60, 0, 200, 1, 1, 0x11, 0]);
  const sizes = [1, 4, 5, 8].map((orientation) => {
    const { width, height } =
      sizeOfPicture(bytes(START, exif('MM', orientation), TABLES, frame, END), 'image/jpeg') ?? {};
    return [width, height];
  });
  expect(sizes).toEqual([
    [200, 60],
    [200, 60],
    [60, 200],
    [60, 200],
  ]);
  expect(sizeOfPicture(bytes(START, TABLES, SCANS[0] ?? [], END), 'image/jpeg')).toBeUndefined();
  expect(sizeOfPicture(bytes(START, [0xff, 0xe1, 0, 0]), 'image/jpeg')).toBeUndefined();
  expect(sizeOfPicture(PNG, 'image/png')).toEqual({ width: 1, height: 1 });
});

describe('any file', () => {
  it.each([
    ['image/jpeg', JPEG],
    ['image/png', PNG],
    ['application/pdf', PDF],
  ])('of type %s without metadata stays as it is', (type, file) => {
    expect(withoutMetadata(file, type)).toEqual(file);
  });

  it('that does not follow its format keeps only what could be read', () => {
    const image = [TABLES, FRAME, ...SCANS];
    const cases: [Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>][] = [
      // Readers skip a stray byte before a marker, and markers without a length.
      [bytes(START, [0], exif('MM', 1), [7, 0xff, 0xd0], ...image, END), bytes(START, ...image, END)],
      [bytes(START, FRAME, [0xff, 0xe1, 0xff, 0xff], SECRET, END), bytes(START, FRAME, END)],
      [bytes(START, FRAME, [0xff, 0xe1, 0, 1], SECRET, END), bytes(START, FRAME, END)],
      [bytes(START, SECRET, END), bytes(START, END)],
      [bytes(START, SCANS[0] ?? [], [1, 2]), bytes(START, SCANS[0] ?? [], [1, 2], END)],
    ];
    for (const [file, kept] of cases) expect(jpeg(file)).toEqual(kept);
    const long = bytes(PNG.slice(0, 33), [0xff, 0xff, 0xff, 0xff], 'tEXt', SECRET, PNG.slice(33));
    expect(withoutMetadata(long, 'image/png')).toEqual(bytes(PNG.slice(0, 33), PNG.slice(-12)));
  });

  it('keeps the header of a JPEG before its orientation', () => {
    const kept = jpeg(bytes(START, JFIF, exif('II', 6), FRAME, END));
    expect(kept.slice(0, 2 + JFIF.length)).toEqual(bytes(START, JFIF));
    expect(jpeg(kept)).toEqual(kept);
  });

  it('is read to the end, whatever its bytes are, and is the same the second time', () => {
    const types = fc.constantFrom(['image/jpeg', START] as const, ['image/png', [...PNG.slice(0, 8)]] as const);
    const words = fc.constantFrom(...[0xff, 0xd8, 0xd9, 0xda, 0xe1, 0, 2, 8, 0x45]);
    fc.assert(
      fc.property(types, fc.array(fc.oneof(words, fc.nat(255)), { maxLength: 200 }), ([type, start], rest) => {
        const once = withoutMetadata(bytes(start, rest), type);
        expect(withoutMetadata(once, type)).toEqual(once);
      }),
    );
  });
});
