import { afterEach, expect, test, vi } from 'vitest';
import { keepSeen, readSeen } from '../../../src/driver/kept-seen.ts';
import { keptHere } from '../../../src/ui/kept-here.ts';

const HOUR_MS = 3_600_000;
const STANDING = {
  ...{ driverId: 'sami', firstName: 'Sami', cityCode: 'RUH', onDuty: true },
  ...{ activeCount: 0, activeMax: 5, offDutyReason: null },
};

afterEach(() => vi.useRealTimers());

/** What a driver finds so long after the page kept it, and whether the phone still has it then. */
function after(hours: number, driverId = 'sami'): readonly [string | undefined, boolean] {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
  keepSeen('sami', STANDING, []);
  vi.setSystemTime(Date.now() + hours * HOUR_MS);
  return [readSeen(driverId).standing?.firstName, keptHere.getItem('driver-seen') !== null];
}

test('what a driver last saw is kept for a shift, and then deleted', () => {
  expect(after(11)).toEqual(['Sami', true]);
  expect(after(11, 'faisal')).toEqual([undefined, true]);
  expect(after(13)).toEqual([undefined, false]);
  expect(after(13, 'faisal')).toEqual([undefined, false]);
  // The clock of the phone was set back.
  expect(after(-13)).toEqual([undefined, false]);
});
