import { expect, test } from 'vitest';
import type { Measurement } from '../../../scripts/bench/rounds.ts';
import { summarize } from '../../../scripts/bench/summary.ts';

const SECONDS = 2;

function cancellations(
  peer: Measurement['peer'],
  perSecond: readonly number[],
  changes: (round: number) => Partial<Measurement['measured']>,
): Measurement[] {
  return perSecond.map((rate, round) => {
    const succeeded = rate * SECONDS;
    const counts = { succeeded, succeededInAll: succeeded, errors: {}, errorsInAll: 0, silentSeconds: 0 };
    const times = { seconds: SECONDS, p50Ms: 1, p95Ms: 1, p99Ms: 1, longestMs: 1, slowRequests: 0, driverPercent: 1 };
    const measured = { ...counts, ...times, othersPercent: 0, cpuMs: {}, rssMegabytes: {}, ...changes(round) };
    return { operation: 'cancel', peer, round, measured, notes: [] };
  });
}

const nothing = () => ({});
const silentIn = (silent: number) => (round: number) => (round === silent ? { silentSeconds: 2 } : {});
const rowOf = (peer: string, measurements: Measurement[]) => summarize(measurements).find((row) => row.peer === peer);

test('a round in which a peer stood still does not flatter the service, and is told', () => {
  const measurements = [
    ...cancellations('mirsal', [200, 200, 200], nothing),
    ...cancellations('usual', [100, 0, 100], silentIn(1)),
  ];
  expect(rowOf('mirsal', measurements)?.toUsual).toBe(2);
  expect(rowOf('usual', measurements)).toMatchObject({ requestsPerSecond: 100, quietRounds: 2, silentSeconds: 2 });
});

test('a round in which the service stood still counts', () => {
  const measurements = cancellations('mirsal', [100, 20], silentIn(1));
  expect(rowOf('mirsal', measurements)).toMatchObject({ requestsPerSecond: 60, quietRounds: 2, silentSeconds: 2 });
});

test('where a peer stood still in every round, each is held against the same round', () => {
  const measurements = [
    ...cancellations('mirsal', [200, 300], nothing),
    ...cancellations('usual', [100, 100], () => ({ silentSeconds: 1 })),
  ];
  expect(rowOf('mirsal', measurements)?.toUsual).toBe(2.5);
});

test('what other programs disturbed is passed over, as long as anything is left', () => {
  const disturbedIn = (disturbed: number) => (round: number) => (round === disturbed ? { othersPercent: 40 } : {});
  expect(rowOf('mirsal', cancellations('mirsal', [200, 20], disturbedIn(1)))?.requestsPerSecond).toBe(200);
  const all = cancellations('mirsal', [200, 20], () => ({ othersPercent: 40 }));
  expect(rowOf('mirsal', all)).toMatchObject({ requestsPerSecond: 110, quietRounds: 0 });
});
