import { commitGroup, type UnitOutcome, type WriteConnection } from '../../../db/commit.ts';
import type { CommitOutcome, CommitRequest } from './ports.ts';

/*
 * Promise: the writes of one database leave one group at a time, in the order they came; nobody waits longer than the
 * limits below; and what a caller is told is never better than what the database said.
 *
 * libSQL has one write lock. Writers that queue for it inside the server stall each other for seconds; here they queue
 * outside, and everything that arrived while a commit was under way shares the next one and its disk sync.
 */

export interface CommitLimits {
  /** Units in one group: past this a group's own length costs more than sharing the sync saves. */
  readonly groupUnitsMax: number;
  /** Units waiting. A full queue refuses at once instead of promising what it cannot keep. */
  readonly queueUnitsMax: number;
  /** How long a unit may wait to be sent. */
  readonly queueTimeoutMs: number;
  /** How long one request to the database may take. */
  readonly commitTimeoutMs: number;
  /** Pause before a group is tried again that met a busy or overloaded server. */
  readonly retryPauseMs: number;
}

const COMMIT_LIMITS: CommitLimits = {
  groupUnitsMax: 64,
  queueUnitsMax: 2048,
  queueTimeoutMs: 3000,
  commitTimeoutMs: 3000,
  retryPauseMs: 20,
};

/** Keys of units whose end nobody heard. Bounded: past it the oldest is forgotten, and its twin gets 503, not 409. */
const UNDECIDED_MAX = 4096;

interface Waiting {
  readonly request: CommitRequest;
  readonly deadline: number;
  readonly settle: (outcome: CommitOutcome) => void;
}

export interface GroupCommitterOptions {
  readonly connection: WriteConnection;
  /** Asks the server to sync every commit again; false when it could not be reached or there is no way to ask. */
  readonly restoreDurability: () => Promise<boolean>;
  readonly onCommitted: (request: CommitRequest) => void;
  /** Milliseconds that only go forward. */
  readonly monotonicMs: () => number;
  readonly limits?: CommitLimits;
}

export class GroupCommitter {
  readonly #options: GroupCommitterOptions;
  readonly #limits: CommitLimits;
  readonly #queue: Waiting[] = [];
  readonly #undecided = new Set<string>();
  #isPumping = false;

  constructor(options: GroupCommitterOptions) {
    this.#options = options;
    this.#limits = options.limits ?? COMMIT_LIMITS;
  }

  /** Resolves when the unit's end is known, or known not to be known. Never rejects. */
  commit(request: CommitRequest): Promise<CommitOutcome> {
    if (this.#queue.length >= this.#limits.queueUnitsMax) {
      return Promise.resolve({ status: 'unavailable', reason: 'queue_full' });
    }
    return new Promise((settle) => {
      this.#queue.push({ request, deadline: this.#options.monotonicMs() + this.#limits.queueTimeoutMs, settle });
      if (!this.#isPumping) void this.#pump();
    });
  }

  async #pump(): Promise<void> {
    this.#isPumping = true;
    // Lets the calls of this turn of the event loop join the first group.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const group = this.#takeGroup();
      if (group.length > 0) await this.#commitAndSettle(group);
    }
    this.#isPumping = false;
  }

  #takeGroup(): Waiting[] {
    const now = this.#options.monotonicMs();
    const group: Waiting[] = [];
    for (const waiting of this.#queue.splice(0, this.#limits.groupUnitsMax)) {
      if (waiting.deadline > now) group.push(waiting);
      else this.#settle(waiting, { status: 'unavailable', reason: 'deadline' });
    }
    return group;
  }

  async #commitAndSettle(group: readonly Waiting[]): Promise<void> {
    const outcomes = await this.#commitWithRetries(group);
    for (const [index, waiting] of group.entries()) this.#settle(waiting, outcomes[index] ?? { status: 'unknown' });
  }

  /** Tries again while the server says that nothing ran, until the first unit of the group is out of time. */
  async #commitWithRetries(group: readonly Waiting[]): Promise<UnitOutcome[]> {
    const units = group.map((waiting) => waiting.request);
    const deadline = Math.min(...group.map((waiting) => waiting.deadline));
    for (;;) {
      const outcomes = await commitGroup(this.#options.connection, units, this.#limits.commitTimeoutMs);
      const nothingRan = outcomes.every((outcome) => outcome.status === 'unavailable');
      if (!nothingRan || this.#options.monotonicMs() >= deadline) return outcomes;
      if (outcomes.some((outcome) => outcome.status === 'unavailable' && outcome.reason === 'not_durable')) {
        if (!(await this.#options.restoreDurability())) return outcomes;
      } else {
        await pause(this.#limits.retryPauseMs);
      }
    }
  }

  #settle(waiting: Waiting, outcome: UnitOutcome): void {
    const key = waiting.request.exclusiveKey;
    if (outcome.status === 'committed') this.#options.onCommitted(waiting.request);
    if (key === undefined || outcome.status === 'committed' || outcome.status === 'refused') {
      if (key !== undefined) this.#undecided.delete(key);
      waiting.settle(outcome);
      return;
    }
    // The first with this key is told that nothing is known; whoever comes after it, that the first is still on its way.
    const isSecond = this.#undecided.has(key);
    if (outcome.status === 'unknown') this.#remember(key);
    waiting.settle(isSecond ? { status: 'in_progress' } : outcome);
  }

  #remember(key: string): void {
    this.#undecided.add(key);
    if (this.#undecided.size <= UNDECIDED_MAX) return;
    const [oldest] = this.#undecided;
    if (oldest !== undefined) this.#undecided.delete(oldest);
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
