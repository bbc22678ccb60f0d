import { describe, expect, test } from 'vitest';
import { judge, memoryOf, normalAfterSeconds } from '../../../scripts/bench/flood-verdict.ts';
import type { PhaseResult } from '../../../scripts/bench/load.ts';

const GOOD = { succeeded: 10, refused: 0, failed: 0, p95Ms: 40 };

function phase(changes: Partial<PhaseResult> = {}): PhaseResult {
  return {
    ...{ name: 'flood', seconds: 3, due: 30, sent: 30, heldBack: 0, succeeded: 30, succeededWithin: 30, errors: 0 },
    ...{
      p50Ms: 20,
      p95Ms: 40,
      p99Ms: 60,
      longestMs: 80,
      lagP99Ms: 1,
      lagMostMs: 2,
      driverPercent: 10,
      slowRequests: 0,
    },
    endings: { create: { 201: 30 } },
    bySecond: [GOOD, GOOD, GOOD],
    cpuMs: {},
    rssMegabytes: { service: [100, 100, 100, 100, 100, 100] },
    ...changes,
  };
}

const findings = (changes: Partial<Parameters<typeof judge>[0]> = {}) => ({
  capacity: 10,
  ...{ calm: phase({ name: 'before' }), flood: phase(), after: phase({ name: 'after' }) },
  creations: { accepted: 30, stored: 30 },
  ...changes,
});

const broken = (changes: Partial<Parameters<typeof judge>[0]>) =>
  judge(findings(changes))
    .filter(({ isReached }) => isReached === false)
    .map(({ what, told }) => `${what}: ${told}`);

describe('a flood', () => {
  test('passes if all is well, even with some refused requests', () => {
    const flood = phase({ endings: { create: { 201: 30, 503: 400 }, token: { 200: 1, 429: 3 } } });
    expect(broken({ flood })).toEqual([]);
  });

  test.each(['500', '409', 'cut', 'timeout', 'refused'])('fails with %s', (ending) => {
    const flood = phase({ endings: { create: { 201: 30, [ending]: 2 } } });
    expect(broken({ flood })).toEqual([
      `only 2xx, 429 and 503, and no connection cut: 2 × ${ending} of create (flood)`,
    ]);
  });

  test.each([29, 31])('fails with %i rows for 30 responses', (stored) => {
    expect(broken({ creations: { accepted: 30, stored } })).toEqual([
      `every accepted creation is stored: ${stored} of 30`,
    ]);
  });

  test('fails without a single creation', () => {
    expect(broken({ creations: { accepted: 0, stored: 0 } })).toEqual(['every accepted creation is stored: 0 of 0']);
  });

  test('fails if memory grows', () => {
    const flood = phase({ rssMegabytes: { service: [100, 100, 110, 120, 130, 140] } });
    expect(broken({ flood })).toHaveLength(1);
  });

  test('ignores memory on systems without figures, and reports it as unknown', () => {
    const flood = phase({ rssMegabytes: { service: [], sqld: [100, 100, 100, 100] } });
    expect(broken({ flood })).toEqual([]);
    expect(judge(findings({ flood })).filter(({ what }) => what.startsWith('memory'))).toEqual([
      { what: 'memory of service flat', isReached: undefined, told: 'this system has no figures' },
      expect.objectContaining({ what: 'memory of sqld flat', isReached: true }),
    ]);
  });
});

describe('recovery', () => {
  const calm = phase();
  const after = (...bySecond: PhaseResult['bySecond']) => phase({ bySecond });

  test('is the first second after which all seconds are normal', () => {
    expect(normalAfterSeconds(calm, after(GOOD, GOOD))).toBe(0);
    expect(normalAfterSeconds(calm, after({ ...GOOD, refused: 1 }, GOOD, { ...GOOD, p95Ms: 91 }, GOOD))).toBe(3);
  });

  test('allows 50 ms more than before, and is undefined if the last second is not normal', () => {
    expect(normalAfterSeconds(calm, after({ ...GOOD, p95Ms: 90 }))).toBe(0);
    expect(normalAfterSeconds(calm, after(GOOD, { ...GOOD, failed: 1 }))).toBeUndefined();
    expect(normalAfterSeconds(calm, after(GOOD, { ...GOOD, succeeded: 0 }))).toBeUndefined();
  });
});

test('memory growth is measured by slope and by the ends after the first third', () => {
  expect(memoryOf([1, 1, 1, 100, 101, 102, 103, 104, 105])).toEqual({
    firstMegabytes: 100,
    lastMegabytes: 105,
    mostMegabytes: 105,
    growth: 1.05,
    megabytesAMinute: 60,
  });
});
