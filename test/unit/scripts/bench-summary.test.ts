import { expect, test } from 'vitest';
import type { Measurement } from '../../../scripts/bench/summary.ts';
import { judge, summarize } from '../../../scripts/bench/summary.ts';

const SECONDS = 2;

function cancellations(
  peer: Measurement['peer'],
  perSecond: readonly number[],
  changes: (round: number) => Partial<Measurement['measured']>,
  operation: Measurement['operation'] = 'cancel',
): Measurement[] {
  return perSecond.map((rate, round) => {
    const succeeded = rate * SECONDS;
    const ends = { succeeded, succeededWithin: succeeded, errors: 0 };
    const counts = { ...ends, succeededInAll: succeeded, createdInAll: 0, errorsInAll: 0 };
    const sent = { name: 'measured', due: succeeded, sent: succeeded, heldBack: 0, silentSeconds: 0, slowRequests: 0 };
    const times = { seconds: SECONDS, p50Ms: 1, p95Ms: 1, p99Ms: 1, longestMs: 1, lagP99Ms: 0, lagMostMs: 0 };
    const usage = { driverPercent: 1, othersPercent: 0, cpuMs: {}, rssMegabytes: {}, endings: {}, bySecond: [] };
    const measured = { ...counts, ...sent, ...times, ...usage, ...changes(round) };
    return { operation, peer, round, measured, notes: [] };
  });
}

const nothing = () => ({});
const silentIn = (silent: number) => (round: number) => (round === silent ? { silentSeconds: 2 } : {});
const rowOf = (peer: string, measurements: Measurement[]) => summarize(measurements).find((row) => row.peer === peer);

test('leaves out a round in which a peer stalled, and counts its silent seconds', () => {
  const measurements = [
    ...cancellations('mirsal', [200, 200, 200], nothing),
    ...cancellations('usual', [100, 0, 100], silentIn(1)),
  ];
  expect(rowOf('mirsal', measurements)?.toUsual).toBe(2);
  expect(rowOf('usual', measurements)).toMatchObject({ requestsPerSecond: 100, quietRounds: 2, silentSeconds: 2 });
});

test('keeps a round in which the service stalled', () => {
  const measurements = cancellations('mirsal', [100, 20], silentIn(1));
  expect(rowOf('mirsal', measurements)).toMatchObject({ requestsPerSecond: 60, quietRounds: 2, silentSeconds: 2 });
});

test('leaves out rounds that other programs disturbed, if there are others', () => {
  const disturbedIn = (disturbed: number) => (round: number) => (round === disturbed ? { othersPercent: 40 } : {});
  expect(rowOf('mirsal', cancellations('mirsal', [200, 20], disturbedIn(1)))?.requestsPerSecond).toBe(200);
  const all = cancellations('mirsal', [200, 20], () => ({ othersPercent: 40 }));
  expect(rowOf('mirsal', all)).toMatchObject({ requestsPerSecond: 110, quietRounds: 0 });
});

test('judges no rates, but processor times, if other programs took a tenth of the machine', () => {
  const sides = (othersPercent: number) => [
    ...cancellations('mirsal', [200], () => ({ othersPercent, cpuMs: { service: 400, sqld: 400 } })),
    ...cancellations('usual', [100], () => ({ othersPercent: 2, cpuMs: { service: 800, sqld: 800 } })),
  ];
  expect(rowOf('mirsal', sides(9.9))).toMatchObject({ toUsual: 2, cpuToUsual: 4, serviceMs: 1, sqldMs: 1 });
  expect(rowOf('mirsal', sides(10))).toMatchObject({ toUsual: undefined, cpuToUsual: 4, serviceMs: 1, sqldMs: 1 });
  const told = (othersPercent: number) =>
    judge(summarize(sides(othersPercent)), 100)
      .filter(({ what }) => /cancel|stalls/.test(what))
      .map(({ isReached }) => isReached);
  expect(told(9.9)).toEqual([true, true]);
  expect(told(10)).toEqual([true, undefined]);
});

test('judges the processor time of creations with replays among them by that of creations without', () => {
  const creations = (operation: Measurement['operation'], cpuMs: number) =>
    cancellations('mirsal', [200], () => ({ cpuMs: { service: cpuMs, sqld: 0 } }), operation);
  const verdict = (withReplays: number) =>
    judge(
      summarize([...creations('create, manual approval', 400), ...creations('create, 5 % replays', withReplays)]),
      100,
    ).find(({ what }) => /without replays/.test(what))?.isReached;
  expect(verdict(440)).toBe(true);
  expect(verdict(450)).toBe(false);
});
