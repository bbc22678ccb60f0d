import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { idempotencyKey, ifMatch, ifNoneMatch, prefer, priceLimit, priceLock } from '../../../routers/headers.ts';
import { isFolded, request } from '../../../routers/request.ts';
import { pageOf, pageRequest } from '../../../src/contract/page.ts';
import { Problem } from '../../../src/core/problem.ts';

/* Header and query parameters, as procedures receive them. */

const creation = request({ header: { idempotencyKey } });
const command = request({ header: { ifMatch } });
const list = request({ query: pageRequest });

/** The parsed value; or the problem code with its violation and limit. */
async function read(parser: typeof creation | typeof command | typeof list, raw: unknown): Promise<unknown> {
  try {
    return await parser.parseAsync(raw);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const [violation] = error.refusal.violations ?? [];
    return [error.refusal.code, violation?.code, violation?.limit].filter((part) => part !== undefined).join(' ');
  }
}

describe('Idempotency-Key', () => {
  const a = (length: number) => 'a'.repeat(length);

  test.each([
    ['16 characters', a(16), a(16)],
    ['128 characters', a(128), a(128)],
    ['16 between quotes, which do not count', `"${a(16)}"`, a(16)],
    ['128 between quotes', `"${a(128)}"`, a(128)],
    ['the first and last characters allowed in a header', ` ~${a(14)}`, ` ~${a(14)}`],
    ['quotes inside', `a"b"${a(12)}`, `a"b"${a(12)}`],
    ['a text that only ends with a quote', `${a(16)}"`, `${a(16)}"`],
    ['escapes between quotes', `"\\"\\\\${a(14)}"`, `"\\${a(14)}`],
    ['a backslash without quotes', `\\"${a(14)}`, `\\"${a(14)}`],
  ])('may be %s', async (_case, header, key) => {
    expect(await read(creation, { idempotencyKey: header })).toEqual({ idempotencyKey: key });
  });

  test.each([
    ['15 characters', a(15), 'TOO_SHORT 16'],
    ['129 characters', a(129), 'TOO_LONG 128'],
    ['empty', '', 'TOO_SHORT 16'],
    ['15 characters between quotes', `"${a(15)}"`, 'TOO_SHORT 16'],
    ['15 characters and an escape between quotes', `"\\"${a(14)}"`, 'TOO_SHORT 16'],
    ['129 characters between quotes', `"${a(129)}"`, 'TOO_LONG 128'],
    ['an unclosed quote', `"${a(20)}`, 'PATTERN_MISMATCH'],
    ['a quote closed in the middle', `"${a(20)}"${a(20)}`, 'PATTERN_MISMATCH'],
    ['two quoted strings', `"${a(20)}""${a(20)}"`, 'PATTERN_MISMATCH'],
    ['an invalid escape', `"\\n${a(20)}"`, 'PATTERN_MISMATCH'],
    ['an escaped closing quote', `"${a(20)}\\"`, 'PATTERN_MISMATCH'],
    ['a tab', `\t${a(20)}`, 'PATTERN_MISMATCH'],
    ['a tab at its end', `${a(20)}\t`, 'PATTERN_MISMATCH'],
    ['a delete', `${a(20)}\x7f`, 'PATTERN_MISMATCH'],
    ['a character outside ASCII', `${a(20)}é`, 'PATTERN_MISMATCH'],
  ])('is refused when it is %s', async (_case, header, fault) => {
    expect(await read(creation, { idempotencyKey: header })).toBe(`INVALID_IDEMPOTENCY_KEY ${fault}`);
  });

  test('is required', async () => {
    expect(await read(creation, {})).toBe('IDEMPOTENCY_KEY_REQUIRED REQUIRED');
  });
});

describe('two lines of one header, which runtimes join', () => {
  const fileName = z.string().min(1);
  const parser = request({ header: { idempotencyKey, priceLimit, priceLock, fileName, ifMatch, ifNoneMatch, prefer } });
  const [key, other] = ['order-17-attempt-1', 'order-18-attempt-1'];

  test.each([
    ['idempotencyKey', `${key}, ${key}`],
    ['idempotencyKey', `${key}, ${other}`],
    ['idempotencyKey', `${key},${key},${key}`],
    ['idempotencyKey', `"${key}", "${key}"`],
    ['idempotencyKey', `"${key}", ${key}`],
    ['priceLimit', '30, 30'],
    ['priceLock', 'AbCd, AbCd'],
    ['fileName', 'scan.pdf, scan.pdf'],
    ['fileName', 'a, b.pdf, a, b.pdf'],
  ])('are found in %s: %s', (name, value) => expect(isFolded(parser, name, value)).toBe(true));

  test.each([
    ['idempotencyKey', 'order 17, second attempt'],
    ['idempotencyKey', `${key}, again`],
    ['idempotencyKey', `"${key}, ${other}"`],
    ['idempotencyKey', `${key},`],
    ['idempotencyKey', key],
    ['priceLock', 'AbC, d.e'],
    ['fileName', 'scan, page 1.pdf'],
    ['fileName', 'a,a'],
    ['ifMatch', '"1", "1"'],
    ['ifNoneMatch', '"1", "1"'],
    ['prefer', 'wait=1, wait=1'],
  ])('are not found in %s: %s', (name, value) => expect(isFolded(parser, name, value)).toBe(false));
});

describe('If-Match', () => {
  test.each([
    ['*', { kind: 'any' }],
    ['"3"', { kind: 'versions', versions: [3] }],
  ])('may be %s', async (header, precondition) => {
    expect(await read(command, { ifMatch: header })).toEqual({ ifMatch: precondition });
  });

  test('is refused with an explanation when it is not an entity tag', async () => {
    const fault = 'INVALID_HEADER PATTERN_MISMATCH an entity tag such as "3", or *';
    expect(await read(command, { ifMatch: '3' })).toBe(fault);
  });

  test('is required', async () => {
    expect(await read(command, {})).toBe('PRECONDITION_REQUIRED REQUIRED');
  });
});

test('the document describes headers as they are checked, and gives an example of an entity tag', () => {
  expect(idempotencyKey.meta()?.['override']).toEqual({ type: 'string', minLength: 16, maxLength: 128 });
  expect(ifMatch.meta()).toMatchObject({ override: { type: 'string' }, example: '"3"' });
  expect(ifNoneMatch.meta()).toMatchObject({ override: { type: 'string' } });
});

describe('limit and cursor', () => {
  test.each([
    [{}, { limit: 25 }],
    [{ limit: 1 }, { limit: 1 }],
    [{ limit: 100 }, { limit: 100 }],
    [
      { limit: 7, cursor: 'c' },
      { limit: 7, cursor: 'c' },
    ],
    [{ cursor: 'c'.repeat(512) }, { limit: 25, cursor: 'c'.repeat(512) }],
  ])('%j is parsed as %j', async (raw, page) => {
    expect(await read(list, raw)).toEqual(page);
  });

  test.each([
    [{ limit: 0 }, 'LIMIT_OUT_OF_RANGE'],
    [{ limit: 101 }, 'LIMIT_OUT_OF_RANGE'],
    [{ limit: -1 }, 'LIMIT_OUT_OF_RANGE'],
    [{ limit: 'ten' }, 'INVALID_QUERY_PARAMETER'],
    [{ cursor: '' }, 'INVALID_CURSOR'],
    [{ cursor: 'c'.repeat(513) }, 'INVALID_CURSOR'],
  ])('%j is refused: %s', async (raw, code) => {
    expect(await read(list, raw)).toEqual(expect.stringMatching(`^${code} `));
  });
});

test('a page has exactly its entries, its cursor and hasMore', () => {
  const page = pageOf(z.number());
  const last = { data: [1, 2], page: { nextCursor: null, hasMore: false } };
  expect(page.parse(last)).toEqual(last);
  const first = { data: [], page: { nextCursor: 'c', hasMore: true } };
  expect(page.parse(first)).toEqual(first);
  const wrong = [
    { data: ['1'], page: last.page },
    { page: last.page },
    { data: [] },
    { data: [], page: { nextCursor: null } },
    { data: [], page: { hasMore: false } },
    { data: [], page: { ...last.page, total: 2 } },
    { ...last, total: 2 },
  ];
  for (const value of wrong) expect(page.safeParse(value).success).toBe(false);
});
