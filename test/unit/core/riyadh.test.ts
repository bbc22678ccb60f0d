import { expect, it } from 'vitest';
import { riyadhDay, riyadhInstant, riyadhText } from '../../../src/core/riyadh.ts';

it('tells the time in Riyadh, which is three hours ahead of UTC all year', () => {
  expect(riyadhText(Date.parse('2026-07-31T21:05:00Z'))).toBe('2026-08-01T00:05');
  expect(riyadhDay(Date.parse('2026-12-31T20:59:59Z'))).toBe('2026-12-31');
  expect(riyadhDay(Date.parse('2026-12-31T21:00:00Z'))).toBe('2027-01-01');
});

it.each([
  ['2026-08-01T00:05', '2026-07-31T21:05:00.000Z'],
  ['2026-08-01T00:05:30', '2026-07-31T21:05:30.000Z'],
  ['2026-08-01T00:05+04:00', '2026-07-31T20:05:00.000Z'],
  ['2026-02-30T25:00', '2026-02-30T25:00'],
  ['tomorrow', 'tomorrow'],
  ['05/11/2026 09:00', '05/11/2026 09:00'],
  ['2026-07-31T21:05:00Z', '2026-07-31T21:05:00.000Z'],
  ['', ''],
])('reads %j as %j', (typed, instant) => {
  expect(riyadhInstant(typed)).toBe(instant);
});
