import { describe, expect, test } from 'vitest';
import { othersOf, tellOthers } from '../../../scripts/bench/quiet.ts';
import { isDocumented, type ResultName } from '../../../scripts/bench/settings.ts';

const options = { rounds: 4, seconds: 3, enduranceSeconds: 40, v8Flags: [] };
const soak = (runtime: string) => ({ runtime, seconds: 60, times: 5, connections: 4000 });
const scale = { only: undefined, sizes: [10_000, 1_000_000, 5_000_000], rounds: 3, seconds: 4, runtime: 'worker' };

describe('what documented tables are written from', () => {
  test.each<[ResultName, Parameters<typeof isDocumented>[1]]>([
    ['bench', { options }],
    ['soak-worker', { plan: soak('worker') }],
    ['soak-deno', { plan: soak('deno') }],
    ['scale-sizes', { plan: scale }],
    ['scale-shards', { plan: scale }],
    ['life', { plan: { positions: 20, views: 3, reads: 2 } }],
    // Neither bears on the other.
    ['scale-sizes', { plan: { ...scale, only: 'sizes', rounds: 1 } }],
    ['scale-shards', { plan: { ...scale, only: 'shards', sizes: [10_000] } }],
  ])('is a run of %s with the documented settings', (name, result) => {
    expect(isDocumented(name, result)).toBe(true);
  });

  test.each<[ResultName, Parameters<typeof isDocumented>[1]]>([
    ['bench', { options: { ...options, rounds: 1 } }],
    ['bench', { options: { ...options, seconds: 2 } }],
    // That of --quick, whose large company is smaller.
    ['bench', { options: { ...options, enduranceSeconds: 12 } }],
    ['bench', { options: { ...options, v8Flags: ['--max-semi-space-size=8'] } }],
    ['soak-worker', { plan: { ...soak('worker'), seconds: 5 } }],
    ['soak-worker', { plan: { ...soak('worker'), times: 2 } }],
    ['soak-worker', { plan: { ...soak('worker'), connections: 100 } }],
    ['soak-deno', { plan: soak('worker') }],
    ['scale-sizes', { plan: { ...scale, sizes: [10_000] } }],
    ['scale-sizes', { plan: { ...scale, runtime: 'deno' } }],
    ['scale-shards', { plan: { ...scale, rounds: 1 } }],
    ['scale-shards', { plan: { ...scale, seconds: 1 } }],
    ['scale-shards', { plan: { ...scale, runtime: 'deno' } }],
    ['life', { plan: { positions: 2, views: 3, reads: 2 } }],
    ['bench', { options: {} }],
  ])('is no run of %s with other settings: %j', (name, result) => {
    expect(isDocumented(name, result)).toBe(false);
  });
});

describe('what other programs took', () => {
  test('is said of a quiet run, up to a tenth of the machine', () => {
    expect(tellOthers({ medianPercent: 10, mostPercent: 31.6 })).toBe(
      'Other programs took 10 % of the machine in the median, 32 % at most.',
    );
  });

  test('makes a run that was not quiet say so itself', () => {
    expect(tellOthers({ medianPercent: 10.6, mostPercent: 90 })).toBe(
      '**Not a quiet run**: other programs took 11 % of the machine in the median, 90 % at most. Trust processor times, and rates only within one operation.',
    );
  });

  test('is the median of all measurements that know it, and the most', () => {
    const shares = [2, 40, undefined, 7].map((othersPercent) => (othersPercent === undefined ? {} : { othersPercent }));
    expect(othersOf(shares)).toEqual({ medianPercent: 7, mostPercent: 40 });
  });

  test('is not taken for nothing where the system does not tell', () => {
    expect(othersOf([{}, {}])).toBeUndefined();
    expect(tellOthers(undefined)).toBe('What other programs took of the machine is not known.');
  });
});
