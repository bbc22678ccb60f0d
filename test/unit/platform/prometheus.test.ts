import { describe, expect, test } from 'vitest';
import { expositionOf } from '../../../src/platform/deno/exposition.ts';
import { prometheusMetrics } from '../../../src/platform/deno/prometheus.ts';
import { METRICS } from '../../../src/ports/metrics.ts';
import { parseExposition, sampleOf } from '../../support/exposition.ts';

describe('the exposition text', () => {
  test('has cumulative buckets, +Inf, sum and count for a histogram', () => {
    const samples = [{ labels: ['a'], sum: 7.25, counts: [1, 0, 2, 3] }];
    const family = { name: 'x_seconds', help: 'X.', labels: ['l'], kind: 'histogram', bounds: [0.5, 1, 2.5], samples };
    expect(expositionOf([family as Parameters<typeof expositionOf>[0][number]])).toBe(
      [
        '# HELP x_seconds X.',
        '# TYPE x_seconds histogram',
        'x_seconds_bucket{l="a",le="0.5"} 1',
        'x_seconds_bucket{l="a",le="1"} 1',
        'x_seconds_bucket{l="a",le="2.5"} 3',
        'x_seconds_bucket{l="a",le="+Inf"} 6',
        'x_seconds_sum{l="a"} 7.25',
        'x_seconds_count{l="a"} 6',
        '',
      ].join('\n'),
    );
  });

  test('escapes quotes, backslashes and line breaks', () => {
    const odd = 'back\\slash "quote"\nline';
    const samples = [{ labels: [odd], value: 1 }];
    const text = expositionOf([{ name: 'x_total', help: 'a\\b\nc', labels: ['l'], kind: 'counter', samples }]);
    expect(text).toBe(
      '# HELP x_total a\\\\b\\nc\n# TYPE x_total counter\nx_total{l="back\\\\slash \\"quote\\"\\nline"} 1\n',
    );
    const families = parseExposition(text);
    expect(sampleOf(families, 'x_total', { l: odd })).toBe(1);
    expect(families.get('x_total')?.help).toBe('a\\b\nc');
  });

  test('is well formed for every metric, with and without values', () => {
    const metrics = prometheusMetrics();
    expect(parseExposition(metrics.text()).size).toBeGreaterThan(Object.keys(METRICS).length);
    metrics.measure('commit', [0.02, 1e-7, 64, 0], ['shard-1']);
    metrics.measure('commit', [1e21, 4, 65, 3000], ['shard-2']);
    metrics.set('webhook_backlog', [3, 1.5], ['shard-1']);
    const families = parseExposition(metrics.text());
    expect(sampleOf(families, 'mirsal_commit_group_units_bucket', { database: 'shard-1', le: '64' })).toBe(1);
    expect(sampleOf(families, 'mirsal_commit_group_units_bucket', { database: 'shard-2', le: '64' })).toBe(0);
    expect(sampleOf(families, 'mirsal_commit_duration_seconds_sum', { database: 'shard-2' })).toBe(1e21);
    expect(sampleOf(families, 'mirsal_webhook_backlog_oldest_seconds', { database: 'shard-1' })).toBe(1.5);
  });

  test.each([
    ['a value without its end', 'x_total{l="a} 1\n', /is not as/],
    ['a bucket that falls', 'x_bucket{le="1"} 2\nx_bucket{le="+Inf"} 1\nx_sum 1\nx_count 1\n', /does not rise/],
    ['a count that is not that of +Inf', 'x_bucket{le="+Inf"} 1\nx_sum 1\nx_count 2\n', /count of x is wrong/],
    ['no +Inf', 'x_bucket{le="1"} 1\nx_sum 1\nx_count 1\n', /without \+Inf/],
    ['a sample twice', 'x_total 1\nx_total 2\n', /there twice/],
  ])('is refused by the parser of these tests with %s', (_fault, samples, objection) => {
    const [name, type] = samples.startsWith('x_total') ? ['x_total', 'counter'] : ['x', 'histogram'];
    expect(() => parseExposition(`# HELP ${name} X.\n# TYPE ${name} ${type}\n${samples}`)).toThrow(objection);
  });
});

describe('measurements', () => {
  test('are added up by labels, with inclusive bucket bounds', () => {
    const metrics = prometheusMetrics();
    for (const seconds of [0.005, 0.0051, 11]) metrics.measure('http_request', [seconds], ['GET', '/ready', '200']);
    metrics.measure('http_request', [0.1], ['GET', '/ready', '503']);
    const families = parseExposition(metrics.text());
    const labels = { method: 'GET', route: '/ready', status: '200' };
    const at = (le: string) => sampleOf(families, 'mirsal_http_request_duration_seconds_bucket', { ...labels, le });
    expect([at('0.005'), at('0.01'), at('10'), at('+Inf')]).toEqual([1, 2, 2, 3]);
    const count = 'mirsal_http_request_duration_seconds_count';
    expect(sampleOf(families, count, { ...labels, status: '503' })).toBe(1);
  });

  test('of rare events are exported as 0 from the start', () => {
    const metrics = prometheusMetrics();
    const before = parseExposition(metrics.text());
    expect(sampleOf(before, 'mirsal_problems_total', { code: 'INTERNAL_ERROR' })).toBe(0);
    expect(sampleOf(before, 'mirsal_dispatch_put_aside_total')).toBe(0);
    metrics.count('problems', ['INTERNAL_ERROR']);
    metrics.count('commit_units', ['shard-1', 'committed'], 7);
    const after = parseExposition(metrics.text());
    expect(sampleOf(after, 'mirsal_problems_total', { code: 'INTERNAL_ERROR' })).toBe(1);
    expect(sampleOf(after, 'mirsal_commit_units_total', { database: 'shard-1', outcome: 'committed' })).toBe(7);
  });

  test('have a bounded number of label sets', () => {
    const metrics = prometheusMetrics();
    for (let index = 0; index < 5000; index += 1) metrics.count('rate_limited', [`budget-${index}`]);
    const family = parseExposition(metrics.text()).get('mirsal_rate_limited_total');
    expect(family?.samples).toHaveLength(2001);
    expect(family?.samples.at(-1)).toMatchObject({ labels: { budget: 'other' }, value: 3000 });
  });
});
