import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { pageOf } from '../../../src/contract/page.ts';
import { csvOf } from '../../../src/core/csv.ts';
import { preferredType } from '../../../src/http/accept.ts';
import { columnsOfList } from '../../../src/http/rest/columns.ts';

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
    ['\rx', '"\'\rx"'],
    ['=HYPERLINK("https://evil.example","x")', '"\'=HYPERLINK(""https://evil.example"",""x"")"'],
    [' =1', ' =1'],
    ['a;=1', "a;'=1"],
    ['a;\t-1', "a;\t'-1"],
    ['a; =1', 'a; =1'],
    ['a;b', 'a;b'],
    [-12.5, '-12.5'],
    [true, 'true'],
    [null, ''],
    [undefined, ''],
    [['A', 'B'], '"[""A"",""B""]"'],
    [[{ a: '=1' }], '"[{""a"":""=1""}]"'],
    [[], '[]'],
  ])('writes %j as %s', (value, cell) => {
    expect(rowOf(value)).toBe(cell);
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
    expect(columnsOfList(z.null())).toBeUndefined();
  });
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
