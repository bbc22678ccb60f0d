import type { Instant } from '../src/core/instant.ts';
import { pause } from '../src/core/timer.ts';
import { logError } from '../src/ports/log.ts';
import { traced } from '../src/ports/tracer.ts';
import { commitGroup, type UnitOutcome, type WriteConnection } from './commit.ts';
import type { CommitMeter } from './commit-meter.ts';
import { TakenClaims } from './taken-claims.ts';
import { Writability } from './writability.ts';
import type { CommitOutcome, CommitRequest } from './writer.ts';

/*
 * Promise: writes to one database are sent one group at a time, in the order of their arrival. No caller waits longer
 * than the limits below. `committed` is returned only if the database confirmed it.
 *
 * libSQL has one write lock. Writers that wait for it inside the server stall each other for seconds, so units queue
 * here. All units that arrive during a commit share the next commit and its disk sync.
 */

export interface CommitLimits {
  /** Units in one group: above this, a longer group costs more time than the shared disk sync saves. */
  readonly groupUnitsMax: number;
  /** Size of one group: if the request is too large for the server, all its units fail. */
  readonly groupBytesMax: number;
  /** Units in the queue. A full queue refuses at once, because later units would exceed their deadline. */
  readonly queueUnitsMax: number;
  /** Size of the queue: a Durable Object has 128 MB of memory in total. */
  readonly queueBytesMax: number;
  /** How long a unit may wait to be sent. */
  readonly queueTimeoutMs: number;
  /** How long one request to the database may take. */
  readonly commitTimeoutMs: number;
  /** Pause before a group is retried after the server was busy or overloaded. */
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
  /** Another unit with the same exclusive key was in progress when this one arrived. */
  readonly isSecond: boolean;
  readonly queuedAtMs: number;
  /** Why the previous try did not run, if there was one. */
  readonly lastOutcome?: UnitOutcome;
  readonly settle: (outcome: CommitOutcome) => void;
}

export type FindTaken = (claims: readonly string[]) => Promise<readonly string[]>;

/**
 * For this long after a repeat has rolled back a group, claims are looked up before each group. It costs a read that
 * finds nothing unless clients repeat old requests, and then they usually send several.
 */
const ALERT_MS = 10_000;
/** How long a group waits for that read. After a slower one, no group waits until the next repeat. */
const LOOKUP_TIMEOUT_MS = 50;

export interface GroupCommitterOptions {
  readonly connection: WriteConnection;
  /** Sets the server to sync every commit again; false if the server is unreachable or has no admin address. */
  readonly restoreDurability: () => Promise<boolean>;
  /** Those of these claims that the database has, in one read. Without it, repeats are found by their refusal only. */
  readonly findTaken?: FindTaken | undefined;
  /** Called once for each group that committed something, with its committed units. */
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
  readonly #takenClaims = new TakenClaims();
  readonly #writability: Writability;
  #alertUntilMs = Number.NEGATIVE_INFINITY;
  #queuedBytes = 0;
  #isPumping = false;

  constructor(options: GroupCommitterOptions) {
    this.#options = options;
    this.#limits = options.limits ?? COMMIT_LIMITS;
    this.#writability = new Writability(options.connection, options.monotonicMs);
  }

  /** Whether the database takes writes. Probes one whose last commit failed. Never rejects. */
  isWritable(): Promise<boolean> {
    return this.#writability.check();
  }

  /** Resolves with the unit's outcome, which may be `unknown`. Never rejects. */
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
    await this.#lookUpClaims(group);
    const startedMs = this.#options.monotonicMs();
    const left = this.#queue.length;
    const units = this.#withSuspectsApart(group);
    let outcomes: UnitOutcome[];
    try {
      outcomes = await traced('commit group', (span) => {
        span.set('units', units.length);
        return commitGroup(this.#writability.connection, units, this.#limits.commitTimeoutMs);
      });
    } catch (error) {
      // A unit that cannot be serialized is a bug. It must not block the units behind it.
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
    // This runs after the units are settled: an error here must not delay their outcomes or stop the next group.
    const { meter, monotonicMs, onCommitted } = this.#options;
    const waitedMs = startedMs - (group[0]?.queuedAtMs ?? startedMs);
    if (ended.length > 0)
      this.#tryTo(() => meter.measureGroup(ended, { tookMs: monotonicMs() - startedMs, waitedMs, left }));
    const committed = group.filter((_, index) => outcomes[index]?.status === 'committed');
    // Also those of refused units: probably another unit has them, and the next try need not roll back a group again.
    this.#rememberClaims(group.filter((_, index) => CLAIMED.has(outcomes[index]?.status ?? '')));
    if (units.some((unit, index) => isSurprise(unit, outcomes[index]))) this.#alertUntilMs = monotonicMs() + ALERT_MS;
    if (committed.length > 0) this.#tryTo(() => onCommitted(committed.map(({ request }) => request)));
    if (retries.length > 0) await this.#retryFirst(retries, isDurable && outcomes.some(isNotDurable));
  }

  /**
   * Returns the group's units. A unit with a claim that an earlier unit has taken is probably a repeat, so it is not
   * merged: its refusal would roll back the other units.
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

  /** Finds repeats whose first unit this process does not remember, while the committer is alert. */
  async #lookUpClaims(group: readonly Waiting[]): Promise<void> {
    const { findTaken, monotonicMs } = this.#options;
    if (findTaken === undefined || group.length === 1 || monotonicMs() >= this.#alertUntilMs) return;
    const claims = group.flatMap(({ request }) => request.claims ?? []);
    const unknown = claims.filter((claim) => !this.#takenClaims.has(claim));
    if (unknown.length === 0) return;
    try {
      const taken = await Promise.race([findTaken(unknown), pause(LOOKUP_TIMEOUT_MS)]);
      if (taken === undefined) this.#alertUntilMs = Number.NEGATIVE_INFINITY;
      for (const claim of taken ?? []) this.#takenClaims.add(claim);
    } catch (error) {
      // Without the lookup, the group is only slower.
      logError({ database: this.#options.meter.databaseId, error: String(error) });
    }
  }

  #rememberClaims(units: readonly Waiting[]): void {
    for (const { request } of units) for (const claim of request.claims ?? []) this.#takenClaims.add(claim);
  }

  /** Puts units that did not run back at the head of the queue. They keep their deadlines; waiting units join them. */
  async #retryFirst(retries: readonly Waiting[], isAtOnce: boolean): Promise<void> {
    this.#queue.unshift(...retries);
    for (const { bytes } of retries) this.#queuedBytes += bytes;
    if (!isAtOnce) await pause(this.#limits.retryPauseMs);
  }

  #count(reason: 'queue_full' | 'deadline'): void {
    this.#tryTo(() => this.#options.meter.count(reason));
  }

  /** Runs work that no unit depends on, and logs an error instead of throwing it. */
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
    if (request.exclusiveKey !== undefined) this.#releaseKey(request.exclusiveKey);
    const isDecided = outcome.status !== 'unknown' && outcome.status !== 'unavailable';
    // The key was in use by another unit and the outcome is not known: the caller answers that the key is in progress.
    settle(isSecond && !isDecided ? { status: 'in_progress' } : outcome);
  }

  #releaseKey(key: string): void {
    const others = (this.#underway.get(key) ?? 1) - 1;
    if (others === 0) this.#underway.delete(key);
    else this.#underway.set(key, others);
  }
}

/** The earliest due time of the work that committed units scheduled. */
export function firstDueOf(committed: readonly CommitRequest[]): Instant | undefined {
  const due = committed.flatMap(({ dueAt }) => dueAt ?? []);
  return due.reduce<Instant | undefined>((first, at) => (first === undefined || at < first ? at : first), undefined);
}

/** Whether the unit did not run and an immediate retry may succeed. */
function isWorthATry(outcome: UnitOutcome): boolean {
  return outcome.status === 'unavailable' && RETRIED.has(outcome.reason);
}
const RETRIED: ReadonlySet<string> = new Set(['busy', 'overloaded', 'not_durable']);
/** Outcomes of units whose claims are probably taken. */
const CLAIMED: ReadonlySet<string> = new Set(['committed', 'refused'] satisfies UnitOutcome['status'][]);

/** Whether a unit was refused that was not known to be a repeat. */
function isSurprise({ claims = [], isApart }: CommitRequest, outcome: UnitOutcome | undefined): boolean {
  return outcome?.status === 'refused' && claims.length > 0 && isApart !== true;
}

function isNotDurable(outcome: UnitOutcome): boolean {
  return outcome.status === 'unavailable' && outcome.reason === 'not_durable';
}

/** Approximate size of a unit in its request; the arguments are most of it. */
function weightOf({ statements }: CommitRequest): number {
  let bytes = 0;
  for (const { sql, args } of statements) {
    bytes += sql.length;
    for (const arg of args) bytes += typeof arg === 'string' ? arg.length : PLAIN_ARGUMENT_BYTES;
  }
  return bytes;
}
const PLAIN_ARGUMENT_BYTES = 40;
