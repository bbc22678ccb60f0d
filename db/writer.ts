import type { Instant } from '../src/core/instant.ts';
import type { Unit, UnitOutcome } from './commit.ts';

/** A unit of work for one database. */
export interface CommitRequest extends Unit {
  /** When the first work that this unit schedules is due: the writer sets the database's alarm without another call. */
  readonly dueAt?: Instant | undefined;
  /** The same for all units of one idempotency key: see `in_progress`. */
  readonly exclusiveKey?: string | undefined;
  /**
   * Names that only one unit may ever take, such as an idempotency key or a reference. The database enforces this; the
   * writer uses the names to run a repeat separately, so that other units are not rolled back with it.
   */
  readonly claims?: readonly string[] | undefined;
}

/** `in_progress`: another unit with the same exclusive key was in progress, and the outcome of this one is unknown. */
export type CommitOutcome = UnitOutcome | { readonly status: 'in_progress' };

/** The only way to write to a database. */
export interface Writer {
  commit(request: CommitRequest): Promise<CommitOutcome>;
}
