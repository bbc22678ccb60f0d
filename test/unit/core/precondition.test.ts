import { describe, expect, test } from 'vitest';
import { checkPrecondition, etagOf, parsePrecondition } from '../../../src/core/precondition.ts';

/** `If-Match` according to RFC 9110: a list of entity tags with strong comparison. */

const versions = (...list: number[]) => ({ kind: 'versions', versions: list });

describe('If-Match', () => {
  test.each([
    ['*', { kind: 'any' }],
    [' * ', { kind: 'any' }],
    ['"0"', versions(0)],
    ['"3"', versions(3)],
    ['"9999999999"', versions(9_999_999_999)],
    ['"3","4"', versions(3, 4)],
    [' "3" , "4" ', versions(3, 4)],
    // Empty list elements are ignored (RFC 9110 section 5.6.1).
    ['"3",,"4",', versions(3, 4)],
    [',"3"', versions(3)],
    // The last ten digits of a longer tag stand for what changes without the version.
    ['"10000000000"', versions(0)],
    ['"44294967295"', versions(3)],
    [etagOf(3, [12, 'EXPIRED']), versions(3)],
    [etagOf(900_000, [1_763_822_400_000_000n, null, 2]), versions(900_000)],
  ])('%s is parsed as %j', (header, precondition) => {
    expect(parsePrecondition(header)).toEqual(precondition);
  });

  test.each([
    // Weak tags never match in a strong comparison.
    'W/"3"',
    '"abc"',
    '""',
    '"03"',
    '"-1"',
    '"3.0"',
    '"3-1"',
    '"\u00a03"',
    '"1e3"',
    '"10000000000000000"',
    '"3,4"',
    '"*"',
    '"!"',
    '"#~"',
    '"\u0080\uffff"',
  ])('%s is an entity tag that matches no version', (header) => {
    expect(parsePrecondition(header)).toEqual(versions());
  });

  test('keeps the strong version tags and ignores the others', () => {
    expect(parsePrecondition('W/"1", "2", "x", "4"')).toEqual(versions(2, 4));
  });

  test.each([
    '',
    ' ',
    ',',
    ' , ,',
    '3',
    '"3',
    '3"',
    '"3" "4"',
    '"3"4',
    'w/"3"',
    'W/ "3"',
    'W/3',
    'W/',
    '"3", 4',
    '*, "3"',
    '"3", *',
    '**',
    '"a b"',
    '"\u007f"',
    '"3"\u0000',
    "'3'",
  ])('%j is not a list of entity tags', (header) => {
    expect(parsePrecondition(header)).toBeUndefined();
  });

  // A backtracking parser would take minutes.
  test.each(['"1"', '', ',', 'W/'])('is parsed in linear time with much white space after %j', (start) => {
    expect(parsePrecondition(`${start}${' '.repeat(250_000)}x`)).toBeUndefined();
  });

  test('is parsed independently of earlier calls', () => {
    expect(parsePrecondition('"3" oops')).toBeUndefined();
    expect(parsePrecondition('"4"')).toEqual(versions(4));
    expect(parsePrecondition('"4"')).toEqual(versions(4));
  });
});

describe('a precondition', () => {
  test('holds for a listed version and for *', () => {
    expect(checkPrecondition({ kind: 'any' }, 7)).toBeUndefined();
    expect(checkPrecondition({ kind: 'versions', versions: [7] }, 7)).toBeUndefined();
    expect(checkPrecondition({ kind: 'versions', versions: [6, 7] }, 7)).toBeUndefined();
  });

  test.each([{ versions: [6] }, { versions: [] }, { versions: [6, 8] }])(
    'is 412 with the current version: $versions',
    ({ versions: named }) => {
      expect(checkPrecondition({ kind: 'versions', versions: named }, 7)).toEqual({
        ok: false,
        code: 'PRECONDITION_FAILED',
        members: { currentVersion: 7 },
      });
    },
  );
});

describe('an entity tag', () => {
  test('is the version as long as nothing else has changed', () => {
    expect(etagOf(7)).toBe('"7"');
    expect(etagOf(7, [0, null, null])).toBe('"7"');
  });

  test('is another decimal integer for every other state, and a safe one for programs that parse it', () => {
    const states = [
      [1, null],
      [2, null],
      [1, 'EXPIRED'],
      [0, 'EXPIRED'],
      [11, null],
      [1, 1],
    ];
    const tags = states.flatMap((state) => [etagOf(0, state), etagOf(1, state)]);
    expect(new Set(tags).size).toBe(2 * states.length);
    for (const tag of tags) {
      expect(tag).toMatch(/^"[1-9][0-9]*"$/);
      expect(Number.isSafeInteger(Number(tag.slice(1, -1)))).toBe(true);
    }
  });
});
