import type { Unit, UnitOutcome } from '../../../db/commit.ts';
import type { Instant } from '../../core/instant.ts';

/** A unit of work on its way to one shard. */
export interface CommitRequest extends Unit {
  /** When something in this unit falls due, so that the database's alarm is set without another call. */
  readonly dueAt?: Instant | undefined;
  /** Units with the same key go one after the other: the second waits until the first is decided. */
  readonly exclusiveKey?: string | undefined;
}

/** `in_progress`: a unit with the same exclusive key is still undecided after the wait. Nothing of this one ran. */
export type CommitOutcome = UnitOutcome | { readonly status: 'in_progress' };

/** The one way to write to a database: all its writers meet here. */
export interface Writer {
  commit(request: CommitRequest): Promise<CommitOutcome>;
}
