import type { WriteConnection } from './commit.ts';
import { IN_TRANSACTION, inTransactionAfter, sendBatch, stepOf } from './hrana.ts';

/** While a database takes no writes, it is probed at most this often. */
const PROBE_INTERVAL_MS = 10_000;
/** As long as a slow read may take, because `/ready` waits for it. */
const PROBE_TIMEOUT_MS = 2000;
/**
 * SQLite keeps changes of a transaction in its page cache of 2 MB and writes to the disk only what exceeds it, or at the
 * commit. So a smaller probe would succeed on a full disk.
 */
const PROBE_BYTES = 4_000_000;
/** The name is taken only until the rollback. */
const PROBE = `CREATE TABLE writable_probe AS SELECT zeroblob(${PROBE_BYTES}) AS filler`;

/** Whether a database takes writes, as its last commits say, or, after a failure, a probe that leaves nothing behind. */
export class Writability {
  /** Commits over this connection are noted. */
  readonly connection: WriteConnection;
  readonly #monotonicMs: () => number;
  #isWritable = true;
  #probedAtMs = Number.NEGATIVE_INFINITY;

  constructor(connection: WriteConnection, monotonicMs: () => number) {
    const noteWritable = (isWritable: boolean) => {
      this.#isWritable = isWritable;
    };
    this.connection = { ...connection, noteWritable };
    this.#monotonicMs = monotonicMs;
  }

  /** Probes a database whose last commit failed. Never rejects. */
  async check(): Promise<boolean> {
    if (this.#isWritable || this.#monotonicMs() - this.#probedAtMs < PROBE_INTERVAL_MS) return this.#isWritable;
    this.#probedAtMs = this.#monotonicMs();
    const reply = await sendBatch(
      this.connection,
      [
        stepOf('BEGIN IMMEDIATE', [], false),
        stepOf(PROBE, [], false, inTransactionAfter(0)),
        stepOf('ROLLBACK', [], false, IN_TRANSACTION),
      ],
      PROBE_TIMEOUT_MS,
    );
    if (reply.status === 'answered' && reply.errors.every((error) => error === null)) this.#isWritable = true;
    return this.#isWritable;
  }
}
