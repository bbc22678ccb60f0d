import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { readSheet } from 'read-excel-file/node';
import { expect, it } from 'vitest';
import { type SavedTable, workbookOf } from '../../../src/core/workbook.ts';
import { ADDRESSES, FORMULAS, NAMES, PHONES } from '../../support/cast.ts';

/* Workbooks are read by read-excel-file, and by their parts where that reader changes what it reads. */

const ENGLISH = { name: 'shipments', isRightToLeft: false };
const bytesOf = async (table: SavedTable, options = ENGLISH) =>
  new Uint8Array(await workbookOf(table, options).arrayBuffer());
const read = async (table: SavedTable) => readSheet(Buffer.from(await bytesOf(table)), { trim: false });
const partOf = async (table: SavedTable, part: string, options = ENGLISH) =>
  strFromU8(unzipSync(await bytesOf(table, options))[part] ?? new Uint8Array());
const SHEET = 'xl/worksheets/sheet1.xml';

it('keeps texts as they are: names, addresses, phones, formulas, leading zeros and long numbers', async () => {
  const texts = [
    ...NAMES.map(({ name }) => name),
    ...ADDRESSES.map(({ line }) => line),
    ...PHONES.map(({ typed }) => typed),
    ...FORMULAS,
    ...[
      '00123',
      '0501234567',
      '123456789012345678901',
      '1e5',
      '950E2862',
      '00367901234567890323',
      '2026-01-02',
      'TRUE',
      '#N/A',
      ' a  b ',
      'a\n\tb',
    ],
    ...['<a href="x">&amp;</a>', "it's", '🚚'],
  ];
  const rows = await read({ columns: ['text', 'النص'], rows: texts.map((text) => [text, 'x']) });
  expect(rows).toEqual([['text', 'النص'], ...texts.map((text) => [text, 'x'])]);
  expect(await partOf({ columns: ['=1'], rows: [['=1+1']] }, SHEET)).not.toContain('<f');
});

it('has an amount as a number if a spreadsheet keeps each digit, and otherwise as a text', async () => {
  const amounts = ['150', '150.50', '0', '0.001', '-5', '999999999999999', '1234567890123.45'];
  const texts = ['12345678901234567.89', '1000000000000000', '0150', '1,234.50', '١٢٫٥', '=1', '1e3', ''];
  const rows = await read({
    columns: ['externalReference', 'codAmount'],
    amounts: ['codAmount'],
    rows: [...amounts, ...texts].map((text) => ['150', text]),
  });
  expect(rows.slice(1).map(([reference]) => reference)).toEqual([...amounts, ...texts].map(() => '150'));
  expect(rows.slice(1).map(([, amount]) => amount)).toEqual([
    ...amounts.map(Number),
    ...texts.map((text) => text || null),
  ]);
});

it('has empty cells, numbers of rows, and columns after Z', async () => {
  const columns = Array.from({ length: 60 }, (_, index) => `column ${index}`);
  const rows = await read({ columns, rows: [[2, null, undefined, '', ...columns.slice(4)]] });
  expect(rows).toEqual([columns, [2, null, null, null, ...columns.slice(4)]]);
  const template = { columns: ['phone'], rows: [] };
  expect(await read(template)).toEqual([['phone']]);
  // What people type into it stays text.
  expect(await partOf(template, SHEET)).toMatch(/<col min="1" max="1" width="7" customWidth="1" style="1"\/>/);
  expect(await partOf(template, 'xl/styles.xml')).toContain('<xf numFmtId="49" applyNumberFormat="1"/>');
});

it('begins at the right in Arabic', async () => {
  const table = { columns: ['الاسم'], rows: [['نورة']] };
  expect(await partOf(table, SHEET, { name: 'نتيجة', isRightToLeft: true })).toContain('<sheetView rightToLeft="1" ');
  expect(await partOf(table, SHEET)).not.toContain('rightToLeft');
});

it('writes what XML cannot hold by its number, so that every file opens', async () => {
  const control = await partOf({ columns: ['a'], rows: [['\r\n\0\u0007\uFFFF\uD800 _x000D_ _X0041_ _x41_']] }, SHEET);
  expect(control).toContain('>&#13;\n_x0000__x0007__xFFFF_\uFFFD _x005F_x000D_ _x005F_X0041_ _x41_<');
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 20 }), async (text) => {
      const [, [cell] = []] = await read({ columns: ['a'], rows: [[`x${text}`]] });
      expect(typeof cell).toBe('string');
    }),
    { numRuns: 50 },
  );
  const [, [long] = []] = await read({ columns: ['a'], rows: [['ن'.repeat(40_000)]] });
  expect(String(long)).toHaveLength(32_767);
});

it('is the same file for the same table, and compresses large ones at once', async () => {
  const row = Array.from({ length: 15 }, (_, index) => `SHP-7ZQ4N0K2RD5 ${index}`);
  const table = { columns: row, rows: Array.from({ length: 2000 }, () => row) };
  const [one, other] = [await bytesOf(table), await bytesOf(table)];
  expect(one).toEqual(other);
  expect((await readSheet(Buffer.from(one))).length).toBe(2001);
});
