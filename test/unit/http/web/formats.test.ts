import { expect, test } from 'vitest';
import { instantFromMillis } from '../../../../src/core/instant.ts';
import { formatMoment } from '../../../../src/http/web/formats.ts';

test.each([
  ['2026-12-31T20:59:00Z', 'Thursday 31 December 2026, 23:59'],
  ['2026-12-31T22:30:00Z', 'Friday 1 January 2027, 01:30'],
])('the moment %s has the year of the day in Riyadh', (text, shown) => {
  expect(formatMoment(instantFromMillis(Date.parse(text)), 'en')).toBe(shown);
});

test('an Arabic moment has Latin digits and an Arabic comma', () => {
  expect(formatMoment(instantFromMillis(Date.parse('2026-12-31T22:30:00Z')), 'ar')).toContain('2027، ');
});
