import { describe, expect, test } from 'vitest';
import { type Instant, parseInstant } from '../../../../src/core/instant.ts';
import { presentOffered, slotsOf, windowsOffered } from '../../../../src/domain/shipments/delivery-windows.ts';

/* Which delivery windows are offered. Riyadh is three hours ahead: 08:00 there is 05:00Z. */

const at = (text: string): Instant => {
  const instant = parseInstant(text);
  if (instant === undefined) throw new Error(`No instant: ${text}`);
  return instant;
};
const SLOTS = slotsOf({}, 'RUH');
const offered = (now: string, pickupWindowEnd: string, durationSeconds = 1200, slots = SLOTS) =>
  windowsOffered({ now: at(now), pickupWindowEnd: at(pickupWindowEnd), durationSeconds, slots })
    .map(presentOffered)
    .map(({ start, end, part }) => `${start.slice(0, 16)} ${end.slice(11, 16)} ${part}`);

describe('windows', () => {
  test('are those of three days that leave room for the pickup and the drive', () => {
    expect(offered('2026-11-21T06:00:00Z', '2026-11-21T10:00:00Z')).toEqual([
      '2026-11-21T11:00 14:00 EVENING',
      '2026-11-21T14:00 17:00 EVENING',
      '2026-11-21T17:00 20:00 EVENING',
      '2026-11-22T05:00 08:00 MORNING',
      '2026-11-22T08:00 11:00 MORNING',
      '2026-11-22T11:00 14:00 EVENING',
      '2026-11-22T14:00 17:00 EVENING',
      '2026-11-22T17:00 20:00 EVENING',
      '2026-11-23T05:00 08:00 MORNING',
      '2026-11-23T08:00 11:00 MORNING',
      '2026-11-23T11:00 14:00 EVENING',
      '2026-11-23T14:00 17:00 EVENING',
      '2026-11-23T17:00 20:00 EVENING',
    ]);
  });

  test('start after the pickup window, the drive and half an hour, and not in that instant', () => {
    // 10:00 + 30 min of drive + 30 min is 11:00.
    expect(offered('2026-11-21T06:00:00Z', '2026-11-21T10:00:00Z', 1800)[0]).toBe('2026-11-21T14:00 17:00 EVENING');
    expect(offered('2026-11-21T06:00:00Z', '2026-11-21T10:00:00Z', 1799)[0]).toBe('2026-11-21T11:00 14:00 EVENING');
  });

  test('that have begun are not offered', () => {
    expect(offered('2026-11-21T13:59:59.999999Z', '2026-11-21T10:00:00Z')[0]).toBe('2026-11-21T14:00 17:00 EVENING');
    expect(offered('2026-11-21T14:00:00Z', '2026-11-21T10:00:00Z')[0]).toBe('2026-11-21T17:00 20:00 EVENING');
  });

  test('are of the days in Riyadh, also while it is another day in UTC', () => {
    // 23:59 and 00:00 in Riyadh.
    expect(offered('2026-11-21T20:59:59Z', '2026-11-21T10:00:00Z').length).toBe(10);
    expect(offered('2026-11-21T21:00:00Z', '2026-11-21T10:00:00Z').length).toBe(15);
    expect(offered('2026-11-21T21:00:00Z', '2026-11-21T10:00:00Z').at(-1)).toBe('2026-11-24T17:00 20:00 EVENING');
  });

  test('are counted from the end of a pickup window that is later than now', () => {
    const windows = offered('2026-11-21T06:00:00Z', '2026-12-31T22:00:00Z');
    expect([windows[0], windows.at(-1), windows.length]).toEqual([
      '2027-01-01T05:00 08:00 MORNING',
      '2027-01-03T17:00 20:00 EVENING',
      15,
    ]);
  });

  test('of a long drive begin on a later day', () => {
    expect(offered('2026-11-21T06:00:00Z', '2026-11-21T10:00:00Z', 36 * 3600)).toEqual([
      '2026-11-23T05:00 08:00 MORNING',
      '2026-11-23T08:00 11:00 MORNING',
      '2026-11-23T11:00 14:00 EVENING',
      '2026-11-23T14:00 17:00 EVENING',
      '2026-11-23T17:00 20:00 EVENING',
    ]);
  });

  test('may end at midnight', () => {
    expect(offered('2026-11-21T06:00:00Z', '2026-11-21T10:00:00Z', 1200, ['21:00-24:00'])).toEqual([
      '2026-11-21T18:00 21:00 EVENING',
      '2026-11-22T18:00 21:00 EVENING',
      '2026-11-23T18:00 21:00 EVENING',
    ]);
  });
});

test('a city has its own slots, or those of all others', () => {
  const configured = { default: ['10:00-12:00'], JED: ['16:00-22:00'] };
  expect([slotsOf(configured, 'JED'), slotsOf(configured, 'RUH'), slotsOf({ JED: ['16:00-22:00'] }, 'RUH')]).toEqual([
    ['16:00-22:00'],
    ['10:00-12:00'],
    ['08:00-11:00', '11:00-14:00', '14:00-17:00', '17:00-20:00', '20:00-23:00'],
  ]);
});
