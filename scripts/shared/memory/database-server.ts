import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { BatchStep, Condition, StepError, StepResult } from '../../../db/hrana.ts';
import type { Dice } from '../dice.ts';

/*
 * A libSQL server in memory: SQLite with the migrations of this service, behind Hrana 3 batches. A batch runs at once,
 * as sqld also admits one writer at a time and gives a read one state.
 */

/** A change of a row: its kind, and the values that the trigger reports. */
export type WrittenRow = readonly [kind: string, ...values: (string | number | null)[]];

export interface BatchAnswer {
  readonly step_results: readonly (StepResult | null)[];
  readonly step_errors: readonly (StepError | null)[];
}

/** Faults of a batch: `busy` refuses the write lock; `cutAt` closes the connection before that step. */
export interface Mistreatment {
  readonly isBusy?: boolean;
  readonly cutAt?: number;
}

export interface ServerOptions {
  readonly kind: 'directory' | 'shard';
  /** By default its kind. */
  readonly id?: string;
  readonly dice: Dice;
  /** Called with each committed unit and the rows that it changed. */
  readonly onCommit: (units: readonly (readonly WrittenRow[])[]) => void;
  /** Replaces SQL before it runs, to plant bugs. Undefined leaves the statement out. */
  readonly rewrite?: ((sql: string) => string | undefined) | undefined;
}

const DURABILITY = /pragma_synchronous/;

export class DatabaseServer {
  readonly #database = new DatabaseSync(':memory:');
  readonly #options: ServerOptions;
  readonly #statements = new Map<string, StatementSync | undefined>();
  readonly #rewritten = new Map<string, string | undefined>();
  /** Rows that the open transaction has changed, by unit. */
  #units: WrittenRow[][] = [];
  /**
   * Whether commits are synced. sqld forgets this setting when it restarts, until its admin address is called again.
   */
  isDurable = true;

  constructor(options: ServerOptions) {
    this.#options = options;
    const { dice, kind, id = kind } = options;
    this.#database.function('random', () => Math.floor(dice.roll() * 2 ** 31));
    this.#database.function('randomblob', (length) => randomBlob(dice, Number(length)));
    for (const sql of migrationsOf(kind)) this.#database.exec(sql);
    this.run("INSERT INTO database_identity (only, kind, id, deployment) VALUES (1, ?, ?, 'local')", [kind, id]);
  }

  /** Makes triggers report changes: `note(kind, …)` within `sql` reaches `onCommit` when its unit is committed. */
  watch(sql: string): void {
    this.#database.function('note', { varargs: true }, (...values) => {
      const unit = this.#units.at(-1);
      unit?.push(values as unknown as WrittenRow);
      return null;
    });
    this.#database.exec(sql);
  }

  /** Changes and reads that are not reported: to set up the world before the service starts, and to inspect it. */
  run(sql: string, args: readonly (string | number | null)[] = []): void {
    this.#database.prepare(sql).run(...args);
  }

  rows(sql: string, args: readonly (string | number | null)[] = []): Record<string, unknown>[] {
    return this.#database.prepare(sql).all(...args);
  }

  batch(
    steps: readonly BatchStep[],
    { isBusy = false, cutAt = Number.POSITIVE_INFINITY }: Mistreatment = {},
  ): BatchAnswer {
    const results: (StepResult | null)[] = [];
    const errors: (StepError | null)[] = [];
    for (const [index, { condition, stmt }] of steps.entries()) {
      results.push(null);
      errors.push(null);
      if (index >= cutAt) break;
      if (condition !== undefined && !this.#holds(condition, results, errors)) continue;
      // If a bug cannot be planted, this throws here and not as an SQLite error.
      this.#textOf(stmt.sql);
      try {
        if (isBusy && stmt.sql === 'BEGIN IMMEDIATE') throw new Error('database is locked');
        results[index] = this.#step(stmt);
      } catch (error) {
        errors[index] = { message: `SQLite error: ${error instanceof Error ? error.message : String(error)}` };
      }
    }
    // The stream closes, which rolls an open transaction back.
    if (this.#database.isTransaction) this.#step({ sql: 'ROLLBACK', args: [], want_rows: false });
    return { step_results: results, step_errors: errors };
  }

  close(): void {
    this.#database.close();
  }

  #holds(
    condition: Condition,
    results: readonly (StepResult | null)[],
    errors: readonly (StepError | null)[],
  ): boolean {
    switch (condition.type) {
      case 'ok':
        return results[condition.step] !== null && errors[condition.step] === null;
      case 'not':
        return !this.#holds(condition.cond, results, errors);
      case 'and':
        return condition.conds.every((part) => this.#holds(part, results, errors));
      case 'is_autocommit':
        return !this.#database.isTransaction;
    }
  }

  #step({ sql, args, want_rows: wantsRows }: BatchStep['stmt']): StepResult {
    if (DURABILITY.test(sql) && !this.isDurable) throw new Error('malformed JSON');
    const statement = this.#prepare(sql);
    if (statement === undefined) return NO_ROWS;
    const values = args.map(fromHrana);
    if (wantsRows) return { rows: (statement.all(...values) as unknown as unknown[][]).map((row) => row.map(toHrana)) };
    statement.all(...values);
    this.#follow(this.#textOf(sql) ?? '');
    return NO_ROWS;
  }

  /** Tracks the unit that the next changes belong to, and reports the committed ones. */
  #follow(sql: string): void {
    switch (sql) {
      case 'SAVEPOINT unit':
        this.#units.push([]);
        break;
      case 'ROLLBACK TO unit':
        this.#units.pop();
        this.#units.push([]);
        break;
      case 'BEGIN IMMEDIATE':
      case 'ROLLBACK':
        this.#units = [];
        break;
      case 'COMMIT': {
        const units = this.#units.filter((unit) => unit.length > 0);
        this.#units = [];
        if (units.length > 0) this.#options.onCommit(units);
      }
    }
  }

  #prepare(sql: string): StatementSync | undefined {
    if (this.#statements.has(sql)) return this.#statements.get(sql);
    const text = this.#textOf(sql);
    const statement = text === undefined ? undefined : this.#database.prepare(text);
    statement?.setReturnArrays(true);
    statement?.setReadBigInts(true);
    this.#statements.set(sql, statement);
    return statement;
  }

  #textOf(sql: string): string | undefined {
    const { rewrite } = this.#options;
    if (rewrite === undefined) return sql;
    if (!this.#rewritten.has(sql)) this.#rewritten.set(sql, rewrite(sql));
    return this.#rewritten.get(sql);
  }
}

const NO_ROWS: StepResult = { rows: [] };
type Cell = StepResult['rows'][number][number];

function fromHrana(value: Cell): string | bigint | number | null {
  if (value.type === 'null') return null;
  return value.type === 'integer' ? BigInt(value.value) : value.value;
}

function toHrana(value: unknown): Cell {
  if (value === null) return { type: 'null' };
  if (typeof value === 'bigint') return { type: 'integer', value: String(value) };
  if (typeof value === 'number') return { type: 'float', value };
  if (typeof value === 'string') return { type: 'text', value };
  throw new Error('This service stores no blobs');
}

function randomBlob(dice: Dice, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => Math.floor(dice.roll() * 256));
}

function migrationsOf(kind: ServerOptions['kind']): string[] {
  const folder = join(import.meta.dirname, '..', '..', '..', 'db', kind, 'migrations');
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return files.toSorted().map((name) => readFileSync(join(folder, name), 'utf8'));
}
