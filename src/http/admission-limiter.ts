import { Problem } from '../core/problem.ts';
import { unavailable } from '../core/result.ts';

/** A burst is let in whole, up to here: it is over before it has lasted. */
const BURST_MAX = 384;
/**
 * A crowd that lasts: enough to keep every database busy, and few enough to be answered within some seconds. Past it,
 * each further one would make all of them wait longer than the limits of their steps allow, and nobody would be answered.
 */
const STANDING_MAX = 96;
/** What is left of it when refusing takes the processor. More than `SLOW_MAX`, or none of them could be seen to hang. */
const STANDING_MIN = 24;
/**
 * A timer that rings later than this: there is more to do than can be done, and what a request waits for comes as late as
 * often as it waits. A crowd gets a tenth smaller then, and lasts, else two larger; no more often than each `ADJUST_MS`.
 */
const LATE_MS = 150;
const ADJUST_MS = 100;
const FEWER = 0.9;
const MORE = 2;
/** More than `SLOW_MAX` requests that have been inside for longer than `BURST_MS` are no burst. */
const BURST_MS = 2000;
/** A few slow ones are no crowd: a routing engine, a document, a receiver that is tested. */
const SLOW_MAX = 16;
/** A crowd is over when none was seen for so long: requests that are refused make the others quick at first. */
const STANDING_MS = 5000;
/** How many more are let in with each second after that, until a burst is again: all at once, they would be the next crowd. */
const RECOVERY_PER_SECOND = 32;
/** What one shard may have of the permits: it may hang, and the others are to be answered all the same. */
const SHARD_SHARE = 0.75;
/** Longer than any request takes. A runtime that ends one in its midst does not say so. */
const PERMIT_MS = 30_000;
/** Who comes back sooner meets the same crowd. */
const RETRY_SECONDS = 2;
/**
 * A refusal waits so long. Who is told no at once asks again at once, and refusing takes the processor from those who were
 * admitted: a caller's own connections are where a crowd waits at nobody's cost.
 */
const REFUSAL_MS = 1000;
/** Refusals that begin to wait within a second, as they take memory. Twice as many may wait at once, and more where timers are late. */
const HELD_MAX = 1024;

/** 503 of a process that has enough to do. One for all: the trace of each would cost more than the rest of a refusal. */
export const OVERLOADED = new Problem(unavailable(RETRY_SECONDS));

/** Bounds the requests that a process works on at once. Those that wait for somebody outside are not among them. */
export class AdmissionLimiter {
  readonly #monotonicMs: () => number;
  readonly #shardShare: number;
  /** Since when each is inside, the longest first. */
  readonly #inside = new Map<Permit, number>();
  /** How many of them are at work in each shard. */
  readonly #inShards = new Map<string, number>();
  #standingUntilMs = Number.NEGATIVE_INFINITY;
  /** How many of a crowd are let in now. */
  #standing = STANDING_MAX;
  #adjustedAtMs = Number.NEGATIVE_INFINITY;
  #held = { sinceMs: Number.NEGATIVE_INFINITY, count: 0 };

  /** `shards`: how many there are. One alone may have all permits. */
  constructor({ monotonicMs, shards }: { readonly monotonicMs: () => number; readonly shards: number }) {
    this.#monotonicMs = monotonicMs;
    this.#shardShare = shards > 1 ? SHARD_SHARE : 1;
  }

  /** A permit, or undefined when there is none, or none for the shard where the request is known to go. */
  acquire(shard?: string): Permit | undefined {
    const nowMs = this.#monotonicMs();
    for (const [forgotten, since] of this.#inside) {
      if (nowMs - since < PERMIT_MS) break;
      forgotten.release();
    }
    if (this.isFull) return undefined;
    const limit = this.#limit();
    if (this.#countable(limit) >= this.#limitOfAll(limit)) return undefined;
    return shard === undefined || this.#isRoomIn(shard, limit) ? new Permit(this) : undefined;
  }

  /** Whether there are as many inside as there may ever be. */
  get isFull(): boolean {
    return this.#inside.size >= BURST_MAX;
  }

  /** Whether there is a crowd that lasts, or was one a moment ago. */
  get isCrowded(): boolean {
    return this.#limit() < BURST_MAX;
  }

  /** Begins a refusal, and answers how long it has to wait, in ms. */
  beginRefusal(): number {
    const nowMs = this.#monotonicMs();
    if (nowMs - this.#held.sinceMs >= REFUSAL_MS) this.#held = { sinceMs: nowMs, count: 0 };
    if (this.#held.count >= HELD_MAX) return 0;
    this.#held.count += 1;
    return REFUSAL_MS;
  }

  /** Hears by how many ms a timer rang late. */
  noteLateness(lateMs: number): void {
    const nowMs = this.#monotonicMs();
    if (nowMs - this.#adjustedAtMs < ADJUST_MS || !this.isCrowded) return;
    this.#adjustedAtMs = nowMs;
    const isLate = lateMs > LATE_MS;
    if (isLate) this.#seeCrowd(nowMs);
    this.#standing = isLate
      ? Math.max(STANDING_MIN, this.#standing * FEWER)
      : Math.min(STANDING_MAX, this.#standing + MORE);
  }

  add(permit: Permit): void {
    // Taken out first: the map's order is that of time.
    if (!this.#inside.delete(permit)) for (const shard of permit.shards) this.#count(shard, 1);
    this.#inside.set(permit, this.#monotonicMs());
  }

  remove(permit: Permit): void {
    if (this.#inside.delete(permit)) for (const shard of permit.shards) this.#count(shard, -1);
  }

  /** Counts one that is at work in a shard from now on, or no more; who is not inside is counted when he comes. */
  move(permit: Permit, shard: string, by: 1 | -1): void {
    if (this.#inside.has(permit)) this.#count(shard, by);
  }

  /** Whether one more may be at work in a shard. */
  hasRoomIn(shard: string): boolean {
    return this.#isRoomIn(shard, this.#limit());
  }

  #isRoomIn(shard: string, limit: number): boolean {
    return (this.#inShards.get(shard) ?? 0) < this.#shardShare * limit;
  }

  /** What is not one shard's stays as it is in a crowd, however few of one shard are let in: it may be the one that hangs. */
  #limitOfAll(limit: number): number {
    return this.#shardShare * limit + (1 - this.#shardShare) * Math.max(limit, STANDING_MAX);
  }

  /** How many are inside, of one shard no more than its share: what one that hangs has beyond it is not in the others' way. */
  #countable(limit: number): number {
    const share = this.#shardShare * limit;
    let beyond = 0;
    for (const count of this.#inShards.values()) beyond = Math.max(beyond, count - share);
    return this.#inside.size - beyond;
  }

  #count(shard: string, by: 1 | -1): void {
    const count = (this.#inShards.get(shard) ?? 0) + by;
    if (count === 0) this.#inShards.delete(shard);
    else this.#inShards.set(shard, count);
  }

  #limit(): number {
    const nowMs = this.#monotonicMs();
    let slow = 0;
    for (const since of this.#inside.values()) {
      if (nowMs - since <= BURST_MS || slow > SLOW_MAX) break;
      slow += 1;
    }
    if (slow > SLOW_MAX) this.#seeCrowd(nowMs);
    return this.#limitAt(nowMs);
  }

  #limitAt(nowMs: number): number {
    const recoveredSeconds = Math.max(0, nowMs - this.#standingUntilMs) / 1000;
    return Math.min(BURST_MAX, Math.floor(this.#standing + recoveredSeconds * RECOVERY_PER_SECOND));
  }

  /** What was learned of the last crowd says nothing of a new one. */
  #seeCrowd(nowMs: number): void {
    if (this.#limitAt(nowMs) === BURST_MAX) this.#standing = STANDING_MAX;
    this.#standingUntilMs = nowMs + STANDING_MS;
  }
}

/** What admits one request. */
export class Permit {
  readonly #limiter: AdmissionLimiter;
  /** Where it is at work: in one, or a batch in several. */
  readonly #shards = new Set<string>();
  #isReleased = false;
  #isRefused = false;

  constructor(limiter: AdmissionLimiter) {
    this.#limiter = limiter;
    limiter.add(this);
  }

  get shards(): ReadonlySet<string> {
    return this.#shards;
  }

  /** Whether the request was refused after all, on its way. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  get isCrowded(): boolean {
    return this.#limiter.isCrowded;
  }

  /** While it waits for somebody outside, for its body or a receiver, a request is not inside. */
  suspend(): void {
    this.#limiter.remove(this);
  }

  /** Nobody is refused when what he began has come to its end outside. */
  resume(): void {
    if (!this.#isReleased) this.#limiter.add(this);
  }

  /** The same for one that has begun nothing: false when there are too many inside. */
  tryResume(): boolean {
    if (this.#limiter.isFull) {
      this.#isRefused = true;
      return false;
    }
    this.resume();
    return true;
  }

  /** Counts the request in a shard, and no more in the one from which it was sent there; 503 when that has its share. */
  enterShard(shard: string, sentFrom?: string): void {
    if (sentFrom !== undefined && this.#shards.delete(sentFrom)) this.#limiter.move(this, sentFrom, -1);
    if (this.#shards.has(shard)) return;
    if (!this.#limiter.hasRoomIn(shard)) {
      this.#isRefused = true;
      throw OVERLOADED;
    }
    this.#shards.add(shard);
    this.#limiter.move(this, shard, 1);
  }

  release(): void {
    this.#isReleased = true;
    this.#limiter.remove(this);
  }
}
