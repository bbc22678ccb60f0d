import { Problem } from '../core/problem.ts';
import { unavailable } from '../core/result.ts';
import type { Services } from '../runtime/services.ts';

/** A burst is let in whole, up to here: it is over before it has lasted. */
const BURST_MAX = 384;
/**
 * A crowd that lasts: enough to keep every database busy, and few enough to be answered within some seconds. Past it,
 * each further one would make all of them wait longer than the limits of their steps allow, and nobody would be answered.
 */
const STANDING_MAX = 128;
/** More than `SLOW_MAX` requests that have been inside for longer than `BURST_MS` are no burst. */
const BURST_MS = 1000;
/** A few slow ones are no crowd: a routing engine, a document, a receiver that is tested. */
const SLOW_MAX = 16;
/** What one shard may have of the permits: it may hang, and the others are to be answered all the same. */
const SHARD_SHARE = 0.75;
/** Longer than any request takes. A runtime that ends one in its midst does not say so. */
const PERMIT_MS = 30_000;
/** Who comes back sooner meets the same crowd. */
const RETRY_SECONDS = 2;

/** Bounds the requests that a process works on at once. Those whose body is still on its way are not among them. */
export class AdmissionLimiter {
  readonly #monotonicMs: () => number;
  /** Since when each is inside, the longest first. */
  readonly #inside = new Map<Permit, number>();

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** A permit, or undefined when there is none. */
  acquire(): Permit | undefined {
    const nowMs = this.#monotonicMs();
    for (const [forgotten, since] of this.#inside) {
      if (nowMs - since < PERMIT_MS) break;
      forgotten.release();
    }
    return this.#inside.size < this.#limit() ? new Permit(this) : undefined;
  }

  add(permit: Permit): void {
    this.#inside.set(permit, this.#monotonicMs());
  }

  remove(permit: Permit): void {
    this.#inside.delete(permit);
  }

  /** Whether one more may be at work in a shard. */
  hasRoomIn(shard: string): boolean {
    let inShard = 0;
    for (const permit of this.#inside.keys()) if (permit.shard === shard) inShard += 1;
    return inShard < SHARD_SHARE * this.#limit();
  }

  #limit(): number {
    const latestMs = this.#monotonicMs() - BURST_MS;
    let slow = 0;
    for (const since of this.#inside.values()) {
      if (since >= latestMs) break;
      slow += 1;
      if (slow > SLOW_MAX) return STANDING_MAX;
    }
    return BURST_MAX;
  }
}

/** What admits one request. */
export class Permit {
  readonly #limiter: AdmissionLimiter;
  #shard: string | undefined;
  #isReleased = false;

  constructor(limiter: AdmissionLimiter) {
    this.#limiter = limiter;
    limiter.add(this);
  }

  get shard(): string | undefined {
    return this.#shard;
  }

  /** While its body is awaited, a request is not inside. */
  suspend(): void {
    this.#limiter.remove(this);
  }

  /** Nobody is refused when his body has come. */
  resume(): void {
    if (!this.#isReleased) this.#limiter.add(this);
  }

  /** Counts the request in a shard, and no more in the one before; 503 when that has its share. */
  enterShard(shard: string): void {
    if (this.#shard === shard) return;
    if (!this.#limiter.hasRoomIn(shard)) throw overloaded();
    this.#shard = shard;
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
  const limiter = limiters.get(services) ?? new AdmissionLimiter(services.monotonicMs);
  limiters.set(services, limiter);
  const permit = limiter.acquire();
  if (permit !== undefined) permits.set(request, permit);
  return permit;
}

/** That of a request which was admitted. */
export function permitOf(request: Request): Permit | undefined {
  return permits.get(request);
}
