import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { openMemoryShard } from '../../../scripts/shared/dispatch/memory-shard.ts';
import { until } from '../../../scripts/shared/until.ts';
import { addMillis, addSeconds, type Instant } from '../../../src/core/instant.ts';
import { LocalDatabaseWriter } from '../../../src/platform/deno/database-writer.ts';
import { noMetrics } from '../../../src/providers/no-metrics.ts';
import { monotonicMs } from '../../../src/providers/system.ts';

/* When the process without alarms looks for what is due. */

const shard = openMemoryShard();
afterAll(() => shard.close());
afterEach(() => vi.restoreAllMocks());

const HARMLESS = [{ sql: 'UPDATE shipments SET version = version', args: [] }];
/** Longer than a timer that is due at once. */
const MOMENT_MS = 30;

/** A writer whose runs end when the test says so, and with what it says: when the next thing falls due. */
function writerWithRuns() {
  const runs: PromiseWithResolvers<Instant | null | undefined>[] = [];
  const writer = new LocalDatabaseWriter({
    address: { id: 'shard-1', url: 'http://shard-1.sim', adminUrl: undefined, authToken: undefined },
    requireDurable: false,
    fetch: shard.fetch,
    clock: shard.clock,
    monotonicMs,
    report: (_id, failure) => expect.unreachable(failure),
    metrics: noMetrics,
    runDue: () => {
      const run = Promise.withResolvers<Instant | null | undefined>();
      runs.push(run);
      return run.promise;
    },
  });
  /** Commits what falls due so many milliseconds from now. */
  const commitDue = async (inMs = 0) => {
    const outcome = await writer.commit({ statements: HARMLESS, dueAt: addMillis(shard.clock.now(), inMs) });
    expect(outcome).toEqual({ status: 'committed' });
  };
  const begun = (run: number) => until(`run ${run}`, () => Promise.resolve(runs[run - 1]));
  return { writer, runs, commitDue, begun };
}

describe('what falls due', () => {
  it('is done by one run at a time, and what comes meanwhile by one more', async () => {
    const { writer, runs, commitDue, begun } = writerWithRuns();
    await commitDue();
    const first = await begun(1);
    await Promise.all([commitDue(), commitDue(), writer.sweep(), writer.sweep()]);
    await delay(MOMENT_MS);
    expect(runs).toHaveLength(1);
    first.resolve(null);
    (await begun(2)).resolve(null);
    await delay(MOMENT_MS);
    expect(runs).toHaveLength(2);
    writer.stop();
  });

  it('is not forgotten over a time that was set before and passes in the run', async () => {
    const { writer, runs, commitDue, begun } = writerWithRuns();
    await commitDue(MOMENT_MS);
    void writer.sweep();
    const first = await begun(1);
    await commitDue(MOMENT_MS + 5);
    await delay(2 * MOMENT_MS);
    expect(runs).toHaveLength(1);
    first.resolve(null);
    await begun(2);
    writer.stop();
  });

  // A timer cannot wait for a month.
  it.each([3600, 30 * 86_400])('in %i s is waited for, and does not hold up what is due before it', async (seconds) => {
    const { writer, runs, commitDue, begun } = writerWithRuns();
    void writer.sweep();
    (await begun(1)).resolve(addSeconds(shard.clock.now(), seconds));
    await delay(MOMENT_MS);
    expect(runs).toHaveLength(1);
    await commitDue();
    await begun(2);
    writer.stop();
  });

  it('is looked for again when a run broke off, or nobody answered it', async () => {
    const { writer, begun } = writerWithRuns();
    const told = vi.spyOn(console, 'error').mockReturnValue();
    void writer.sweep();
    (await begun(1)).resolve(undefined);
    (await begun(2)).reject(new Error('broken off'));
    await begun(3);
    expect(told.mock.calls).toEqual([[expect.stringContaining('broken off')]]);
    writer.stop();
  });

  it('is done no more after the end, not even by a run that was under way', async () => {
    const { writer, runs, commitDue, begun } = writerWithRuns();
    void writer.sweep();
    const first = await begun(1);
    await commitDue();
    writer.stop();
    first.resolve(shard.clock.now());
    await writer.sweep();
    await delay(MOMENT_MS);
    expect(runs).toHaveLength(1);
  });
});
