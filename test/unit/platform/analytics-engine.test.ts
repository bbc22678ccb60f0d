import { expect, test } from 'vitest';
import { analyticsEngineMetrics, type DatasetBinding } from '../../../src/platform/cloudflare/analytics-engine.ts';

/* How measurements become data points. That workerd sends them is tested in test/prove/metrics.test.ts. */

function keepingDataset() {
  const points: Parameters<DatasetBinding['writeDataPoint']>[0][] = [];
  return { points, writeDataPoint: (point: (typeof points)[number]) => void points.push(point) };
}

test('each measurement is one point with metric, deployment, labels and values', () => {
  const dataset = keepingDataset();
  const metrics = analyticsEngineMetrics(dataset, 'sandbox', expect.unreachable);
  metrics.measure('http_request', [0.25], ['GET', '/v2/external/shipments/{shipmentId}', '200']);
  metrics.measure('commit', [0.01, 0.002, 12, 3], ['shard-1']);
  metrics.count('problems', ['RATE_LIMITED']);
  metrics.count('problems', ['INTERNAL_ERROR'], 0);
  metrics.count('commit_units', ['shard-1', 'refused'], 4);
  metrics.set('webhook_backlog', [7, 61.5], ['shard-2']);
  expect(dataset.points).toEqual([
    {
      indexes: ['http_request'],
      blobs: ['sandbox', 'GET', '/v2/external/shipments/{shipmentId}', '200'],
      doubles: [0.25],
    },
    { indexes: ['commit'], blobs: ['sandbox', 'shard-1'], doubles: [0.01, 0.002, 12, 3] },
    { indexes: ['problems'], blobs: ['sandbox', 'RATE_LIMITED'], doubles: [1] },
    { indexes: ['commit_units'], blobs: ['sandbox', 'shard-1', 'refused'], doubles: [4] },
    { indexes: ['webhook_backlog'], blobs: ['sandbox', 'shard-2'], doubles: [7, 61.5] },
  ]);
});

test('a failing dataset does not fail its caller, and is reported once', () => {
  const told: string[] = [];
  const full = {
    writeDataPoint: () => {
      throw new Error('Too many points');
    },
  };
  const metrics = analyticsEngineMetrics(full, 'production', (failure) => told.push(failure));
  metrics.count('starts', []);
  metrics.count('starts', []);
  expect(told).toEqual(['Error: Too many points']);
});
