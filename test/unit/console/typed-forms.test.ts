import { describe, expect, test } from 'vitest';
import { readCsv } from '../../../src/console/shipments/csv-file.ts';
import { matchColumns } from '../../../src/console/shipments/export-headers.ts';
import { blankDraft, requestOf } from '../../../src/console/shipments/shipment-draft.ts';
import type { OrderFile } from '../../../src/console/shipments/upload-fields.ts';
import { requestOfRow } from '../../../src/console/shipments/upload-request.ts';
import { doubtsOf, matchAnew, rowsOfFile } from '../../../src/console/shipments/upload-rows.ts';
import {
  AMOUNTS,
  CITIES,
  DOUBTFUL_NUMBERS,
  EMPTY_TEXTS,
  PHONES,
  QUANTITIES,
  SAME_REFERENCE,
} from '../../support/cast.ts';

const blank = blankDraft(Date.UTC(2026, 10, 21, 9, 20));
const cities = [
  { cityCode: 'RUH', name: 'Riyadh', nameAr: 'الرياض' },
  { cityCode: 'JED', name: 'Jeddah', nameAr: 'جدة' },
  { cityCode: 'GIZ', name: 'Jazan', nameAr: 'جازان' },
  { cityCode: 'MED', name: 'Madinah', nameAr: 'المدينة المنورة' },
  { cityCode: 'MKK', name: 'Makkah', nameAr: 'مكة المكرمة' },
];

function fileOf(text: string): OrderFile {
  const file = readCsv(new TextEncoder().encode(text).buffer);
  if (typeof file === 'string') throw new Error(file);
  return file;
}

function requestsOf(file: OrderFile) {
  return rowsOfFile(file, matchColumns(file)).map((row) => requestOfRow(row, { defaults: blank, cities }));
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

describe('the form of a shipment and the rows of a file', () => {
  test.each([
    ['form', (values: object) => requestOf({ ...blank, values: { ...blank.values, ...values } })],
    [
      'rows',
      (values: object) =>
        requestsOf(
          fileOf([Object.keys(values), Object.values(values)].map((row) => row.map(quoted).join()).join('\n')),
        )[0],
    ],
  ])('read the values of the cast: %s', (_kind, read) => {
    for (const externalReference of SAME_REFERENCE)
      expect(read({ externalReference, 'recipient.name': 'x' })).toMatchObject({ externalReference: 'A-1001' });
    for (const name of EMPTY_TEXTS)
      expect(
        read({
          externalReference: 'A-1',
          'recipient.name': name,
          'recipient.alternateContactName': name,
          'destination.addressLine': name,
        }),
      ).toMatchObject({ recipient: { name: '', phone: '' }, destination: { addressLine: '' } });
    for (const { typed, e164 } of PHONES) {
      const phone = `0${e164.slice(-9)}`;
      expect(read({ 'recipient.phone': typed, 'recipient.alternateContactPhone': typed })).toMatchObject({
        recipient: { phone, alternateContactPhone: phone },
      });
    }
    for (const { typed, value } of AMOUNTS)
      expect(read({ codAmount: typed, declaredValue: typed })).toMatchObject({
        codAmount: value,
        declaredValue: value,
      });
  });

  test('an alternate contact of invisible characters is none', () => {
    for (const text of EMPTY_TEXTS) {
      const values = {
        ...blank.values,
        'recipient.alternateContactName': text,
        'recipient.alternateContactPhone': text,
      };
      expect(Object.keys(requestOf({ ...blank, values }).recipient)).toEqual(['name', 'phone']);
    }
  });

  test('read quantities and cities', () => {
    for (const { typed, value } of QUANTITIES) {
      const items = [{ id: 0, values: { ...blank.items[0]?.values, quantity: typed } }];
      expect(requestOf({ ...blank, items: items as unknown as typeof blank.items }).items[0]?.quantity).toBe(value);
      expect(requestsOf(fileOf(`Order,Pieces\nA,${quoted(typed)}`))[0]?.items[0]?.quantity).toBe(value);
    }
    for (const { typed, cityCode } of CITIES)
      expect(requestsOf(fileOf(`Order,City\nA,${quoted(typed)}`))[0]?.destination.cityCode).toBe(cityCode);
  });
});

describe('a CSV file', () => {
  test.each([
    ['sep=;\r\na;b,c\r\n1;2\r\n', ';'],
    ['\ufeffsep=,\na,b\n1,2\n', ','],
    ['SEP=|\ra|b,c\r1|2\r', '|'],
    ['"sep=;"\na;b\n1;2\n', ';'],
    ['sep=\t\na\tb;c\n1\t2\n', '\t'],
  ])('names its separator: %j', (text, separator) => {
    const file = fileOf(text);
    expect(file.header).toHaveLength(2);
    expect([separator, file.rows]).toEqual([separator, [{ number: 2, cells: ['1', '2'] }]]);
  });

  test('may write texts as formulas', () => {
    expect(requestsOf(fileOf('Order,Mobile\n"=""0012""","=""0500000011"""\n'))[0]).toMatchObject({
      externalReference: '0012',
      recipient: { phone: '0500000011' },
    });
  });

  const amounts = (text: string) => requestsOf(fileOf(text)).map(({ declaredValue }) => declaredValue);

  test.each([
    ['a point', 'Order,Declared value\nA,"1,234"\nB,0.5\n', ['1234', '0.5']],
    ['a comma', 'Order;Declared value\nA;1.234\nB;1,234\nC;-236,48\n', ['1234', '1.234', '-236.48']],
    ['a comma of degrees', 'lat;Declared value\n24,713;1.000\n', ['1000']],
    ['a comma beside repeated points', 'Order;Declared value\nA;1.234.567\nB;1,234\n', ['1234567', '1.234']],
  ])('whose numbers show %s has no doubtful numbers', (_mark, text, expected) => {
    const file = fileOf(text);
    expect([...doubtsOf(file, matchColumns(file))]).toEqual([]);
    expect(amounts(text)).toEqual(expected);
  });

  test('whose numbers show no separator, or both, has doubtful numbers, and one answer decides all of them', () => {
    for (const { typed, value, other } of DOUBTFUL_NUMBERS)
      for (const others of [[], ['0.5', '0,5']]) {
        const cells = [typed, ...others, typed];
        const file = fileOf(['Order;Declared value', ...cells.map((cell) => `A;${cell}`)].join('\n'));
        const matching = matchColumns(file);
        const row = 2;
        expect([...doubtsOf(file, matching)]).toEqual([['declaredValue', { row, cell: typed, count: 2 }]]);
        const rows = rowsOfFile(file, matching);
        const left = matchAnew(rows, { file: { ...file, mark: ',' }, matching }, matching);
        expect([rows, left].map(([first]) => first?.values.declaredValue)).toEqual([value, other]);
      }
  });
});
