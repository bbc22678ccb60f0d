import { expect, test } from 'vitest';
import { LoadTally } from '../../../scripts/bench/load-tally.ts';

const CREATE = { stream: 'create', expectStatus: 201 };
const USED = { driverPercent: 1, cpuMs: {}, rssMegabytes: {} };

/** A hundred requests per second. Each takes 10 ms, and the slow ones take 500 ms. */
function tallyOf(seconds: number, slow: Readonly<Record<number, number>>) {
  const tally = new LoadTally({ name: 'after', seconds, rate: 100 }, 0);
  for (let second = 0; second < seconds; second += 1)
    for (let request = 0; request < 100; request += 1) {
      const dueAt = second * 1000 + request * 10;
      tally.note(CREATE, 201, { dueAt, endedAt: dueAt + (request < (slow[second] ?? 0) ? 500 : 10) });
    }
  return tally;
}

test('counts a request in the second it was due, whenever it ended', () => {
  const tally = tallyOf(3, {});
  tally.note(CREATE, 503, { dueAt: 1999, endedAt: 4000 });
  tally.note(CREATE, 'timeout', { dueAt: 2000, endedAt: 12_000 });
  tally.hold(2500);
  expect(tally.sumUp(USED)).toMatchObject({ errors: 2, slowRequests: 2, succeeded: 300 });
  expect(tally.sumUp(USED).bySecond).toEqual([
    { succeeded: 100, refused: 0, failed: 0, p95Ms: 10 },
    { succeeded: 100, refused: 1, failed: 0, p95Ms: 10 },
    { succeeded: 100, refused: 0, failed: 2, p95Ms: 10 },
  ]);
});

test('shows a pause in the second of the pause only', () => {
  const { bySecond } = tallyOf(4, { 0: 100, 2: 14 }).sumUp(USED);
  expect(bySecond.map(({ p95Ms }) => p95Ms)).toEqual([500, 10, 500, 10]);
});
