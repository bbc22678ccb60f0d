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
import type { ReadStatement } from './statement.ts';

/** Rows, or that the database did not answer in time. */
export type Rows<Row> = { readonly ok: true; readonly rows: Row[] } | { readonly ok: false };

/** The rows of each statement, in the statements' order. */
export type RowsOf<Statements extends readonly ReadStatement<unknown>[]> = {
  [Index in keyof Statements]: Statements[Index] extends ReadStatement<infer Row> ? Row[] : never;
};

/** Reads of one libSQL database: one request a call, bounded in time and in number. Rejects only for wrong SQL. */
export interface Database {
  readonly id: string;
  read<Row>(statement: ReadStatement<Row>): Promise<Rows<Row>>;
  /** Several reads of one moment, in one request. */
  readAll<Statements extends readonly ReadStatement<unknown>[]>(
    statements: Statements,
  ): Promise<{ readonly ok: true; readonly results: RowsOf<Statements> } | { readonly ok: false }>;
}

export interface ReadConnection extends Connection {
  readonly id: string;
  readonly monotonicMs: () => number;
}

/** How long a read may take: 50 times a slow one of this service, and short enough to answer 503 in good time. */
const READ_TIMEOUT_MS = 2000;
/** sqld answers 429 past 128 requests at once. Stay below it, with room for the writer and other processes. */
const READS_AT_ONCE_MAX = 96;

export function openDatabase(connection: ReadConnection): Database {
  const gate = new ReadGate(connection.monotonicMs);
  const run = async (statements: readonly ReadStatement<unknown>[]): Promise<unknown[][] | undefined> => {
    const leave = await gate.enter();
    if (leave === undefined) return undefined;
    try {
      return await runReads(connection, statements);
    } finally {
      leave();
    }
  };
  return {
    id: connection.id,
    async read<Row>(statement: ReadStatement<Row>) {
      const [rows] = (await run([statement])) ?? [];
      return rows === undefined ? { ok: false } : { ok: true, rows: rows as Row[] };
    },
    async readAll<Statements extends readonly ReadStatement<unknown>[]>(statements: Statements) {
      const results = await run(statements);
      return results === undefined ? { ok: false } : { ok: true, results: results as unknown as RowsOf<Statements> };
    },
  };
}

/** The decoded rows of each statement, or undefined when the database did not answer. */
async function runReads(
  connection: Connection,
  statements: readonly ReadStatement<unknown>[],
): Promise<unknown[][] | undefined> {
  const isSnapshot = statements.length > 1;
  const steps = isSnapshot ? snapshotOf(statements) : statements.map(({ sql, args }) => stepOf(sql, args, true));
  const reply = await sendBatch(connection, steps, READ_TIMEOUT_MS);
  if (reply.status !== 'answered') return undefined;
  const first = isSnapshot ? 1 : 0;
  const rows: unknown[][] = [];
  for (const [index, statement] of statements.entries()) {
    const result = reply.results[first + index];
    if (result === null || result === undefined) {
      throwIfWrong(reply.errors[first + index]?.message ?? '');
      return undefined;
    }
    rows.push(result.rows.map((row) => statement.decode(valuesOf(row))));
  }
  return rows;
}

/** One transaction around the reads, ended whatever becomes of them. */
function snapshotOf(statements: readonly ReadStatement<unknown>[]) {
  const begin = stepOf('BEGIN', [], false);
  const reads = statements.map(({ sql, args }, index) => stepOf(sql, args, true, inTransactionAfter(index)));
  const commit = stepOf('COMMIT', [], false, inTransactionAfter(0));
  const rollback = stepOf('ROLLBACK', [], false, allOf(not(isOk(statements.length + 1)), IN_TRANSACTION));
  return [begin, ...reads, commit, rollback];
}

/** SQL that cannot run is a bug and must be seen; everything else is the database being away. */
function throwIfWrong(message: string): void {
  if (/no such|syntax error|SQL_PARSE_ERROR/i.test(message)) throw new Error(`A read is wrong: ${message}`);
}

/**
 * Lets a bounded number of reads through at once. A Worker that the runtime ended in mid-request never runs its
 * `finally`, so a place is free again when its time is over, given back or not.
 */
class ReadGate {
  readonly #monotonicMs: () => number;
  readonly #places = new Map<number, number>();
  #nextPlace = 0;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** A function that gives the place back, or undefined when none came free in time. */
  async enter(): Promise<(() => void) | undefined> {
    const deadline = this.#monotonicMs() + READ_TIMEOUT_MS;
    while (!this.#hasPlace()) {
      if (this.#monotonicMs() >= deadline) return undefined;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const place = this.#nextPlace;
    this.#nextPlace += 1;
    this.#places.set(place, this.#monotonicMs() + READ_TIMEOUT_MS);
    return () => this.#places.delete(place);
  }

  #hasPlace(): boolean {
    if (this.#places.size < READS_AT_ONCE_MAX) return true;
    const now = this.#monotonicMs();
    for (const [place, expiry] of this.#places) {
      if (expiry > now) break;
      this.#places.delete(place);
    }
    return this.#places.size < READS_AT_ONCE_MAX;
  }
}
