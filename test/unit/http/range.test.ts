import { describe, expect, it } from 'vitest';
import { askedRange } from '../../../src/http/range.ts';

/* RFC 9110 section 14, for a file of a thousand bytes. */

const FILE = { size: 1000, etag: '"now"' };
const asked = (headers: Record<string, string>) => askedRange(new Headers(headers), FILE);
const part = (first: number, last: number) => ({ kind: 'part', first, last });

describe('the range of a request', () => {
  it.each([
    ['bytes=0-126', part(0, 126)],
    ['bytes=999-999', part(999, 999)],
    ['bytes=900-5000', part(900, 999)],
    ['bytes=900-', part(900, 999)],
    ['bytes=-127', part(873, 999)],
    ['bytes=-5000', part(0, 999)],
    ['BYTES = 1 - 2', part(1, 2)],
  ])('%s', (range, expected) => {
    expect(asked({ range })).toEqual(expected);
  });

  it.each(['bytes=1000-', 'bytes=1000-1001', 'bytes=99999999999999999999-', 'bytes=-0'])(
    '%s does not exist',
    (range) => {
      expect(asked({ range })).toEqual({ kind: 'unsatisfiable' });
    },
  );

  it.each(['bytes=5-2', 'bytes=-', 'bytes=a-b', 'bytes=1', 'items=0-1', '0-1', 'bytes=0-1,5-6', 'bytes=0x1-2', ''])(
    '%s is ignored',
    (range) => {
      expect(asked({ range })).toEqual({ kind: 'whole' });
    },
  );

  it('is that of the same file only, if the request says so', () => {
    const of = (ifRange: string) => asked({ range: 'bytes=0-1', 'if-range': ifRange }).kind;
    expect(of('"now"')).toBe('part');
    for (const other of ['"before"', 'W/"now"', 'Sun, 29 Nov 2026 08:00:00 GMT']) expect(of(other)).toBe('whole');
  });
});
