import { addMillis, type Instant, instantFromMillis, toMillis } from './instant.ts';
import { RIYADH_AHEAD_MS } from './riyadh.ts';

/* Business days in Riyadh, where the weekend is Friday and Saturday and the clock is never changed. Pure. */

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** When offices close: an answer on the last day is in time until then. */
const CLOSING_HOUR = 18;
/** `getUTCDay` of Friday and Saturday. */
const WEEKEND: readonly number[] = [5, 6];
/** The configured holidays cannot move a deadline farther than this. */
const DAYS_MAX = 400;

/**
 * 18:00 in Riyadh on the `days`th business day after that of `from`. The day of `from` does not count, at whatever time and also if it
 * is no business day, so nobody gets less time for an opening in the evening or on a weekend.
 */
export function businessDeadline(from: Instant, days: number, holidays: readonly string[]): Instant {
  const midnight = Math.floor((toMillis(from) + RIYADH_AHEAD_MS) / DAY_MS) * DAY_MS;
  let day = midnight;
  let left = days;
  for (let passed = 0; left > 0 && passed < DAYS_MAX; passed += 1) {
    day += DAY_MS;
    if (isBusinessDay(day, holidays)) left -= 1;
  }
  return addMillis(instantFromMillis(day - RIYADH_AHEAD_MS), CLOSING_HOUR * HOUR_MS);
}

/** `day` is midnight in Riyadh, counted as if Riyadh were in UTC. */
function isBusinessDay(day: number, holidays: readonly string[]): boolean {
  const date = new Date(day);
  return !WEEKEND.includes(date.getUTCDay()) && !holidays.includes(date.toISOString().slice(0, '2026-01-31'.length));
}
