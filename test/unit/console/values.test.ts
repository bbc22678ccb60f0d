import { describe, expect, test, vi } from 'vitest';
import { readCsv } from '../../../src/console/shipments/csv-file.ts';
import { matchColumns } from '../../../src/console/shipments/export-headers.ts';
import { restJson } from '../../../src/console/shipments/rest-text.ts';
import { sketchOf } from '../../../src/console/shipments/route-geometry.ts';
import { blankDraft, requestOf } from '../../../src/console/shipments/shipment-draft.ts';
import { requestOfRow } from '../../../src/console/shipments/upload-request.ts';
import { correctCell, matchAnew, missingFields, rowsOfFile } from '../../../src/console/shipments/upload-rows.ts';
import { labelParts } from '../../../src/console/shipments/upload-verdicts.ts';
import { csvText } from '../../../src/core/csv.ts';
import { readText } from '../../../src/core/typed/text.ts';
import { isLink, positionIn } from '../../../src/ui/browser/kit/pasted-position.ts';
import { FORMULAS, NAMES } from '../../support/cast.ts';

test('a body keeps every digit of its decimals, and only decimals become numbers', () => {
  const body = {
    declaredValue: '12345678901234567.89',
    recipient: { name: '12' },
    items: [{ weightKilograms: '0.25' }],
  };
  expect(restJson(body).replaceAll(/\s/g, '')).toBe(
    '{"declaredValue":12345678901234567.89,"recipient":{"name":"12"},"items":[{"weightKilograms":0.25}]}',
  );
});

test('typed text that is not a number stays text, so that the service refuses it', () => {
  expect(restJson({ codAmount: '1,5' })).toBe('{\n  "codAmount": "1,5"\n}');
});

test.each([
  '24.79, 46.62',
  ' (24.79 46.62) ',
  '٢٤٫٧٩، ٤٦٫٦٢',
  '+24.79,+46.62',
  'https://www.google.com/maps/@24.79,46.62,17z',
  'https://www.google.com/maps/place/Al+Malqa/@24.1,46.1,17z/data=!3m1!4b1!8m2!3d24.79!4d46.62!16s',
  'https://www.google.com/maps/place/24.79,46.62/@24.1,46.1,17z',
  'https://www.google.com/maps/search/24.79,+46.62?entry=tts',
  'https://www.google.com/maps/search/?api=1&query=24.79%2C46.62',
  'https://maps.google.com/?q=24.79,46.62',
  'موقعي: https://maps.google.com/maps?q=loc:24.79,46.62&z=17',
  'https://www.google.com/maps/dir/?api=1&destination=24.79,46.62',
  'https://maps.apple.com/?ll=24.79,46.62&q=Home',
  'https://maps.apple.com/place?coordinate=24.79,46.62&name=Home',
  'geo:24.79,46.62;u=35',
  'geo:0,0?q=24.79,46.62(Home)',
])('a pasted position is found in %s', (pasted) => {
  expect(positionIn(pasted)).toEqual({ latitude: '24.79', longitude: '46.62' });
});

test.each([
  '24.79',
  '24,79',
  '24, 46',
  '91.1, 46.62',
  '24.79, 181.2',
  '24.79, 46.62, 17.5',
  'https://maps.app.goo.gl/a24.79,46.62',
  'https://www.google.com/maps/dir/Riyadh/Jeddah/@24.1,46.1,7z',
  'https://maps.google.com/?q=24.79,46.62.1',
  'geo:0,0?q=Riyadh',
])('no position is guessed from %s', (pasted) => {
  expect(positionIn(pasted)).toBeUndefined();
});

test('a position keeps seven decimals and its sign, and links are told from numbers', () => {
  const pasted = 'https://maps.google.com/?q=-24.123456789,-46.5';
  expect(positionIn(pasted)).toEqual({ latitude: '-24.1234567', longitude: '-46.5' });
  expect(['https://maps.app.goo.gl/abc', 'maps.app.goo.gl/abc', '24.79', ''].map(isLink)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('positions are drawn north up in true proportion, with a round scale', () => {
  const pickup = { latitude: '24.7', longitude: '46.6' };
  const destination = { latitude: '24.8', longitude: '46.6' };
  const { spots, scale } = sketchOf({ pickup, destination }, { width: 400, height: 300, padding: 50 });
  expect(spots).toEqual({ pickup: { x: 200, y: 250 }, destination: { x: 200, y: 50 } });
  // 0.1 degrees are 11119.5 m, on 200 units.
  expect(scale).toEqual({ meters: 5000, length: 89.9 });
});

test('a single position is in the middle', () => {
  const place = { latitude: '24.7', longitude: '46.6' };
  const { spots, scale } = sketchOf({ pickup: place, destination: place }, { width: 400, height: 300, padding: 50 });
  expect(spots.destination).toEqual({ x: 200, y: 150 });
  expect(scale.meters).toBe(50);
});

test('a form becomes a request without guesses, and empty optional fields are omitted', () => {
  const blank = blankDraft(Date.UTC(2026, 10, 21, 9, 20));
  const values = {
    ...blank.values,
    'recipient.phone': '٠٥٠ ١٢٣ ٤٥٦٧',
    requirements: 'FRAGILE، COLD_CHAIN',
    declaredValue: '٢٠٫٥',
  };
  const request = requestOf({ ...blank, values });
  expect(request).toMatchObject({
    recipient: { name: '', phone: '0501234567' },
    declaredValue: '20.5',
    codAmount: '0',
    requirements: ['FRAGILE', 'COLD_CHAIN'],
    pickupWindowStart: new Date(2026, 10, 21, 11).toISOString(),
    pickupWindowEnd: '2026-11-21T13:00:00.000Z',
    items: [{ description: '', quantity: 1, weightKilograms: '' }],
  });
  expect(request.items[0]).not.toHaveProperty('lengthCentimetres');
  expect(requestOf({ ...blank, values: { ...values, pickupWindowEnd: '' } }).pickupWindowEnd).toBe('');
});

test('labels come in files of one hundred', () => {
  const ids = Array.from({ length: 201 }, (_, index) => `id-${index + 1}`);
  const parts = labelParts(ids);
  expect(parts.map(({ from, to }) => [from, to])).toEqual([
    [1, 100],
    [101, 200],
    [201, 201],
  ]);
  expect(parts.flatMap((part) => part.ids)).toEqual(ids);
  expect(labelParts([])).toEqual([]);
});

describe('a chosen CSV file', () => {
  const bytesOf = (text: string) => new TextEncoder().encode(text).buffer;

  test.each([
    ['commas', 'a,b\r\n1,2\r\n', [['1', '2']]],
    ['semicolons after a byte order mark, and no line end at its end', '\ufeffa;b\n1,5;2', [['1,5', '2']]],
    ['tabs and old line ends', 'a\tb\r1\t2', [['1', '2']]],
    ['quoted separators, line ends and quotation marks', 'a,b\n"1,\r\n2","say ""x"""\n', [['1,\r\n2', 'say "x"']]],
    ['a header with quoted commas', '"a,a,a";b\n1;2', [['1', '2']]],
    ['empty cells at the ends', 'a,b,c\n,1,\n', [['', '1', '']]],
    ['quotation marks inside a cell', 'a,b\n5" x,""\n', [['5" x', '']]],
  ])('is read with %s', (_name, text, cells) => {
    expect(readCsv(bytesOf(text))).toMatchObject({ rows: cells.map((row) => ({ cells: row })) });
  });

  test('keeps the row numbers of the spreadsheet when rows are empty', () => {
    expect(readCsv(bytesOf('a,b\n1,2\n,\n\n3,4\n'))).toMatchObject({ rows: [{ number: 2 }, { number: 5 }] });
  });

  test.each([
    ['EMPTY', bytesOf('')],
    ['EMPTY', bytesOf('a,b\n,\n')],
    ['QUOTES', bytesOf('a,b\n"1,2\n')],
    ['ENCODING', new Uint8Array([0x61, 0x2c, 0xe4]).buffer],
    ['ENCODING', new Uint8Array([0x61, 0x2c, 0xd8, 0xa7, 0xff]).buffer],
    ['ENCODING', new Uint8Array([0x61, 0x00, 0x2c, 0x00]).buffer],
  ])('is refused as %s', (fault, bytes) => {
    expect(readCsv(bytes)).toBe(fault);
  });

  test('becomes requests: names of columns in both languages, values for all rows, and nothing guessed', () => {
    const now = new Date(2026, 10, 21, 9, 20);
    const text = [
      'رقمك المرجعي;Mobile;lat;destination.longitude;COD;Payment;Pickup from;Note',
      'A-1;501234567;24,79;46,6;٢٠;;2026-11-22 10:00;x',
      'A-2;12;24.7.9;46,6;;Cash on delivery;05/11/2026 10:00;x',
    ].join('\n');
    const file = readCsv(bytesOf(text));
    if (typeof file === 'string') throw new Error(file);
    const matching = matchColumns(file);
    expect(matching).toEqual([
      'externalReference',
      'recipient.phone',
      'destination.latitude',
      'destination.longitude',
      'codAmount',
      'paymentMethod',
      'pickupWindowStart',
      '',
    ]);
    const defaults = blankDraft(now.getTime());
    expect(missingFields(matching, defaults)).toEqual([
      'branchCode',
      'pickupLocationCode',
      'recipient.name',
      'destination.addressLine',
      'destination.cityCode',
      'declaredValue',
      'items[0].description',
      'items[0].weightKilograms',
    ]);
    const [first, second] = rowsOfFile(file, matching).map((row) => requestOfRow(row, { defaults, cities: [] }));
    expect(first).toMatchObject({
      externalReference: 'A-1',
      recipient: { phone: '0501234567' },
      destination: { latitude: '24.79', longitude: '46.6' },
      codAmount: '20',
      paymentMethod: 'COD',
      currency: 'SAR',
      pickupWindowStart: '2026-11-22T07:00:00.000Z',
      pickupWindowEnd: '2026-11-21T13:00:00.000Z',
      items: [{ quantity: 1 }],
    });
    expect(second).toMatchObject({
      recipient: { phone: '12' },
      destination: { latitude: '24.7.9' },
      codAmount: '0',
      paymentMethod: 'COD',
      pickupWindowStart: '05/11/2026 10:00',
    });
  });

  test('takes cities by their names as the form does, and formulas that were saved as text', () => {
    const cities = [{ cityCode: 'RUH', name: 'Riyadh', nameAr: 'الرياض' }];
    const file = readCsv(bytesOf("Order,City\n'=1+1, riyadh\n'B,الرياض\nC,ruh\nD,Nowhere\nE,\n"));
    if (typeof file === 'string') throw new Error(file);
    const blank = blankDraft(Date.now());
    const defaults = { ...blank, values: { ...blank.values, 'destination.cityCode': 'Riyadh' } };
    const requests = rowsOfFile(file, matchColumns(file)).map((row) => requestOfRow(row, { defaults, cities }));
    expect(requests.map(({ destination }) => destination.cityCode)).toEqual(['RUH', 'RUH', 'RUH', 'NOWHERE', 'RUH']);
    expect(requests.slice(0, 2).map(({ externalReference }) => externalReference)).toEqual(['=1+1', "'B"]);
  });

  test('reads what the page has saved as it was, apart from white and invisible edges', () => {
    const saved = [...FORMULAS, ...NAMES.map(({ name }) => name), "'=1", "O'Neil, -5", 'a;\t-1', '5" - 3'];
    const file = readCsv(bytesOf(csvText([['Order', 'Name'], ...saved.map((text) => [text, text])])));
    if (typeof file === 'string') throw new Error(file);
    const read = rowsOfFile(file, matchColumns(file)).map(({ values }) =>
      Object.values(values).map((text) => readText(text ?? '')),
    );
    expect(read).toEqual(saved.map((text) => [readText(text), readText(text)]));
  });

  test('keeps corrected cells when its columns are matched anew, and created rows do not come back', () => {
    const file = readCsv(bytesOf('Order,Mobile,Payment,Note\nA-1,1,COD,2\nA-2,3,COD,4\n'));
    if (typeof file === 'string') throw new Error(file);
    const matching = matchColumns(file);
    const left = rowsOfFile(file, matching)
      .slice(1)
      .map((row) => correctCell(correctCell(row, 'branchCode', 'B'), 'paymentMethod', 'PREPAID'))
      .map((row) => correctCell(row, 'recipient.phone', '0501234567'));
    const [row, ...others] = matchAnew(left, { file, matching }, ['externalReference', '', '', 'recipient.phone']);
    // The column of the payment is not used any more, so nothing of it may be sent unseen.
    const corrected = { branchCode: 'B', 'recipient.phone': '0501234567' };
    expect(row).toEqual({ number: 3, values: { externalReference: 'A-2', ...corrected }, corrected });
    expect(others).toEqual([]);
  });
});

describe('words of a page', () => {
  const loadIn = async (lang: 'en' | 'ar') => {
    vi.resetModules();
    vi.stubGlobal('document', { documentElement: { lang } });
    const { formatMoney, formatTime, formatTimeToSecond } = await import('../../../src/ui/browser/base/locale.ts');
    const { sentenceOf } = await import('../../../src/ui/browser/service/failure.ts');
    vi.unstubAllGlobals();
    return { formatMoney, formatTime, formatTimeToSecond, sentenceOf };
  };

  test('show a day of 24 hours in both languages', async () => {
    const evening = new Date(2026, 10, 23, 18, 5, 7).toISOString();
    for (const lang of ['en', 'ar'] as const) {
      const { formatTime, formatTimeToSecond } = await loadIn(lang);
      expect([formatTime(evening), formatTimeToSecond(evening)]).toEqual([
        expect.stringMatching(/21:05$/),
        expect.stringMatching(/21:05:07$/),
      ]);
    }
  });

  test('name the type that a value must have', async () => {
    const wrong = (message: string) => ({ field: 'n', code: 'TYPE_MISMATCH', message });
    const [english, arabic] = [await loadIn('en'), await loadIn('ar')];
    expect(english.sentenceOf(wrong('must be an integer'))).toBe('Enter a whole number.');
    expect(english.sentenceOf(wrong('must be a decimal number'))).toBe('Enter a number.');
    expect(english.sentenceOf(wrong('must be true or false'))).toBe('This value has the wrong type.');
    expect(arabic.sentenceOf(wrong('نوع القيمة غير صحيح، والمطلوب: عدد صحيح'))).toBe('اكتب عددًا صحيحًا.');
  });

  test.each([
    ['1234.5', 'SAR', '1,234.50 SAR'],
    ['1.5', 'KWD', '1.500 KWD'],
    ['0.25', 'IQD', '0.250 IQD'],
    ['1250', 'JPY', '1,250 JPY'],
    ['12.5', 'ABC', '12.50 ABC'],
  ])('show %s of %s as %s', async (amount, currency, shown) => {
    const { formatMoney } = await loadIn('ar');
    expect(formatMoney(amount, currency)).toBe(shown);
  });
});
