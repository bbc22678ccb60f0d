import { expect, test } from 'vitest';
import { FloodTally } from '../../../scripts/bench/flood-tally.ts';

const USED = { driverPercent: 1, cpuMs: {}, rssMegabytes: {} };

/** A hundred requests in each of so many seconds that take 10 ms, and others that take longer. */
function tallyOf(seconds: number, slow: Readonly<Record<number, number>>) {
  const tally = new FloodTally({ name: 'after', seconds, rate: 100 }, 0);
  for (let second = 0; second < seconds; second += 1)
    for (let request = 0; request < 100; request += 1) {
      const dueAt = second * 1000 + request * 10;
      tally.note('create', 201, dueAt, dueAt + (request < (slow[second] ?? 0) ? 500 : 10));
    }
  return tally;
}

test('each second has what was due in it, however late its end was', () => {
  const tally = tallyOf(3, {});
  tally.note('create', 503, 1999, 4000);
  tally.note('create', 'timeout', 2000, 12_000);
  tally.hold(2500);
  expect(tally.sumUp(USED).bySecond).toEqual([
    { succeeded: 100, refused: 0, failed: 0, p95Ms: 10 },
    { succeeded: 100, refused: 1, failed: 0, p95Ms: 10 },
    { succeeded: 100, refused: 0, failed: 2, p95Ms: 10 },
  ]);
});

test('each second stands for itself: a pause is seen in its own, and in no other', () => {
  const { bySecond } = tallyOf(4, { 0: 100, 2: 14 }).sumUp(USED);
  expect(bySecond.map(({ p95Ms }) => p95Ms)).toEqual([500, 10, 500, 10]);
});
