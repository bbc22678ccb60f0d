import { bearerOf } from '../access/authenticate.ts';
import { shardOfDriverToken } from '../access/driver-token.ts';
import { toMillis } from '../core/instant.ts';
import { Problem } from '../core/problem.ts';
import { unavailable } from '../core/result.ts';
import type { Services } from '../runtime/services.ts';

/** A burst is let in whole, up to here: it is over before it has lasted. */
const BURST_MAX = 384;
/**
 * A crowd that lasts: enough to keep every database busy, and few enough to be answered within some seconds. Past it,
 * each further one would make all of them wait longer than the limits of their steps allow, and nobody would be answered.
 */
const STANDING_MAX = 96;
/** More than `SLOW_MAX` requests that have been inside for longer than `BURST_MS` are no burst. */
const BURST_MS = 2000;
/** A few slow ones are no crowd: a routing engine, a document, a receiver that is tested. */
const SLOW_MAX = 16;
/** A crowd is over when none was seen for so long: requests that are refused make the others quick at first. */
const STANDING_MS = 5000;
/** What one shard may have of the permits: it may hang, and the others are to be answered all the same. */
const SHARD_SHARE = 0.75;
/** Longer than any request takes. A runtime that ends one in its midst does not say so. */
const PERMIT_MS = 30_000;
/** Who comes back sooner meets the same crowd. */
const RETRY_SECONDS = 2;

/** Bounds the requests that a process works on at once. Those that wait for somebody outside are not among them. */
export class AdmissionLimiter {
  readonly #monotonicMs: () => number;
  readonly #shardShare: number;
  /** Since when each is inside, the longest first. */
  readonly #inside = new Map<Permit, number>();
  #standingUntilMs = Number.NEGATIVE_INFINITY;

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
    if (this.isFull || this.#countable() >= this.#limit()) return undefined;
    return shard === undefined || this.hasRoomIn(shard) ? new Permit(this) : undefined;
  }

  /** Whether there are as many inside as there may ever be. */
  get isFull(): boolean {
    return this.#inside.size >= BURST_MAX;
  }

  add(permit: Permit): void {
    this.#inside.set(permit, this.#monotonicMs());
  }

  remove(permit: Permit): void {
    this.#inside.delete(permit);
  }

  /** Whether one more may be at work in a shard. */
  hasRoomIn(shard: string): boolean {
    return (this.#inShards().get(shard) ?? 0) < this.#shardShare * this.#limit();
  }

  /** How many are inside, of each shard no more than its share: what one that hangs has beyond it is not in the others' way. */
  #countable(): number {
    const share = this.#shardShare * this.#limit();
    let beyond = 0;
    for (const count of this.#inShards().values()) beyond += Math.max(0, count - share);
    return this.#inside.size - beyond;
  }

  #inShards(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { shards } of this.#inside.keys())
      for (const shard of shards) counts.set(shard, (counts.get(shard) ?? 0) + 1);
    return counts;
  }

  #limit(): number {
    const nowMs = this.#monotonicMs();
    let slow = 0;
    for (const since of this.#inside.values()) {
      if (nowMs - since <= BURST_MS || slow > SLOW_MAX) break;
      slow += 1;
    }
    if (slow > SLOW_MAX) this.#standingUntilMs = nowMs + STANDING_MS;
    return nowMs < this.#standingUntilMs ? STANDING_MAX : BURST_MAX;
  }
}

/** What admits one request. */
export class Permit {
  readonly #limiter: AdmissionLimiter;
  /** Where it is at work: in one, or a batch in several. */
  readonly #shards = new Set<string>();
  #isReleased = false;

  constructor(limiter: AdmissionLimiter) {
    this.#limiter = limiter;
    limiter.add(this);
  }

  get shards(): ReadonlySet<string> {
    return this.#shards;
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
    if (this.#limiter.isFull) return false;
    this.resume();
    return true;
  }

  /** Counts the request in a shard, and no more in the one from which it was sent there; 503 when that has its share. */
  enterShard(shard: string, sentFrom?: string): void {
    if (sentFrom !== undefined) this.#shards.delete(sentFrom);
    if (this.#shards.has(shard)) return;
    if (!this.#limiter.hasRoomIn(shard)) throw overloaded();
    this.#shards.add(shard);
  }

  release(): void {
    this.#isReleased = true;
    this.#limiter.remove(this);
  }
}

/** 503 of a process that has enough to do. */
export function overloaded(): Problem {
  return new Problem(unavailable(RETRY_SECONDS));
}

const limiters = new WeakMap<Services, AdmissionLimiter>();
const permits = new WeakMap<Request, Permit>();

/** A permit for a request, if its process or isolate has one. */
export function admit(request: Request, services: Services): Permit | undefined {
  const limiter = limiters.get(services) ?? limiterFor(services);
  limiters.set(services, limiter);
  const permit = limiter.acquire(knownShard(request, services));
  if (permit !== undefined) permits.set(request, permit);
  return permit;
}

function limiterFor({ monotonicMs, shards }: Services): AdmissionLimiter {
  return new AdmissionLimiter({ monotonicMs, shards: shards.size });
}

/** Where a request goes, as far as that is known without asking anybody: refusing it here costs the least. */
function knownShard(request: Request, { tokenCache, clock }: Services): string | undefined {
  const token = bearerOf(request.headers.get('authorization'));
  if (token === undefined) return undefined;
  const client = tokenCache.get(token, toMillis(clock.now()));
  return client?.kind === 'company' ? client.shard : shardOfDriverToken(token);
}

/** That of a request which was admitted. */
export function permitOf(request: Request): Permit | undefined {
  return permits.get(request);
}
