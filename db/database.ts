import { Semaphore } from '../src/core/semaphore.ts';
import {
  allOf,
  type Connection,
  IN_TRANSACTION,
  inTransactionAfter,
  isOk,
  not,
  sendBatch,
  stepOf,
  valuesOf,
} from './hrana.ts';
import { type DatabaseIdentity, identityStep, mismatchOf } from './identity.ts';
import type { ReadStatement } from './statement.ts';
import { NONE_KEPT, StreamPool } from './streams.ts';

/** The rows of a read; `ok: false` if the database did not answer in time or too many reads were waiting. */
export type Rows<Row> =
  | { readonly ok: true; readonly rows: Row[] }
  /** `isTooLarge`: the result exceeds the server's response limit; read fewer rows. */
  | { readonly ok: false; readonly isTooLarge?: boolean };

/** The rows of each statement, in the statements' order. */
export type RowsOf<Statements extends readonly ReadStatement<unknown>[]> = {
  [Index in keyof Statements]: Statements[Index] extends ReadStatement<infer Row> ? Row[] : never;
};

/**
 * Reads of one libSQL database. Each call sends one request, or two when the kept connection has been closed. The time of
 * a read and the number of concurrent reads are limited. Rejects only for wrong SQL.
 */
export interface Database {
  readonly id: string;
  read<Row>(statement: ReadStatement<Row>): Promise<Rows<Row>>;
  /** Several reads in one transaction and one request. `isFresh` opens a new connection for them, and asks who the database is. */
  readAll<Statements extends readonly ReadStatement<unknown>[]>(
    statements: Statements,
    options?: { readonly isFresh: boolean },
  ): Promise<{ readonly ok: true; readonly results: RowsOf<Statements> } | { readonly ok: false }>;
  /** What the last question about its identity has found instead of the expected database: both names. */
  readonly mismatch: () => string | undefined;
}

export interface ReadConnection extends Connection {
  /** Who the database must be. Without it, nobody asks. */
  readonly identity?: DatabaseIdentity | undefined;
  readonly id: string;
  readonly monotonicMs: () => number;
}

/** 50 times as long as a slow read of this service, and short enough to answer 503 before clients time out. */
const READ_TIMEOUT_MS = 2000;

/**
 * Limits of reads in progress and of waiting reads. sqld answers 429 above 128 connections, and the kept connections
 * (`streams.ts`), the writer and other processes need some of them. Six waiting reads for each place is the most that
 * are served before they time out.
 */
const READS_AT_ONCE_MAX = 64;
const READS_WAITING_MAX = 384;

export function openDatabase(connection: ReadConnection): Database {
  const places = new Semaphore({
    places: READS_AT_ONCE_MAX,
    waitingMax: READS_WAITING_MAX,
    waitMs: READ_TIMEOUT_MS,
    holdMs: READ_TIMEOUT_MS,
    monotonicMs: connection.monotonicMs,
  });
  const streams = new StreamPool(connection.monotonicMs);
  const check = new IdentityCheck(connection);
  const run = async (statements: readonly ReadStatement<unknown>[], isFresh = false): Promise<Read> => {
    const release = await places.acquire();
    if (release === undefined) {
      connection.report('too many concurrent reads', 'no_place');
      return NOT_ANSWERED;
    }
    try {
      const pool = isFresh ? NONE_KEPT : streams;
      return await runReads(connection, statements, { pool, check: check.isDue(isFresh) ? check : undefined });
    } finally {
      release();
    }
  };
  return {
    id: connection.id,
    async read<Row>(statement: ReadStatement<Row>) {
      const read = await run([statement]);
      return read.ok ? { ok: true, rows: (read.results[0] ?? []) as Row[] } : read;
    },
    async readAll<Statements extends readonly ReadStatement<unknown>[]>(
      statements: Statements,
      options?: { readonly isFresh: boolean },
    ) {
      const read = await run(statements, options?.isFresh);
      return read.ok ? { ok: true, results: read.results as unknown as RowsOf<Statements> } : read;
    },
    mismatch: () => check.mismatch,
  };
}

type Read =
  | { readonly ok: true; readonly results: unknown[][] }
  | { readonly ok: false; readonly isTooLarge?: boolean };
const NOT_ANSWERED: Read = { ok: false };

/** How long the answer of a database counts that has said who it is. */
const IDENTITY_KEPT_MS = 60_000;

/** Who the database is, asked within reads. */
class IdentityCheck {
  mismatch: string | undefined;
  readonly #expected: DatabaseIdentity | undefined;
  readonly #connection: ReadConnection;
  #knownUntilMs = Number.NEGATIVE_INFINITY;

  constructor(connection: ReadConnection) {
    this.#connection = connection;
    this.#expected = connection.identity;
  }

  isDue(isFresh: boolean): boolean {
    return this.#expected !== undefined && (isFresh || this.#connection.monotonicMs() >= this.#knownUntilMs);
  }

  /** Whether the answer to the question is that of the expected database. */
  accepts(answer: Parameters<typeof mismatchOf>[1], step: number): boolean {
    if (this.#expected === undefined) return true;
    this.mismatch = mismatchOf(this.#expected, answer, step);
    const { monotonicMs, report } = this.#connection;
    this.#knownUntilMs = this.mismatch === undefined ? monotonicMs() + IDENTITY_KEPT_MS : Number.NEGATIVE_INFINITY;
    if (this.mismatch !== undefined) report(this.mismatch, 'wrong_database');
    return this.mismatch === undefined;
  }
}

/** The decoded rows of each statement, in one request. */
async function runReads(
  connection: Connection,
  statements: readonly ReadStatement<unknown>[],
  { pool, check }: { readonly pool: StreamPool; readonly check: IdentityCheck | undefined },
): Promise<Read> {
  const isSnapshot = statements.length > 1;
  const reads = isSnapshot ? snapshotOf(statements) : statements.map(({ sql, args }) => stepOf(sql, args, true));
  // It comes last, because the conditions of a snapshot count its steps.
  const steps = check === undefined ? reads : [...reads, identityStep()];
  const reply = await sendBatch(connection, steps, READ_TIMEOUT_MS, pool);
  if (reply.status === 'too_large') return { ok: false, isTooLarge: true };
  if (reply.status !== 'answered') return NOT_ANSWERED;
  if (check !== undefined && !check.accepts(reply, reads.length)) return NOT_ANSWERED;
  const first = isSnapshot ? 1 : 0;
  const results: unknown[][] = [];
  for (const [index, statement] of statements.entries()) {
    const result = reply.results[first + index];
    if (result === null || result === undefined) {
      return failedRead(connection, reply.errors[first + index]?.message ?? 'a read did not run');
    }
    results.push(result.rows.map((row) => statement.decode(valuesOf(row))));
  }
  return { ok: true, results };
}

/** Puts the reads into one transaction, which ends even if a read fails. */
function snapshotOf(statements: readonly ReadStatement<unknown>[]) {
  const begin = stepOf('BEGIN', [], false);
  const reads = statements.map(({ sql, args }, index) => stepOf(sql, args, true, inTransactionAfter(index)));
  const commit = stepOf('COMMIT', [], false, inTransactionAfter(0));
  const rollback = stepOf('ROLLBACK', [], false, allOf(not(isOk(statements.length + 1)), IN_TRANSACTION));
  return [begin, ...reads, commit, rollback];
}

/** Throws for wrong SQL, which is a bug. Any other error means that the database is unavailable. */
function failedRead(connection: Connection, message: string): Read {
  if (/no such|syntax error|SQL_PARSE_ERROR/i.test(message)) throw new Error(`A read is wrong: ${message}`);
  connection.report(message, 'statement');
  return NOT_ANSWERED;
}
