import { setTimeout as delay } from 'node:timers/promises';
import { CommitMeter } from '../../../db/commit-meter.ts';
import { restoreDurability } from '../../../db/durability.ts';
import { GroupCommitter } from '../../../db/group-committer.ts';
import { sendBatch, stepOf, valuesOf } from '../../../db/hrana.ts';
import type { SqlValue, WriteStatement } from '../../../db/statement.ts';
import { noMetrics } from '../../../src/providers/absent.ts';
import type { DatabaseOfService } from '../../shared/database-addresses.ts';
import { SetupError } from '../../shared/setup-error.ts';

/** One database of a move. */
export interface End {
  readonly id: string;
  /** All rows. Throws if they are more than the server sends at once. */
  read(sql: string, args?: readonly SqlValue[]): Promise<SqlValue[][]>;
  /** As above, but undefined if they are more than the server sends at once. */
  readIfItFits(sql: string, args?: readonly SqlValue[]): Promise<SqlValue[][] | undefined>;
  /** Runs one transaction. False if it was refused. Throws if its outcome is unknown or the server is away for long. */
  commit(statements: readonly WriteStatement[]): Promise<boolean>;
}

/** Finding a page may scan a table of a large shard that has no fitting index. */
const READ_TIMEOUT_MS = 60_000;
/** The service writes to the same databases and holds the lock most of the time. */
const BUSY_TIMEOUT_MS = 30_000;
const BUSY_PAUSE_MS = 50;

export type Send = (url: string, init: RequestInit) => Promise<Response>;

export function openEnd(database: DatabaseOfService, requireDurable: boolean, send: Send = fetch): End {
  const { id, url, authToken, adminUrl, adminKey } = database;
  const admin = adminUrl === undefined ? undefined : { url: adminUrl, key: adminKey };
  let failure = 'no answer';
  const connection = {
    url,
    authToken,
    identity: database,
    fetch: send,
    requireDurable,
    report: (told: string) => {
      failure = told;
    },
  };
  const committer = new GroupCommitter({
    connection,
    restoreDurability: () => restoreDurability(admin, send),
    onCommitted: () => undefined,
    monotonicMs: () => performance.now(),
    meter: new CommitMeter(noMetrics, id),
  });
  const readIfItFits: End['readIfItFits'] = async (sql, args = []) => {
    const reply = await sendBatch(connection, [stepOf(sql, args, true)], READ_TIMEOUT_MS);
    if (reply.status === 'too_large') return undefined;
    if (reply.status !== 'answered') throw away(id, failure);
    const [result] = reply.results;
    if (result === null || result === undefined) throw away(id, reply.errors[0]?.message ?? 'no rows');
    return result.rows.map((row) => valuesOf(row) as SqlValue[]);
  };
  return {
    id,
    async read(sql, args) {
      const rows = await readIfItFits(sql, args);
      if (rows === undefined) throw new SetupError(`${id} has more rows than it sends at once for: ${sql}`);
      return rows;
    },
    readIfItFits,
    async commit(statements) {
      const deadline = performance.now() + BUSY_TIMEOUT_MS;
      for (;;) {
        const outcome = await committer.commit({ statements });
        if (outcome.status === 'committed' || outcome.status === 'refused') return outcome.status === 'committed';
        if (outcome.status === 'invalid') throw new Error(`${id}: ${outcome.message}`);
        if (outcome.status !== 'unavailable') throw away(id, failure);
        if (performance.now() > deadline) throw away(id, outcome.reason);
        await delay(BUSY_PAUSE_MS);
      }
    },
  };
}

function away(id: string, why: string): SetupError {
  return new SetupError(
    `${id} did not answer as it should (${why}); run the same command again, it goes on from there.`,
  );
}
