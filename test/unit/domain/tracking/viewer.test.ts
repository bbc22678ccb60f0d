import { describe, expect, it } from 'vitest';
import { tokenInPath } from '../../../../src/access/tracking-token.ts';
import { isFromPerson } from '../../../../src/domain/tracking/viewer.ts';
import { BROWSERS, LINK_ENDS, LINK_PROGRAMS, PREFETCHES } from '../../../support/cast.ts';

const sent = (userAgent: string | null, purposes: (string | null)[] = [], method = 'GET') =>
  isFromPerson({ method, userAgent, purposes });

describe('a view', () => {
  it.each(LINK_PROGRAMS)('is not that of %s', (userAgent) => {
    expect(sent(userAgent)).toBe(false);
  });

  it.each(BROWSERS)('is that of %s', (userAgent) => {
    expect(sent(userAgent)).toBe(true);
    expect(sent(userAgent, [], 'HEAD')).toBe(false);
    for (const headers of PREFETCHES) expect(sent(userAgent, Object.values(headers))).toBe(false);
  });

  it('is that of a program without a name, which may ask for a person', () => {
    expect([sent(null), sent(''), sent('node'), sent(null, ['document'])]).toEqual([true, true, true, true]);
  });
});

describe('the token in a path', () => {
  const token = `shard-1_${'7'.repeat(32)}`;
  const inSegment = LINK_ENDS.filter((end) => !end.startsWith('/'));

  it.each(inSegment)('is found before %j, as it stands and percent-encoded', (end) => {
    for (const text of [`${token}${end}`, `${token}${encodeURIComponent(end)}`]) expect(tokenInPath(text)).toBe(token);
  });

  it.each(['a', '7', 'Z', '%61'])('is not the beginning of a longer one, which ends in %s', (end) => {
    expect(tokenInPath(`${token}${end}`)).not.toBe(token);
  });
});
