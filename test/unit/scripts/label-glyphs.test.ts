import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from 'fontkit';
import { afterAll, describe, expect, it } from 'vitest';
import { writeLabelFonts } from '../../../scripts/build/fonts.ts';
import type { Shipment } from '../../../src/contract/shipment.ts';
import { isPrintable, LABEL_FONTS, LABEL_LETTERS } from '../../../src/core/label-letters.ts';
import type { Locale } from '../../../src/core/locale.ts';
import { ASSET_PATHS, FONT_WEIGHTS } from '../../../src/http/web/asset-paths.ts';
import { contentOf, STYLES } from '../../../src/http/web/waybill/content.ts';
import { readFaces } from '../../../src/http/web/waybill/fonts.ts';
import { isolate } from '../../../src/http/web/waybill/isolate.ts';
import { labelsOf } from '../../../src/http/web/waybill/label.ts';
import { layoutLabel } from '../../../src/http/web/waybill/layout.ts';
import { makePdf } from '../../../src/http/web/waybill/pdf.ts';
import { roughLines } from '../../../src/http/web/waybill/rough.ts';
import { type Line, Typesetter } from '../../../src/http/web/waybill/typeset.ts';
import { makeZpl } from '../../../src/http/web/waybill/zpl.ts';
import type { Services } from '../../../src/service/services.ts';
import { ADDRESSES, NAMES, UNPRINTABLE_TEXTS } from '../../support/cast.ts';
import { pagesOf } from '../../support/pdf-glyphs.ts';
import { type Picture, readDigits, readZpl } from '../../support/zpl-reader.ts';

/* Glyphs on labels: each text with the fonts that the build makes, and with HarfBuzz as Deno runs it. */

const folder = mkdtempSync(join(tmpdir(), 'label-fonts-'));
await writeLabelFonts(folder);
afterAll(() => rmSync(folder, { recursive: true }));

const HARFBUZZ = createRequire(import.meta.url).resolve('harfbuzzjs/dist/harfbuzz.wasm');
const services = {
  readAsset: async (path: string) => new Uint8Array(readFileSync(join(folder, path))),
  readShaper: () => WebAssembly.compile(readFileSync(HARFBUZZ)),
} as unknown as Services;

const SHIPMENT = {
  shipmentId: '01890a5d-ac96-774b-bcce-b302099a8057',
  shipmentNumber: 'SHP-7ZQ4N0K2RD5',
  externalReference: null,
  recipientName: 'Sara',
  maskedRecipientPhone: '********0001',
  totalWeightKilograms: '6.5',
  codAmount: '150',
  currency: 'SAR',
  paymentMethod: 'COD',
  pickupWindowStart: '2030-01-01T06:00:00Z',
  pickupWindowEnd: '2030-01-01T09:00:00Z',
  destination: { addressLine: 'Riyadh', cityCode: 'RUH', latitude: '24.79', longitude: '46.62' },
  pickup: null,
  items: [
    { description: 'Dates', quantity: 3, weightKilograms: '2' },
    { description: 'Cups', quantity: 1, weightKilograms: '0.5' },
  ],
  requirements: [],
} as unknown as Shipment;

type Changes = Partial<Shipment> & { readonly addressLine?: string };

function contentsOf(
  { addressLine, ...changes }: Changes,
  locale: Locale = 'ar',
  labels: 'shipment' | 'item' = 'shipment',
) {
  const destination = { ...SHIPMENT.destination, ...(addressLine === undefined ? {} : { addressLine }) };
  const shipment = { ...SHIPMENT, destination, ...changes };
  return labelsOf({ locale, labels, merchantName: 'متجر النور', shipment }, 'https://mirsal.example').map(contentOf);
}
const sheetsOf = async (changes: Changes, locale?: Locale) => {
  const labels = contentsOf(changes, locale);
  return { labels, faces: await readFaces(services, labels), notice: undefined };
};
const pdfOf = async (changes: Changes, locale?: Locale) =>
  pagesOf(await makePdf(await sheetsOf(changes, locale), { locale: 'ar', title: 'Label', at: new Date(0) }));
const linesOf = (changes: Changes, kind: string, locale?: Locale, labels?: 'item') =>
  contentsOf(changes, locale, labels).map(
    ({ blocks }) => blocks.flatMap(({ entries }) => entries).find((entry) => entry.kind === kind)?.text,
  );

/** The characters of a line from left to right. A glyph for two Arabic letters stands for them from right to left. */
function seen({ pieces }: Line): string {
  const texts = pieces.map(({ text, glyphs }) => {
    const clusters = [...new Set(glyphs.map(({ cluster }) => cluster))];
    const ends = [...clusters, text.length].toSorted((one, other) => one - other);
    return clusters.map((cluster) => inOrder(text.slice(cluster, ends[ends.indexOf(cluster) + 1]))).join('');
  });
  return texts.join('');
}
const inOrder = (cluster: string) =>
  /^[\u0621-\u064a]+$/.test(cluster) ? [...cluster].toReversed().join('') : cluster;

const LOCALES = ['en', 'ar'] as const;

describe('the letters of labels', () => {
  it.each(LABEL_FONTS)('%s are those of the file, in both weights', (name) => {
    const letters = new RegExp(`[${LABEL_LETTERS[name]}]`, 'u');
    const expected = Array.from({ length: 0x1_00_00 }, (_, code) => code).filter((code) =>
      letters.test(String.fromCharCode(code)),
    );
    for (const weight of FONT_WEIGHTS) {
      const font = create(readFileSync(join(folder, ASSET_PATHS.font(name, weight))));
      expect(expected.filter((code) => !font.hasGlyphForCodePoint(code))).toEqual([]);
    }
    expect(readFileSync(join(folder, ASSET_PATHS.fontLicence(name)), 'utf8')).toContain('SIL Open Font License');
  });

  it('print every name and address', () => {
    for (const text of [...NAMES.map(({ name }) => name), ...ADDRESSES.map(({ line }) => line)])
      expect([text, isPrintable(text)]).toEqual([text, true]);
    for (const text of UNPRINTABLE_TEXTS) expect([text, isPrintable(text)]).toEqual([text, false]);
  });
});

describe.each(LOCALES)('a label in %s', (locale) => {
  const direction = locale === 'ar' ? 'rtl' : 'ltr';
  const setting = { weight: 400, direction, width: 200, linesMax: 1 } as const;
  const typesetterFor = async (text: string) => {
    const [content] = contentsOf({ addressLine: text }, locale);
    return new Typesetter(await readFaces(services, content === undefined ? [] : [content]));
  };

  it.each([
    ['شارع ١٢ شقة ٣٤٥', '٣٤٥ ةقش ١٢ عراش'],
    ['طبقة ۴۵', '۴۵ ةقبط'],
    ['مبنى ١٢-أ', 'أ- ١٢ ىنبم'],
    ['(الدور ٢)', '( ٢ رودلا )'],
    ['Road ١٢, flat 345', 'Road ١٢ , flat 345'],
    ['حي ٣/٤', '٣/٤ يح'],
  ])('draws %s from left to right as %s', async (text, expected) => {
    const [line] = (await typesetterFor(text)).setParagraph(isolate(text), setting);
    // Letters are drawn in either form of a bracket, which mirrors itself.
    const plain = (drawn: string) => drawn.replaceAll(/[()\s]/g, '');
    expect(plain(line === undefined ? '' : seen(line))).toBe(plain(expected));
  });

  it('draws the numbers of every address in the order in which they are stored, in PDF and ZPL', async () => {
    for (const { line, numbers } of ADDRESSES) {
      const [page = ''] = await pdfOf({ addressLine: line }, locale);
      for (const number of numbers) expect([line, page]).toEqual([line, expect.stringContaining(number)]);
      const digits = (await addressPictures(line, locale)).map((picture) => digitsOf(readDigits(picture, TEMPLATES)));
      for (const number of numbers)
        expect([line, digits]).toEqual([
          line,
          expect.arrayContaining([expect.stringContaining(digitsOf(number).trim())]),
        ]);
    }
  });

  it('draws every name with glyphs, whatever was printed before', async () => {
    const first = await pdfOf({ recipientName: 'محمد' }, locale);
    const zpl = await makeZpl(await sheetsOf({ recipientName: 'محمد' }, locale));
    for (const { name } of NAMES) {
      const [page = ''] = await pdfOf({ recipientName: name }, locale);
      expect([name, page]).toEqual([name, expect.not.stringMatching(/[?\ufb50-\ufdff\ufe70-\ufeff]/)]);
    }
    const [forms] = [NAMES.find(({ name }) => name.startsWith('\uFEE3'))?.name ?? ''];
    expect(await pdfOf({ recipientName: forms }, locale)).toEqual(first);
    expect(await pdfOf({ recipientName: 'محمد' }, locale)).toEqual(first);
    expect(await makeZpl(await sheetsOf({ recipientName: forms }, locale))).toBe(zpl);
  });

  it('leaves out what is invisible', async () => {
    const plain = await makeZpl(await sheetsOf({ recipientName: 'Sara Al-Harbi' }, locale));
    for (const name of ['\u2060Sara\u00a0Al-Harbi', 'Sa\ufe0fra Al\u00ad-Harbi', '\u200fSara\tAl-Harbi\u202c'])
      expect(await makeZpl(await sheetsOf({ recipientName: name }, locale))).toBe(plain);
  });
});

/** What hb-shape 6.0.0 says of the same files: reordered vowels, conjuncts, marks. */
const REFERENCE: Readonly<Record<string, readonly (readonly number[])[]>> = {
  devanagari: [
    [80, 29, 61, 38, 83],
    [54, 32, 78, 29, 80],
  ],
  bengali: [
    [49, 323, 44, 23, 60, 50],
    [13, 53, 50, 57, 47],
  ],
  tamil: [
    [132, 138, 16, 84],
    [44, 18, 90, 34, 86],
  ],
  malayalam: [
    [7, 44, 75, 38, 65, 118],
    [49, 233, 62, 115],
  ],
};

describe('the shaper', () => {
  it.each([
    ['राजेश कुमार', 'devanagari'],
    ['রফিকুল ইসলাম', 'bengali'],
    ['முருகன் செல்வம்', 'tamil'],
    ['അബ്ദുൾ റഹ്മാൻ', 'malayalam'],
  ])('reorders and joins %s as its script does', async (name, font) => {
    const [content] = contentsOf({ recipientName: name });
    const typesetter = new Typesetter(await readFaces(services, content === undefined ? [] : [content]));
    const [line] = typesetter.setParagraph(isolate(name), { weight: 400, direction: 'ltr', width: 200, linesMax: 1 });
    expect(line?.pieces.map(({ face }) => face.name)).toEqual([`${font}-400`, `${font}-400`]);
    expect(line?.pieces.map(({ glyphs }) => glyphs.map(({ id }) => id))).toEqual(REFERENCE[font]);
  });
});

describe('what a label says', () => {
  it('is for the pieces of the label, and asks for the amount once', () => {
    expect(linesOf({}, 'total', 'en', 'item')).toEqual(['Pieces 3 · Weight 6 kg', 'Pieces 1 · Weight 0.5 kg']);
    expect(linesOf({}, 'amount', 'en', 'item')).toEqual(['150.00 Saudi riyals', undefined]);
    expect(linesOf({}, 'paid', 'en', 'item')).toEqual([undefined, 'collected with \u20661/2\u2069']);
    expect(linesOf({ codAmount: '0', paymentMethod: 'PREPAID' }, 'paid', 'en', 'item')).toEqual([
      'Nothing (prepaid)',
      'Nothing (prepaid)',
    ]);
    expect(linesOf({}, 'amount', 'en')).toEqual(['150.00 Saudi riyals']);
  });

  it('shows both days of a window of several days', () => {
    expect(linesOf({}, 'window', 'en')).toEqual(['Pickup: Tuesday 1 January 09:00 – 12:00']);
    const several = linesOf({ pickupWindowEnd: '2030-01-03T09:00:00Z' }, 'window', 'en');
    expect(several).toEqual(['Pickup: Tuesday 1 January 09:00 – Thursday 3 January 12:00']);
  });

  it.each([
    ['شارع الأمير 050-123-4567', '\u2067شارع الأمير \u2066050-123-4567\u2069\u2069'],
    ['الرمز 12211-8765', '\u2067الرمز \u206612211-8765\u2069\u2069'],
    ['اتصل +966 50 123 4567', '\u2067اتصل \u2066+966 50 123 4567\u2069\u2069'],
    ['RRRD2929 شارع الملك فهد', '\u2067\u2066RRRD2929\u2069 شارع الملك فهد\u2069'],
    ['King Fahd Road (العليا) 12-3', '\u2066King Fahd Road (العليا) \u206612-3\u2069\u2069'],
    ['King Fahd Road 12-3', '\u2066King Fahd Road 12-3\u2069'],
  ])('isolates the numbers in %s', (text, expected) => {
    expect(isolate(text)).toBe(expected);
  });

  it('has sizes in HTML that are those of PDF', () => {
    const css = readFileSync(new URL('../../../src/http/web/waybill/waybill.css', import.meta.url), 'utf8');
    for (const [kind, style] of Object.entries(STYLES)) {
      const factor = 'isAddress' in style ? 'address' : 'rest';
      expect(css).toContain(`  .${kind} { font-size: calc(${style.size}mm * var(--${factor})); }`);
    }
  });

  it('gets smaller in HTML for 240 wide letters', () => {
    const [usual, long] = ['Sara', 'W'.repeat(240)].flatMap((recipientName) => contentsOf({ recipientName }, 'en'));
    for (const [content, expected] of [
      [usual, [0]],
      [long, [1, 2, 3, 4, 5]],
    ] as const)
      expect(expected).toContain(content && layoutLabel(content, undefined, roughLines).scale);
  });
});

const VALUES = '0123456789٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹';
const TEMPLATES = new Map<string, Picture>();
for (const digit of VALUES) {
  const [picture] = await addressPictures(digit, 'ar');
  if (picture !== undefined) TEMPLATES.set(digit, picture);
}

/** The lines of an address: what no label without an address has. */
async function addressPictures(addressLine: string, locale: Locale): Promise<readonly Picture[]> {
  const formatOf = async (text: string) => readZpl(await makeZpl(await sheetsOf({ addressLine: text }, locale)))[0];
  const [format, empty] = [await formatOf(addressLine), await formatOf(' ')];
  const known = new Set(empty?.pictures.map(({ rows }) => rows.join()));
  return format?.pictures.filter(({ rows }) => !known.has(rows.join())) ?? [];
}

/** A number without its signs. A Persian 1 looks like an Arabic one, so digits are compared by their value. */
const digitsOf = (number: string) =>
  number.replaceAll(/\p{Nd}/gu, (digit) => String(VALUES.indexOf(digit) % 10)).replaceAll(/\D/g, ' ');
