import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { newId } from '../../../scripts/shared/seed-values.ts';
import { until } from '../../../scripts/shared/until.ts';
import { literalDecimal } from '../../../src/core/decimal.ts';
import { addMillis, addSeconds } from '../../../src/core/instant.ts';
import { TimerAlarm } from '../../../src/platform/deno/timer-alarm.ts';
import type { NextDue } from '../../../src/ports/alarm.ts';
import { noMetrics } from '../../../src/providers/absent.ts';
import { monotonicMs } from '../../../src/providers/system.ts';
import { DatabaseWriterCore } from '../../../src/service/database-writer-core.ts';
import { openMemoryShard } from '../../support/dispatch/memory-shard.ts';

/* When the writer of a database runs due work, with a timer as its alarm. */

const shard = openMemoryShard();
afterAll(() => shard.close());
afterEach(() => vi.restoreAllMocks());

const HARMLESS = [{ sql: 'UPDATE shipments SET version = version', args: [] }];
/** Longer than a timer that is due at once takes. */
const MOMENT_MS = 30;

/** A writer whose runs end when the test resolves them with the next due time. */
function writerWithRuns(fetch = shard.fetch) {
  const runs: PromiseWithResolvers<NextDue>[] = [];
  const batches = { started: 0, run: (): Promise<NextDue> => Promise.resolve(null) };
  const elapsed = { ms: 0 };
  const alarm = new TimerAlarm(shard.clock, () => writer.runDue());
  const writer: DatabaseWriterCore = new DatabaseWriterCore({
    address: {
      id: 'shard-1',
      url: 'http://shard-1.sim',
      admin: undefined,
      authToken: undefined,
      identity: { kind: 'shard', id: 'shard-1', deployment: 'local' },
    },
    requireDurable: false,
    fetch,
    clock: shard.clock,
    monotonicMs: () => monotonicMs() + elapsed.ms,
    report: (_id, failure) => expect.unreachable(failure),
    metrics: noMetrics,
    alarm,
    work: {
      runDue: () => {
        const run = Promise.withResolvers<NextDue>();
        runs.push(run);
        return run.promise;
      },
      runBatches: () => {
        batches.started += 1;
        return batches.run();
      },
      housekeep: () => Promise.resolve(),
      findTaken: () => Promise.resolve([]),
      wake: () => Promise.resolve(),
    },
  });
  /** Commits work that is due in this many milliseconds. */
  const commitDue = async (inMs = 0) => {
    const outcome = await writer.commit({ statements: HARMLESS, dueAt: addMillis(shard.clock.now(), inMs) });
    expect(outcome).toEqual({ status: 'committed' });
  };
  const started = (run: number) => until(`run ${run}`, () => Promise.resolve(runs[run - 1]));
  const stop = () => {
    alarm.stop();
    writer.stop();
  };
  return { writer, runs, batches, elapsed, commitDue, started, stop };
}

describe('due work', () => {
  it('is done by one run at a time, followed by one run for work that became due meanwhile', async () => {
    const { writer, runs, commitDue, started, stop } = writerWithRuns();
    await commitDue();
    const first = await started(1);
    await Promise.all([commitDue(), commitDue(), writer.sweep(), writer.sweep()]);
    await delay(MOMENT_MS);
    expect(runs).toHaveLength(1);
    first.resolve(null);
    (await started(2)).resolve(null);
    await delay(MOMENT_MS);
    expect(runs).toHaveLength(2);
    stop();
  });

  it('does not wait for views that the database is slow to take', async () => {
    const { writer, runs, started, stop } = writerWithRuns();
    const view = { tokenHash: 'hash', count: 1, lastViewedAt: shard.clock.now() };
    await writer.addViews([view]);
    vi.spyOn(writer, 'commit').mockReturnValue(new Promise(() => undefined));
    void writer.sweep();
    (await started(1)).resolve(null);
    expect(runs).toHaveLength(1);
    stop();
  });

  it('does not wait for a batch, and a batch that becomes due meanwhile runs after it', async () => {
    const { runs, batches, commitDue, started, stop } = writerWithRuns();
    const part = Promise.withResolvers<NextDue>();
    batches.run = () => part.promise;
    await commitDue();
    (await started(1)).resolve(null);
    await commitDue();
    (await started(2)).resolve(null);
    expect({ due: runs.length, batches: batches.started }).toEqual({ due: 2, batches: 1 });
    batches.run = () => Promise.resolve(null);
    part.resolve(null);
    await until('the other batch', () => batches.started === 2 || undefined);
    (await started(3)).resolve(null);
    stop();
  });

  it('is not lost when an earlier alarm fires during a run', async () => {
    const { writer, runs, commitDue, started, stop } = writerWithRuns();
    await commitDue(MOMENT_MS);
    void writer.sweep();
    const first = await started(1);
    await commitDue(MOMENT_MS + 5);
    await delay(2 * MOMENT_MS);
    expect(runs).toHaveLength(1);
    first.resolve(null);
    await started(2);
    stop();
  });

  // A timer cannot wait for a month.
  it.each([3600, 30 * 86_400])('in %i s does not delay work that is due before it', async (seconds) => {
    const { writer, runs, commitDue, started, stop } = writerWithRuns();
    void writer.sweep();
    (await started(1)).resolve(addSeconds(shard.clock.now(), seconds));
    await delay(MOMENT_MS);
    expect(runs).toHaveLength(1);
    await commitDue();
    await started(2);
    stop();
  });

  it('is done with the next commit after the clock stepped over the alarm, whose timer still waits', async () => {
    const { writer, runs, commitDue, started, stop } = writerWithRuns();
    void writer.sweep();
    (await started(1)).resolve(addSeconds(shard.clock.now(), 50));
    await delay(MOMENT_MS);
    expect(runs).toHaveLength(1);
    // A timer knows nothing of the hour that the machine was asleep.
    shard.clock.advance(3600);
    await commitDue(60_000);
    await started(2);
    stop();
  });

  it('does not wait until positions are stored', async () => {
    const database = Promise.withResolvers<void>();
    const asked: string[] = [];
    const { writer, started, stop } = writerWithRuns(async (url, init) => {
      asked.push(url);
      await database.promise;
      return shard.fetch(url, init);
    });
    const position = { latitude: literalDecimal('24.1'), longitude: literalDecimal('46.6') };
    await writer.addPositions([[newId(), { ...position, positionAt: shard.clock.now() }]]);
    shard.clock.advance(2);
    void writer.sweep();
    const run = await started(1);
    expect(await until('the positions', () => asked[0])).toBeDefined();
    stop();
    run.resolve(null);
    database.resolve();
  });

  it('is retried when a run fails or the database does not answer', async () => {
    const { writer, started, stop } = writerWithRuns();
    const log = vi.spyOn(console, 'error').mockReturnValue();
    void writer.sweep();
    (await started(1)).resolve(undefined);
    (await started(2)).reject(new Error('broken off'));
    await started(3);
    expect(log.mock.calls).toEqual([[expect.stringContaining('broken off')]]);
    stop();
  });

  it('is done by the next sweep if the runtime ended a run without notice', async () => {
    const { writer, runs, elapsed, started, stop } = writerWithRuns();
    void writer.sweep();
    await started(1);
    void writer.sweep();
    await delay(MOMENT_MS);
    expect(runs).toHaveLength(1);
    elapsed.ms = 60_000;
    void writer.sweep();
    await started(2);
    stop();
  });

  it('is not started after stop, not even by a run that was in progress', async () => {
    const { writer, runs, commitDue, started, stop } = writerWithRuns();
    void writer.sweep();
    const first = await started(1);
    await commitDue();
    stop();
    first.resolve(shard.clock.now());
    await writer.sweep();
    await delay(MOMENT_MS);
    expect(runs).toHaveLength(1);
  });
});
