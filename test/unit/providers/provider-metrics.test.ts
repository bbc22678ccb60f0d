import { expect, test } from 'vitest';
import { prometheusMetrics } from '../../../src/platform/deno/prometheus.ts';
import { guardCalls } from '../../../src/providers/guarded-call.ts';
import { ProviderReports } from '../../../src/providers/provider-reports.ts';
import { parseExposition, sampleOf } from '../../support/exposition.ts';

const LIMITS = { timeoutMs: 50, failuresMax: 2, openMs: 1000 };

test('provider calls are measured by outcome, including those that the breaker refused', async () => {
  const metrics = prometheusMetrics();
  const call = guardCalls('routing', LIMITS, {
    monotonicMs: () => performance.now(),
    metrics,
    providerReports: new ProviderReports(() => 0),
  });
  await call(() => Promise.resolve('a route'));
  await call(() => Promise.reject(new Error('refused')));
  await call(() => new Promise<undefined>(() => undefined));
  await call(() => Promise.resolve('not asked'));
  const families = parseExposition(metrics.text());
  const counts = ['answered', 'failed', 'timed_out', 'not_tried'].map((outcome) =>
    sampleOf(families, 'mirsal_provider_call_duration_seconds_count', { provider: 'routing', outcome }),
  );
  expect(counts).toEqual([1, 1, 1, 1]);
  const timedOut = { provider: 'routing', outcome: 'timed_out' };
  expect(sampleOf(families, 'mirsal_provider_call_duration_seconds_sum', timedOut)).toBeGreaterThan(0.04);
});
