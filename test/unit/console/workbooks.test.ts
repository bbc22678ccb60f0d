import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { readOrderFile } from '../../../src/console/shipments/order-file.ts';
import { readWorkbook } from '../../../src/console/shipments/workbook-file.ts';
import { workbookOf } from '../../../src/core/workbook.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';

interface TestSheet {
  readonly name: string;
  readonly state?: string;
  readonly rows: readonly (readonly (string | number | undefined)[])[];
}

/** Numbers are number cells. A text that begins with `date:` is a serial date. */
function sheetOf({ rows }: TestSheet): string {
  const xml = rows.map((cells, row) => {
    const each = cells.map((cell, column) => {
      const r = `${String.fromCharCode(65 + column)}${row + 1}`;
      if (cell === undefined) return '';
      if (typeof cell === 'number') return `<c r="${r}"><v>${cell}</v></c>`;
      if (cell.startsWith('raw:')) return `<c r="${r}"><v>${cell.slice(4)}</v></c>`;
      if (cell.startsWith('date:')) return `<c r="${r}" s="1"><v>${cell.slice(5)}</v></c>`;
      return `<c r="${r}" t="inlineStr"><is><t>${cell}</t></is></c>`;
    });
    return `<row r="${row + 1}">${each.join('')}</row>`;
  });
  return `<worksheet xmlns="${MAIN}"><sheetData>${xml.join('')}</sheetData></worksheet>`;
}

function workbook(sheets: readonly TestSheet[], others: Readonly<Record<string, string>> = {}): ArrayBuffer {
  const named = sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${name}" sheetId="${index + 1}"${state === undefined ? '' : ` state="${state}"`} r:id="r${index}"/>`,
  );
  const links = sheets.map(
    (_, index) => `<Relationship Id="r${index}" Type="${DOCUMENT}/worksheet" Target="worksheets/s${index}.xml"/>`,
  );
  const files: Record<string, string> = {
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}"><sheets>${named.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${RELATIONS}">${links.join('')}</Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="22"/></cellXfs></styleSheet>`,
    ...others,
  };
  for (const [index, sheet] of sheets.entries()) files[`xl/worksheets/s${index}.xml`] = sheetOf(sheet);
  const entries = Object.entries(files).map(([path, xml]) => [path, strToU8(xml)] as const);
  return zipSync(Object.fromEntries(entries)).buffer;
}

const header = ['رقم الطلب', 'رقم الجوال', 'تاريخ الطلب', 'إجمالي الطلب'];

describe('a workbook', () => {
  test('has the sheet with the orders, also under a title, and not those that are hidden', async () => {
    const bytes = workbook([
      {
        name: 'تعليمات',
        rows: [
          ['اقرأ أولًا', 'ثم ارفع'],
          ['a', 'b'],
        ],
      },
      {
        name: 'قديم',
        state: 'hidden',
        rows: [
          [...header, 'المدينة'],
          ['1', '2', '3', '4', '5'],
        ],
      },
      {
        name: 'قديم جدًا',
        state: 'veryHidden',
        rows: [
          [...header, 'المدينة'],
          ['1', '2', '3', '4', '5'],
        ],
      },
      {
        name: 'الطلبات',
        rows: [
          ['تقرير اليوم'],
          [],
          header,
          [215680001, 501234567, 'date:46355.375', 219.5],
          ['A-2', 966501234567, undefined, 'raw:0.30000000000000004'],
          ['A-3', 'raw:9.66501234567E11'],
        ],
      },
    ]);
    expect(await readOrderFile(bytes)).toEqual({
      header,
      rows: [
        { number: 4, cells: ['215680001', '501234567', '2026-11-29 09:00', '219.5'] },
        { number: 5, cells: ['A-2', '966501234567', '', '0.3'] },
        { number: 6, cells: ['A-3', '966501234567', '', ''] },
      ],
    });
  });

  test('with several sheets of orders says which one was read', async () => {
    const rows = [header, ['A-1', '0501234567', '', '5']];
    const notes = [
      ['المدينة', 'ملاحظات'],
      ['الرياض', 'x'],
    ];
    const sheets = [
      { name: 'قائمة', rows: notes },
      { name: 'السبت', rows },
      { name: 'فارغة', rows: [header] },
      { name: 'الأحد', rows },
    ];
    expect(await readOrderFile(workbook(sheets))).toMatchObject({ sheet: { name: 'السبت', others: ['الأحد'] } });
    expect(await readOrderFile(workbook(sheets.slice(0, 3)))).not.toHaveProperty('sheet');
  });

  test('that this page saves is read again', async () => {
    const table = { columns: header, rows: [['0012', '0501234567', '=1+1', '5']] };
    const saved = workbookOf(table, { name: 'طلبات', isRightToLeft: true });
    expect(await readOrderFile(await saved.arrayBuffer())).toEqual({
      header,
      rows: [{ number: 2, cells: ['0012', '0501234567', '=1+1', '5'] }],
    });
  });

  test('with large sheets is read without a worker, and more than 50 MB are not unpacked', async () => {
    const rows = Array.from({ length: 9000 }, (_, index) => [`A-${index}`, 501234567, 'x'.repeat(60), 1]);
    const large = await readWorkbook(workbook([{ name: 'A', rows: [header, ...rows] }]));
    expect(typeof large === 'string' ? large : large.rows.length).toBe(9000);
    const bomb = workbook([{ name: 'A', rows: [header, ['1']] }], { 'xl/media.xml': ' '.repeat(51 * 1024 * 1024) });
    expect(bomb.byteLength).toBeLessThan(100_000);
    expect(await readWorkbook(bomb)).toBe('UNPACKED');
  });

  test.each([
    ['WORKBOOK', strToU8('PK\u0003\u0004 broken').buffer],
    ['WORKBOOK', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0]).buffer],
    ['WORKBOOK', zipSync({ 'word/document.xml': strToU8('<x/>') }).buffer],
    ['EMPTY', workbook([{ name: 'A', rows: [header] }])],
  ])('is refused as %s', async (fault, bytes) => {
    expect(await readOrderFile(bytes)).toBe(fault);
  });
});
