import { setTimeout as delay } from 'node:timers/promises';
import { BatchCond, type BatchStep, type Client } from '@libsql/hrana-client';

export interface BoundStatement {
  readonly sql: string;
  readonly args: readonly (string | number)[];
}

/** Runs the statements as one transaction, waiting for the write lock; throws the first step's error. */
export async function runTransaction(client: Client, statements: readonly BoundStatement[]): Promise<void> {
  const deadline = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    const error = await tryOnce(client, statements);
    if (error === undefined) return;
    if (!/SQLITE_BUSY|database is locked/i.test(error.message) || performance.now() > deadline) throw error;
    await delay(BUSY_PAUSE_MS);
  }
}

/** Another migration holds the write lock for as long as it runs, at most the 5 s that sqld gives a transaction. */
const BUSY_TIMEOUT_MS = 15_000;
const BUSY_PAUSE_MS = 100;

/** Undefined when all of it was committed; else why none of it was. */
async function tryOnce(client: Client, statements: readonly BoundStatement[]): Promise<Error | undefined> {
  const stream = client.openStream();
  const batch = stream.batch(false);
  const results: Promise<unknown>[] = [];
  const add = (step: BatchStep, { sql, args }: BoundStatement) => {
    results.push(step.run([sql, [...args]]));
    return step;
  };
  const inTransaction = () => BatchCond.not(BatchCond.isAutocommit(batch));
  const then = (previous: BatchStep) => batch.step().condition(BatchCond.ok(previous)).condition(inTransaction());

  // A table that is made anew is dropped on the way: references to it must not be followed meanwhile.
  add(batch.step(), plain('PRAGMA foreign_keys = off'));
  let last = add(batch.step(), plain('BEGIN IMMEDIATE'));
  for (const statement of statements) last = add(then(last), statement);
  const commit = add(then(last), plain('COMMIT'));
  add(
    batch
      .step()
      .condition(BatchCond.not(BatchCond.ok(commit)))
      .condition(inTransaction()),
    plain('ROLLBACK'),
  );

  const settled = Promise.allSettled(results);
  const executed = batch.execute();
  stream.closeGracefully();
  await executed;
  return firstFailure(await settled, results.length - 2);
}

function plain(sql: string): BoundStatement {
  return { sql, args: [] };
}

/** The answer is 200 even when steps failed, and a skipped step has no result: every one of them is looked at. */
function firstFailure(results: readonly PromiseSettledResult<unknown>[], commit: number): Error | undefined {
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) return failed.reason instanceof Error ? failed.reason : new Error('a step failed');
  const committed = results[commit];
  const isCommitted = committed?.status === 'fulfilled' && committed.value !== undefined;
  return isCommitted ? undefined : new Error('the transaction was ended before its COMMIT');
}
