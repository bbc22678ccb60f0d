import { describe, expect, test } from 'vitest';
import { checkPrecondition, parsePrecondition } from '../../../src/core/precondition.ts';

/** `If-Match` as RFC 9110 has it: a list of entity tags, compared strongly. */

const versions = (...list: number[]) => ({ kind: 'versions', versions: list });

describe('If-Match', () => {
  test.each([
    ['*', { kind: 'any' }],
    [' * ', { kind: 'any' }],
    ['"0"', versions(0)],
    ['"3"', versions(3)],
    ['"999999999999999"', versions(999_999_999_999_999)],
    ['"3","4"', versions(3, 4)],
    [' "3" , "4" ', versions(3, 4)],
    // Empty elements of a list do not count (RFC 9110 section 5.6.1).
    ['"3",,"4",', versions(3, 4)],
    [',"3"', versions(3)],
  ])('%s asks for %j', (header, precondition) => {
    expect(parsePrecondition(header)).toEqual(precondition);
  });

  test.each([
    // Weak tags never match strongly.
    'W/"3"',
    '"abc"',
    '""',
    '"03"',
    '"-1"',
    '"3.0"',
    '"\u00a03"',
    '"1e3"',
    '"1000000000000000"',
    '"3,4"',
    '"*"',
    '"!"',
    '"#~"',
    '"\u0080\uffff"',
  ])('%s is an entity tag that matches no version', (header) => {
    expect(parsePrecondition(header)).toEqual(versions());
  });

  test('counts the strong ones among others', () => {
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
  ])('%j is no list of entity tags', (header) => {
    expect(parsePrecondition(header)).toBeUndefined();
  });

  // A reading that goes back would take minutes.
  test.each(['"1"', '', ',', 'W/'])('with a long blank behind %j is read in no more than its length', (start) => {
    expect(parsePrecondition(`${start}${' '.repeat(250_000)}x`)).toBeUndefined();
  });

  test('is read from its beginning each time', () => {
    expect(parsePrecondition('"3" oops')).toBeUndefined();
    expect(parsePrecondition('"4"')).toEqual(versions(4));
    expect(parsePrecondition('"4"')).toEqual(versions(4));
  });
});

describe('a precondition', () => {
  test('holds for a version that it names, and with *', () => {
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
