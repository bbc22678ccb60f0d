import { expect, test } from 'vitest';
import { UNAVAILABLE_REASONS } from '../../../db/commit.ts';
import { CommitMeter } from '../../../db/commit-meter.ts';
import { GroupCommitter } from '../../../db/group-committer.ts';
import { prometheusMetrics } from '../../../src/platform/deno/prometheus.ts';
import { parseExposition, sampleOf } from '../../support/exposition.ts';

/* The metrics of a group commit, with a simulated clock and a database that answers on command. */

const LIMITS = {
  ...{ groupUnitsMax: 2, groupBytesMax: 1e6, queueUnitsMax: 4, queueBytesMax: 1e6 },
  ...{ queueTimeoutMs: 1000, commitTimeoutMs: 1000, retryPauseMs: 1 },
};

function openCommitter() {
  const metrics = prometheusMetrics();
  const clock = { ms: 0 };
  const batches: (() => void)[] = [];
  const committer = new GroupCommitter({
    connection: {
      url: 'http://database',
      authToken: undefined,
      requireDurable: false,
      report: expect.unreachable,
      fetch: (_url, { body }) => new Promise((resolve) => batches.push(() => resolve(answerTo(body)))),
    },
    restoreDurability: expect.unreachable,
    onCommitted: () => undefined,
    monotonicMs: () => clock.ms,
    meter: new CommitMeter(metrics, 'shard-1'),
    limits: LIMITS,
  });
  const commit = (sql: string) => committer.commit({ statements: [{ sql, args: [] }] });
  const answerNext = async (afterMs: number) => {
    await expect.poll(() => batches.length).toBeGreaterThan(0);
    clock.ms += afterMs;
    batches.shift()?.();
  };
  const read = (name: string, labels = {}) =>
    sampleOf(parseExposition(metrics.text()), `mirsal_${name}`, { database: 'shard-1', ...labels });
  return { commit, answerNext, read };
}

/** Refuses units that say so, and commits the rest. */
function answerTo(body: RequestInit['body']): Response {
  if (typeof body !== 'string') throw new Error('The body is no text');
  const { requests } = JSON.parse(body) as { requests: [{ batch: { steps: { stmt: { sql: string } }[] } }] };
  const texts = requests[0].batch.steps.map(({ stmt }) => stmt.sql);
  const step_errors = texts.map((sql) => (sql === 'REFUSED' ? { message: 'UNIQUE constraint failed: a.b' } : null));
  const step_results = step_errors.map((error) => (error === null ? { rows: [] } : null));
  return Response.json({ results: [{ type: 'ok', response: { result: { step_results, step_errors } } }] });
}

test('a group measures its duration, wait, size and queue, and the outcome of each unit', async () => {
  const { commit, answerNext, read } = openCommitter();
  const first = commit('a');
  const waiting = ['b', 'REFUSED', 'c'].map(commit);
  await answerNext(40);
  await answerNext(500);
  await Promise.all([first, ...waiting]);
  expect(read('commit_group_units_sum')).toBe(4);
  expect(read('commit_group_units_count')).toBe(2);
  // The first two are sent at once; the others wait for their answer.
  expect(read('commit_duration_seconds_sum')).toBeCloseTo(0.54);
  expect(read('commit_wait_seconds_sum')).toBeCloseTo(0.04);
  expect(read('commit_queue_units_sum')).toBe(2);
  expect(read('commit_units_total', { outcome: 'committed' })).toBe(3);
  expect(read('commit_units_total', { outcome: 'refused' })).toBe(1);
});

test('every outcome without a commit is exported as 0 from the start', () => {
  const { read } = openCommitter();
  const told = [...UNAVAILABLE_REASONS, 'invalid', 'unknown'].map((outcome) => read('commit_units_total', { outcome }));
  expect(told).toEqual(told.map(() => 0));
});

test('units that were never sent are counted by reason: full queue or deadline', async () => {
  const { commit, answerNext, read } = openCommitter();
  const first = commit('a');
  await answerNext(0);
  await first;
  expect(read('commit_units_total', { outcome: 'queue_full' })).toBe(0);
  const all = ['a', 'b', 'c', 'd', 'e'].map(commit);
  expect(read('commit_units_total', { outcome: 'queue_full' })).toBe(1);
  await answerNext(1001);
  await Promise.all(all);
  expect(read('commit_units_total', { outcome: 'deadline' })).toBe(2);
});
