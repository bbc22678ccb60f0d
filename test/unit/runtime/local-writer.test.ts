import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import type { Instant } from '../../../src/core/instant.ts';
import { noMetrics } from '../../../src/runtime/adapters/metrics/none.ts';
import { monotonicMs } from '../../../src/runtime/adapters/system.ts';
import { LocalDatabaseWriter } from '../../../src/runtime/coordination/local/database-writer.ts';
import { until } from '../../support/until.ts';
import { openMemoryShard } from '../dispatch/memory-shard.ts';

/* When the process without alarms looks for what is due. */

const shard = openMemoryShard();
afterAll(() => shard.close());

const HARMLESS = [{ sql: 'UPDATE shipments SET version = version', args: [] }];
/** Longer than a timer that is due at once. */
const MOMENT_MS = 30;

/** A writer whose runs end when the test says so. */
function writerWithRuns() {
  const runs: ((next: Instant | null) => void)[] = [];
  const writer = new LocalDatabaseWriter({
    address: { id: 'shard-1', url: 'http://shard-1.sim', adminUrl: undefined, authToken: undefined },
    requireDurable: false,
    fetch: shard.fetch,
    clock: shard.clock,
    monotonicMs,
    report: (_id, failure) => expect.unreachable(failure),
    metrics: noMetrics,
    runDue: () => new Promise((resolve) => runs.push(resolve)),
  });
  const commitDue = async () => {
    const outcome = await writer.commit({ statements: HARMLESS, dueAt: shard.clock.now() });
    expect(outcome).toEqual({ status: 'committed' });
  };
  return { writer, runs, commitDue };
}

describe('what falls due', () => {
  it('is done by one run at a time, and what comes meanwhile by one more', async () => {
    const { writer, runs, commitDue } = writerWithRuns();
    await commitDue();
    await until('the first run', () => Promise.resolve(runs[0]));
    await Promise.all([commitDue(), commitDue(), writer.sweep(), writer.sweep()]);
    await delay(MOMENT_MS);
    expect(runs).toHaveLength(1);
    runs[0]?.(null);
    await until('the second run', () => Promise.resolve(runs[1]));
    runs[1]?.(null);
    await delay(MOMENT_MS);
    expect(runs).toHaveLength(2);
    writer.stop();
  });

  it('later is waited for, and what is due before it is not held up', async () => {
    const { writer, runs, commitDue } = writerWithRuns();
    void writer.sweep();
    await until('the first run', () => Promise.resolve(runs[0]));
    runs[0]?.((shard.clock.now() + 3_600_000_000n) as Instant);
    await delay(MOMENT_MS);
    expect(runs).toHaveLength(1);
    await commitDue();
    await until('the second run', () => Promise.resolve(runs[1]));
    writer.stop();
    runs[1]?.(shard.clock.now());
    await delay(MOMENT_MS);
    expect(runs).toHaveLength(2);
  });
});
