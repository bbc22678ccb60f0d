import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { pageOf } from '../../../src/contract/page.ts';
import { csvOf, csvOfTable, csvText, inertText, textOfInert } from '../../../src/core/csv.ts';
import { preferredType } from '../../../src/http/accept.ts';
import { columnsOfList } from '../../../src/http/rest/columns.ts';
import { FORMULAS } from '../../support/cast.ts';

/** After what readers skip. */
const BEGINS_FORMULA =
  /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*(?:[=+\-@＝＋－＠﹦﹢﹣﹫])|^[^\S\t\r\n]*[\t\r\n]/u;

/** The cells for a program that reads quotation marks as spreadsheets do: where a cell begins with one, to the next alone. */
function cellsOf(file: string, separator: string): string[] {
  const cells: string[] = [];
  let [cell, isQuoted, isNew] = ['', false, true];
  const characters = file.replace(/^\uFEFF/, '');
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters.charAt(at);
    if (isQuoted && character === '"' && characters.charAt(at + 1) === '"') at += 1;
    else if (character === '"' && (isQuoted || isNew)) {
      [isQuoted, isNew] = [!isQuoted, false];
      continue;
    } else if (!isQuoted && [separator, '\r', '\n'].includes(character)) {
      cells.push(cell);
      [cell, isNew] = ['', true];
      continue;
    }
    cell += character;
    isNew = false;
  }
  return [...cells, cell];
}

/** The pieces for a program that knows no quotation marks and drops them. Lists of numbers are no texts. */
function barePieces(file: string, separator: string): string[] {
  return file
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .flatMap((line) => line.split(separator))
    .map((piece) => piece.replace(/^"+/, ''));
}

describe('a list as CSV', () => {
  const rowOf = (...cells: unknown[]) =>
    csvOf(
      cells.map((_, index) => [String(index)]),
      [Object.fromEntries(cells.entries())],
    ).replace(/^[^\r]*\r\n([^]*)\r\n$/, '$1');

  it('has a byte order mark, a header and lines that end in CR LF', () => {
    expect(csvOf([['a'], ['b', 'c']], [{ a: 1, b: { c: 'نورة' } }])).toBe('\ufeffa,b.c\r\n1,نورة\r\n');
    expect(csvOf([['a']], [])).toBe('\ufeffa\r\n');
  });

  it.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['=1+1', "'=1+1"],
    ['+966500000001', "'+966500000001"],
    ['-', "'-"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['a;\tx', "a;'\tx"],
    ['\n=1', '"\'\n\'=1"'],
    ['\u00A0=1', "\u00A0'=1"],
    ['\uFEFF\u200F＝1', "\uFEFF\u200F'＝1"],
    ['a;"=1+1', '"a;""\'=1+1"'],
    ['a,-1', '"a,\'-1"'],
    ['5" - 3', '"5"" \'- 3"'],
    ["'=1", "''=1"],
    ["'=1+1;=1+2", "''=1+1;'=1+2"],
    ['a, b;', '"a, b;\'"'],
    ['a b;', 'a b;'],
    ['rock -n- roll, a+b=c', '"rock -n- roll, a+b=c"'],
    ['\rx', '"\'\rx"'],
    ['=HYPERLINK("https://evil.example","x")', '"\'=HYPERLINK(""https://evil.example"",""x"")"'],
    [' =1', " '=1"],
    ['a;=1', "a;'=1"],
    ['a;\t-1', "a;'\t'-1"],
    ['a; =1', "a; '=1"],
    ['a;b', 'a;b'],
    [12.5, '12.5'],
    [true, 'true'],
    [null, ''],
    [undefined, ''],
    [['A', 'B'], '"[""A"",""B""]"'],
    [[{ a: '=1', '@b': 'x;=1' }], `"[{""a"":""'=1"",""'@b"":""x;'=1""}]"`],
    [[1, -2, 'a\n"-2'], `"[1,-2,""a\\n\\""'-2""]"`],
    [[], '[]'],
  ])('writes %j as %s', (value, cell) => {
    expect(rowOf(value)).toBe(cell);
  });

  it('keeps negative numbers, but not where a reader by another separator takes the line for one text', () => {
    expect(rowOf(1, -12.5, JSON.rawJSON('-0.10'))).toBe('1,-12.5,-0.10');
    expect(rowOf(-12.5, '@x')).toBe("'-12.5,'@x");
  });

  it('begins no cell with a sign of a formula, whatever separates the cells for its reader', () => {
    const parts = [...FORMULAS, ...',;\t"\'\r\n=+-@＝ \u00A0\u200F\uFEFFxس1', '\r\n', 'a', '-5', '""', "'="];
    const text = fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((some) => some.join(''));
    const value = fc.oneof(text, fc.string(), fc.integer(), fc.array(text), fc.dictionary(text, text));
    const rows = fc.array(fc.array(value, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(rows, (all) => {
        const file = csvText(all);
        const cells = [',', ';', '\t'].flatMap((separator) => [
          ...cellsOf(file, separator),
          ...barePieces(file, separator),
        ]);
        expect(cells.filter((cell) => BEGINS_FORMULA.test(cell) && !/^-\d+$/.test(cell))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it('is read back as it was', () => {
    const parts = [...FORMULAS, ...'=-@\t\r\n;,"\' x'];
    const text = fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((some) => some.join(''));
    fc.assert(
      fc.property(fc.oneof(text, fc.string()), (one) => {
        expect(textOfInert(inertText(one))).toBe(one);
      }),
      { numRuns: 3000 },
    );
    for (const one of FORMULAS) expect([inertText(one) === one, textOfInert(inertText(one))]).toEqual([false, one]);
  });

  it('has a column for each member of the schema, whether an entry has it or not', () => {
    const entry = z.strictObject({
      id: z.string(),
      place: z.nullable(z.strictObject({ city: z.string(), spot: z.optional(z.strictObject({ x: z.number() })) })),
      tags: z.array(z.string()),
    });
    const columns = columnsOfList(pageOf(entry))?.() ?? [];
    expect(columns.map((path) => path.join('.'))).toEqual(['id', 'place.city', 'place.spot.x', 'tags']);
    expect(csvOf(columns, [{ id: '1', place: null, tags: [] }])).toContain('\r\n1,,,[]\r\n');
    expect(columnsOfList(entry)).toBeUndefined();
    expect(columnsOfList(pageOf(entry).extend({ warning: z.string() }))).toBeUndefined();
    expect(columnsOfList(z.null())).toBeUndefined();
  });
});

it('has negative amounts as numbers that spreadsheets add, and other texts inert', () => {
  // woocommerce/woocommerce#53020: '-42 is a text, and sums leave it out.
  const columns = ['externalReference', 'note', 'netAmount'];
  const rows = [
    ['A-1', '-12.5', '-12.5'],
    ['=1+1', '-2+3', '7.25'],
  ];
  const text = csvOfTable({ columns, amounts: ['netAmount'], rows });
  expect(text.split('\r\n').slice(1, 3)).toEqual(["A-1,'-12.5,-12.5", "'=1+1,'-2+3,7.25"]);
});

it.each([
  [null, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['text/html', false],
  ['text/csv', true],
  ['TEXT/CSV', true],
  ['text/*', true],
  ['text/csv;header=present', true],
  ['text/csv, application/json', false],
  ['text/csv, application/json;q=0.9', true],
  ['text/csv;q=0.5, application/json', false],
  ['text/csv, */*', true],
  ['text/csv;q=0.1, */*;q=0.2', false],
  ['text/csv;q=0', false],
  ['application/json;q=0, */*', true],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
])('Accept: %s prefers CSV: %s', (accept, isPreferred) => {
  expect(preferredType(accept, ['application/json', 'text/csv']) === 'text/csv').toBe(isPreferred);
});
