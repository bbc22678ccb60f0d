import { describe, expect, it } from 'vitest';
import { parsePrecondition } from '../../../src/core/precondition.ts';

describe('If-Match', () => {
  it.each<readonly [string, readonly number[]]>([
    ['"3"', [3]],
    [' "3" , "4"', [3, 4]],
    ['"3",,"4",', [3, 4]],
    ['"0"', [0]],
    ['W/"3", "4"', [4]],
    ['"x", "03", "-1"', []],
    ['""', []],
  ])('%j names the versions %j', (header, versions) => {
    expect(parsePrecondition(header)).toEqual({ kind: 'versions', versions });
  });

  it.each(['*', ' * '])('%j asks for any', (header) => expect(parsePrecondition(header)).toEqual({ kind: 'any' }));

  it.each(['', ' ', ',', '3', '"3', '3"', '"3" "4"', '"3";"4"', 'w/"3"', '*, "3"', '"a b"', '"3"x'])(
    '%j is none',
    (header) => expect(parsePrecondition(header)).toBeUndefined(),
  );

  it.each(['"1"', '', ',', 'W/'])('with a long blank behind %j is read in no more than its length', (start) => {
    const before = performance.now();
    expect(parsePrecondition(`${start}${' '.repeat(250_000)}x`)).toBeUndefined();
    expect(performance.now() - before).toBeLessThan(500);
  });
});
