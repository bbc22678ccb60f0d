import type { EventType } from '../src/contract/event-type.ts';
import type { Instant } from '../src/core/instant.ts';
import type { Uuid } from '../src/core/uuid.ts';
import type { Unit, UnitOutcome } from './commit.ts';

/** A unit of work on its way to one shard. */
export interface CommitRequest extends Unit {
  /** When something in this unit falls due, so that the database's alarm is set without another call. */
  readonly dueAt?: Instant | undefined;
  /** Events that the unit writes: once it is committed, the company's endpoints that want them are woken. */
  readonly notices?: readonly EventNotice[] | undefined;
  /** Tells units of one idempotency key from others: see `in_progress`. */
  readonly exclusiveKey?: string | undefined;
  /**
   * Names of what only one unit may ever take, such as an idempotency key or a reference. The database enforces that;
   * the writer uses the names to keep a repeat apart, so that other units are not rolled back with it.
   */
  readonly claims?: readonly string[] | undefined;
}

/** An event of a company, whose endpoints may be waiting for it. */
export interface EventNotice {
  readonly companyId: Uuid;
  readonly type: EventType;
}

/** `in_progress`: one with the same exclusive key was under way when this one came, and its own end is not known. */
export type CommitOutcome = UnitOutcome | { readonly status: 'in_progress' };

/** Wakes the queue of a webhook endpoint. It only hastens: what is due stands in the database. Never rejects. */
export interface EndpointWaker {
  wake(shard: string, endpointId: Uuid): Promise<void>;
}

/** The one way to write to a database: all its writers meet here. */
export interface Writer {
  commit(request: CommitRequest): Promise<CommitOutcome>;
}

/** Counts looks at tracking links; they are written down together, a little later. */
export interface Views {
  /** Never rejects. */
  add(shard: string, linkId: Uuid, viewedAt: Instant): Promise<void>;
}
