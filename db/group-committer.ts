import type { Instant } from '../src/core/instant.ts';
import { pause } from '../src/core/timer.ts';
import { logError } from '../src/ports/log.ts';
import { commitGroup, type UnitOutcome, type WriteConnection } from './commit.ts';
import type { CommitMeter } from './commit-meter.ts';
import type { CommitOutcome, CommitRequest } from './writer.ts';

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
  /** What one group may weigh: an outsized request fails for everybody in it. */
  readonly groupBytesMax: number;
  /** Units waiting. A full queue refuses at once instead of promising what it cannot keep. */
  readonly queueUnitsMax: number;
  /** What they may weigh: the object has 128 MB for all it does. */
  readonly queueBytesMax: number;
  /** How long a unit may wait to be sent. */
  readonly queueTimeoutMs: number;
  /** How long one request to the database may take. */
  readonly commitTimeoutMs: number;
  /** Pause before a group is tried again that met a busy or overloaded server. */
  readonly retryPauseMs: number;
}

const COMMIT_LIMITS: CommitLimits = {
  groupUnitsMax: 64,
  groupBytesMax: 4_000_000,
  queueUnitsMax: 2048,
  queueBytesMax: 32_000_000,
  queueTimeoutMs: 3000,
  commitTimeoutMs: 3000,
  retryPauseMs: 20,
};

interface Waiting {
  readonly request: CommitRequest;
  readonly bytes: number;
  /** Another unit with the same exclusive key was under way when this one came. */
  readonly isSecond: boolean;
  readonly queuedAtMs: number;
  /** Why the last try did not run, if there was one. */
  readonly lastOutcome?: UnitOutcome;
  readonly settle: (outcome: CommitOutcome) => void;
}

/** Claims of committed units that are remembered, the newest. A retry usually follows its first try within seconds. */
const CLAIMS_MAX = 20_000;

export interface GroupCommitterOptions {
  readonly connection: WriteConnection;
  /** Asks the server to sync every commit again; false when it could not be reached or there is no way to ask. */
  readonly restoreDurability: () => Promise<boolean>;
  /** Told once of each group, with those of its units that were committed. */
  readonly onCommitted: (committed: readonly CommitRequest[]) => void;
  /** Milliseconds that only go forward. */
  readonly monotonicMs: () => number;
  readonly meter: CommitMeter;
  readonly limits?: CommitLimits;
}

export class GroupCommitter {
  readonly #options: GroupCommitterOptions;
  readonly #limits: CommitLimits;
  readonly #queue: Waiting[] = [];
  /** How many units with each exclusive key wait or are being committed. */
  readonly #underway = new Map<string, number>();
  readonly #takenClaims = new Set<string>();
  #queuedBytes = 0;
  #isPumping = false;

  constructor(options: GroupCommitterOptions) {
    this.#options = options;
    this.#limits = options.limits ?? COMMIT_LIMITS;
  }

  /** Resolves when the unit's end is known, or known not to be known. Never rejects. */
  commit(request: CommitRequest): Promise<CommitOutcome> {
    const bytes = weightOf(request);
    const { queueUnitsMax, queueBytesMax } = this.#limits;
    if (this.#queue.length >= queueUnitsMax || this.#queuedBytes + bytes > queueBytesMax) {
      this.#count('queue_full');
      return Promise.resolve({ status: 'unavailable', reason: 'queue_full' });
    }
    const { exclusiveKey } = request;
    const isSecond = exclusiveKey !== undefined && this.#underway.has(exclusiveKey);
    if (exclusiveKey !== undefined) this.#underway.set(exclusiveKey, (this.#underway.get(exclusiveKey) ?? 0) + 1);
    this.#queuedBytes += bytes;
    return new Promise((settle) => {
      this.#queue.push({ request, bytes, isSecond, queuedAtMs: this.#options.monotonicMs(), settle });
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
    let bytes = 0;
    for (;;) {
      const [first] = this.#queue;
      if (first === undefined || group.length >= this.#limits.groupUnitsMax) return group;
      if (group.length > 0 && bytes + first.bytes > this.#limits.groupBytesMax) return group;
      this.#queue.shift();
      this.#queuedBytes -= first.bytes;
      if (this.#deadlineOf(first) <= now) {
        if (first.lastOutcome === undefined) this.#count('deadline');
        this.#settle(first, first.lastOutcome ?? { status: 'unavailable', reason: 'deadline' });
      } else {
        group.push(first);
        bytes += first.bytes;
      }
    }
  }

  async #commitAndSettle(group: readonly Waiting[]): Promise<void> {
    const startedMs = this.#options.monotonicMs();
    const left = this.#queue.length;
    let outcomes: UnitOutcome[];
    try {
      const { connection } = this.#options;
      outcomes = await commitGroup(connection, this.#withSuspectsApart(group), this.#limits.commitTimeoutMs);
    } catch (error) {
      // A unit that cannot even be written down is a bug; it must not stop everybody behind it.
      outcomes = group.map(() => ({ status: 'invalid', message: String(error) }));
    }
    const isDurable = !outcomes.some(isNotDurable) || (await this.#options.restoreDurability());
    const retries = group.flatMap((waiting, index): Waiting[] => {
      const lastOutcome = outcomes[index] ?? { status: 'unknown' };
      if (isDurable && isWorthATry(lastOutcome)) return [{ ...waiting, lastOutcome }];
      this.#settle(waiting, lastOutcome);
      return [];
    });
    const ended = outcomes.filter((outcome) => !(isDurable && isWorthATry(outcome)));
    // After they are answered: a failure here must not keep anybody from their answer, or the next group from leaving.
    const { meter, monotonicMs, onCommitted } = this.#options;
    const waitedMs = startedMs - (group[0]?.queuedAtMs ?? startedMs);
    if (ended.length > 0)
      this.#tryTo(() => meter.measureGroup(ended, { tookMs: monotonicMs() - startedMs, waitedMs, left }));
    const committed = group.filter((_, index) => outcomes[index]?.status === 'committed');
    this.#rememberClaims(committed);
    if (committed.length > 0) this.#tryTo(() => onCommitted(committed.map(({ request }) => request)));
    if (retries.length > 0) await this.#retryFirst(retries, isDurable && outcomes.some(isNotDurable));
  }

  /**
   * The group's units. One that claims what an earlier unit took is probably a repeat, and is written by itself: in a
   * merged statement its refusal would roll back every unit of the group.
   */
  #withSuspectsApart(group: readonly Waiting[]): CommitRequest[] {
    const claimed = new Set<string>();
    return group.map(({ request }) => {
      const { claims = [] } = request;
      const isApart = claims.some((claim) => claimed.has(claim) || this.#takenClaims.has(claim));
      for (const claim of claims) claimed.add(claim);
      return isApart ? { ...request, isApart } : request;
    });
  }

  #rememberClaims(committed: readonly Waiting[]): void {
    for (const { request } of committed) for (const claim of request.claims ?? []) this.#takenClaims.add(claim);
    for (const oldest of this.#takenClaims) {
      if (this.#takenClaims.size <= CLAIMS_MAX) return;
      this.#takenClaims.delete(oldest);
    }
  }

  /** Puts units that did not run back at the head of the queue. Their deadlines stay, and others join their next try. */
  async #retryFirst(retries: readonly Waiting[], isAtOnce: boolean): Promise<void> {
    this.#queue.unshift(...retries);
    for (const { bytes } of retries) this.#queuedBytes += bytes;
    if (!isAtOnce) await pause(this.#limits.retryPauseMs);
  }

  #count(reason: 'queue_full' | 'deadline'): void {
    this.#tryTo(() => this.#options.meter.count(reason));
  }

  /** Does what the units can do without, and tells the log when it cannot be done. */
  #tryTo(work: () => void): void {
    try {
      work();
    } catch (error) {
      const { databaseId } = this.#options.meter;
      logError({ database: databaseId, error: String(error) });
    }
  }

  #deadlineOf({ queuedAtMs }: Waiting): number {
    return queuedAtMs + this.#limits.queueTimeoutMs;
  }

  #settle(waiting: Waiting, outcome: UnitOutcome): void {
    const { request, isSecond, settle } = waiting;
    if (request.exclusiveKey !== undefined) this.#leave(request.exclusiveKey);
    const isDecided = outcome.status !== 'unknown' && outcome.status !== 'unavailable';
    // Whoever came while the first with his key was under way, and then learnt nothing, is told just that.
    settle(isSecond && !isDecided ? { status: 'in_progress' } : outcome);
  }

  #leave(key: string): void {
    const others = (this.#underway.get(key) ?? 1) - 1;
    if (others === 0) this.#underway.delete(key);
    else this.#underway.set(key, others);
  }
}

/** What committed units make others do: the events they wrote, and when the first of what they made due is due. */
export function newsOf(committed: readonly CommitRequest[]) {
  const notices = committed.flatMap((request) => request.notices ?? []);
  const due = committed.flatMap(({ dueAt }) => dueAt ?? []);
  const dueAt = due.reduce<Instant | undefined>(
    (first, at) => (first === undefined || at < first ? at : first),
    undefined,
  );
  return { notices, dueAt };
}

/** Nothing of the unit ran, and it may run in a moment. */
function isWorthATry(outcome: UnitOutcome): boolean {
  return outcome.status === 'unavailable' && RETRIED.has(outcome.reason);
}
const RETRIED: ReadonlySet<string> = new Set(['busy', 'overloaded', 'not_durable']);

function isNotDurable(outcome: UnitOutcome): boolean {
  return outcome.status === 'unavailable' && outcome.reason === 'not_durable';
}

/** About what a unit takes on the wire: its arguments are nearly all of it. */
function weightOf({ statements }: CommitRequest): number {
  let bytes = 0;
  for (const { sql, args } of statements) {
    bytes += sql.length;
    for (const arg of args) bytes += typeof arg === 'string' ? arg.length : PLAIN_ARGUMENT_BYTES;
  }
  return bytes;
}
const PLAIN_ARGUMENT_BYTES = 40;
