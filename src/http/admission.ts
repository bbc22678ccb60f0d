import { bearerOf } from '../access/authenticate.ts';
import { shardOfDriverToken } from '../access/driver-token.ts';
import { shardOfTrackingToken } from '../access/tracking-token.ts';
import { Problem } from '../core/problem.ts';
import { unavailable } from '../core/result.ts';
import { Semaphore } from '../core/semaphore.ts';
import { pause } from '../core/timer.ts';
import type { Services } from '../service/services.ts';

/**
 * Requests in progress at once. Two thirds of them keep every database busy; with more, each would take longer than the
 * limits of its steps when all processors are busy.
 */
const PLACES = 96;
/** How many of them one shard can have: a shard that hangs must leave places for the others. */
const SHARD_PLACES = 72;
/** A request that has left its place to read its body is only refused when so many are in progress. */
const RETURNING_PLACES = 192;
/**
 * How long a refusal waits. It must not be sent at once: workerd polls for new I/O only when nothing is left to do, so
 * clients that repeat a refused request at once would starve all others.
 */
const REFUSAL_MS = 1000;
/** Refusals that wait. They take memory; further ones are sent at once. */
const REFUSALS_WAITING_MAX = 1024;
/** Longer than any request takes. A runtime can end a request without running its `finally`. */
const HOLD_MS = 30_000;
const RETRY_SECONDS = 2;

/** One object for all refusals, because its stack trace costs more than the rest of a refusal. */
export const OVERLOADED = new Problem(unavailable(RETRY_SECONDS));

/** Bounds the requests that a process or isolate works on at once, in all and for each shard. */
export class Admission {
  readonly #monotonicMs: () => number;
  /** One shard alone can have all places. */
  readonly #shardPlaces: number;
  /** Since when each permit has its place, the longest first. */
  readonly #held = new Map<Permit, number>();
  /** Without places: callers wait until their time is over. */
  readonly #refusals: Semaphore;

  constructor({ monotonicMs, shards }: { readonly monotonicMs: () => number; readonly shards: number }) {
    this.#monotonicMs = monotonicMs;
    this.#shardPlaces = shards > 1 ? SHARD_PLACES : Number.POSITIVE_INFINITY;
    const waits = { waitingMax: REFUSALS_WAITING_MAX, waitMs: REFUSAL_MS };
    this.#refusals = new Semaphore({ places: 0, holdMs: HOLD_MS, monotonicMs, ...waits });
  }

  /** Admits or refuses a request. `shard`: where it goes, if that is known already. */
  enter(shard?: string): Permit {
    const permit = new Permit(this, shard);
    permit.isRefused = this.held >= PLACES || (shard !== undefined && !this.hasRoomIn(shard));
    if (!permit.isRefused) this.hold(permit);
    return permit;
  }

  /** Requests in progress. */
  get held(): number {
    const nowMs = this.#monotonicMs();
    for (const [permit, sinceMs] of this.#held) {
      if (nowMs - sinceMs < HOLD_MS) break;
      this.#held.delete(permit);
    }
    return this.#held.size;
  }

  hasRoomIn(shard: string): boolean {
    let places = 0;
    for (const { shards } of this.#held.keys()) if (shards.has(shard)) places += 1;
    return places < this.#shardPlaces;
  }

  hold(permit: Permit): void {
    this.#held.set(permit, this.#monotonicMs());
  }

  giveBack(permit: Permit): void {
    this.#held.delete(permit);
  }

  /** Waits as long as a refusal has to, and always for one turn of the event loop. */
  async holdRefusal(): Promise<void> {
    await this.#refusals.acquire();
    await pause(0);
  }
}

/** The admission of a process, which is made with its first request. */
export function admissionOf(services: Services): Admission {
  const known = admissions.get(services);
  if (known !== undefined) return known;
  const admission = new Admission({ monotonicMs: services.monotonicMs, shards: services.shards.size });
  admissions.set(services, admission);
  return admission;
}
const admissions = new WeakMap<Services, Admission>();

/** The place of one request. */
export class Permit {
  /** Where it works: in one shard, or a batch in several. */
  readonly shards = new Set<string>();
  readonly #admission: Admission;
  #isOver = false;
  /** Whether there was no place for it: when it came, when its body had arrived, or in a shard. */
  isRefused = false;

  constructor(admission: Admission, shard?: string) {
    this.#admission = admission;
    if (shard !== undefined) this.shards.add(shard);
  }

  /** Whether a new request would be refused. */
  get isCrowded(): boolean {
    return this.#admission.held >= PLACES;
  }

  /** Reads the request's body, and leaves the place to others meanwhile. Throws when too many are in progress then. */
  readonly body = async <Value>(read: () => Promise<Value>): Promise<Value> => {
    this.#admission.giveBack(this);
    const value = await read();
    if (this.#admission.held >= RETURNING_PLACES) {
      this.isRefused = true;
      throw OVERLOADED;
    }
    this.#return();
    return value;
  };

  /** Waits for somebody outside, and leaves the place to others meanwhile. What was begun always goes on. */
  readonly outside = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    this.#admission.giveBack(this);
    return work().finally(() => this.#return());
  };

  /** Counts the request in this shard, and no longer in the one it was sent from. Throws when the shard has no room. */
  readonly enterShard = (shard: string, sentFrom?: string): void => {
    if (sentFrom !== undefined) this.shards.delete(sentFrom);
    if (this.shards.has(shard)) return;
    if (!this.#admission.hasRoomIn(shard)) {
      this.isRefused = true;
      throw OVERLOADED;
    }
    this.shards.add(shard);
  };

  /** Gives the place back when the request has been answered. */
  release(): void {
    this.#isOver = true;
    this.#admission.giveBack(this);
  }

  #return(): void {
    if (!this.#isOver) this.#admission.hold(this);
  }
}

/** Where a request goes, as far as that is known without asking anybody. */
export function knownShard(
  { tokenCache }: Pick<Services, 'tokenCache'>,
  { authorization }: { readonly authorization: string | null },
  { token: trackingToken }: Readonly<Record<string, string>>,
): string | undefined {
  if (trackingToken !== undefined) return shardOfTrackingToken(trackingToken);
  const token = bearerOf(authorization);
  if (token === undefined) return undefined;
  const client = tokenCache.get(token);
  return client?.kind === 'company' ? client.shard : shardOfDriverToken(token);
}
