import { bearerOf } from '../access/authenticate.ts';
import { shardOfDriverToken } from '../access/driver-token.ts';
import { shardOfTrackingToken } from '../access/tracking-token.ts';
import { BODY_SECONDS_MAX } from '../core/limits.ts';
import { Problem } from '../core/problem.ts';
import { unavailable } from '../core/result.ts';
import { pause } from '../core/timer.ts';
import type { Services } from '../service/services.ts';

/** Requests in progress at once in a burst. A burst ends before its requests become slow, so all of it is admitted. */
const BURST_PLACES = 384;
/**
 * Requests in progress at once under overload. Two thirds of them keep every database busy; with more, each would take
 * longer than the limits of its steps when all processors are busy.
 */
const PLACES = 96;
/** A request that has released its place to read its body is refused only if this many are in progress. */
const RETURNING_PLACES = BURST_PLACES + PLACES;
/** Overload: at least this many requests are slow. Fewer slow requests may just wait for a slow routing engine. */
const SLOW_REQUESTS = 16;
const SLOW_MS = 2000;
/** How long the process counts as overloaded after the last sign of overload. */
const OVERLOAD_MS = 5000;
/** The share of the places that one shard can have: a shard that hangs must leave places for the others. */
const SHARD_SHARE = 0.75;
/** Bytes of request bodies in memory at once, half-sent ones included: 256 bodies of the usual limit for JSON. */
const BODY_BYTES_MAX = 64 * 1024 * 1024;
/**
 * Larger bodies, which only batches have, and how many of them at once: one of 4 MiB takes ten times its size while it is
 * parsed and stored, and an isolate has 128 MB. A company has one of them at most: two that arrive slowly would keep all others
 * from sending batches. Others are refused, and smaller bodies are not.
 */
const LARGE_BODY_BYTES = 1024 * 1024;
const LARGE_BODIES_MAX = 2;
/** A body that has been arriving for longer than this is ended with 503 if another one needs its room. */
const SLOW_BODY_MS = 15_000;
const RETRY_SECONDS = 2;
/**
 * How long a refusal waits: as long as the client should. It must not be sent at once: workerd polls for new I/O only when
 * nothing is left to do, so clients that repeat a refused request at once would starve all others.
 */
const REFUSAL_MS = RETRY_SECONDS * 1000;
/**
 * Refusals that wait. They take memory; further ones are sent at once. Two thousand refusals a second leave half of a
 * processor to admitted requests.
 */
const REFUSALS_WAITING_MAX = 4096;
/** Longer than any request takes. A runtime can end a request without running its `finally`. */
const HOLD_MS = 30_000;
const BODY_HOLD_MS = BODY_SECONDS_MAX * 1000 + HOLD_MS;

/** One object for all refusals, because its stack trace costs more than the rest of a refusal. */
export const OVERLOADED = new Problem(unavailable(RETRY_SECONDS));

/** Limits the concurrent requests of a process or isolate, in total and for each shard. */
export class Admission {
  readonly #monotonicMs: () => number;
  /** With a single shard, that shard can have all places. */
  readonly #shardShare: number;
  /** When each permit got its place; the first has had it for the longest. */
  readonly #held = new Map<Permit, number>();
  /** How many of them are in each shard. Counting them again for each refusal took half of its time. */
  readonly #heldIn = new Map<string, number>();
  /** Bytes of bodies for each permit, the oldest first. */
  readonly #bodies = new Map<Permit, { readonly sinceMs: number; bytes: number }>();
  #bodyBytes = 0;
  #largeBodies = 0;
  #overloadedUntilMs = Number.NEGATIVE_INFINITY;
  /** When each waiting refusal began to wait; the first has waited for the longest. */
  readonly #refusals = new Map<Permit, number>();

  constructor({ monotonicMs, shards }: { readonly monotonicMs: () => number; readonly shards: number }) {
    this.#monotonicMs = monotonicMs;
    this.#shardShare = shards > 1 ? SHARD_SHARE : 1;
  }

  /** Admits or refuses a request. `shard` is its shard, if already known. */
  enter(shard?: string): Permit {
    const permit = new Permit(this, shard);
    permit.isRefused = !this.hasRoom || (shard !== undefined && !this.hasRoomIn(shard));
    if (!permit.isRefused) this.hold(permit);
    return permit;
  }

  /** Requests in progress. */
  get held(): number {
    const nowMs = this.#monotonicMs();
    for (const [permit, sinceMs] of this.#held) {
      if (nowMs - sinceMs < HOLD_MS) break;
      this.giveBack(permit);
    }
    return this.#held.size;
  }

  /** How many requests may be in progress now. */
  get places(): number {
    const nowMs = this.#monotonicMs();
    let slow = 0;
    for (const sinceMs of this.#held.values()) {
      if (nowMs - sinceMs < SLOW_MS || slow === SLOW_REQUESTS) break;
      slow += 1;
    }
    if (slow === SLOW_REQUESTS) this.#overloadedUntilMs = nowMs + OVERLOAD_MS;
    return nowMs < this.#overloadedUntilMs ? PLACES : BURST_PLACES;
  }

  /** Whether one more request may be in progress. Requests of one shard above its share are not counted. */
  get hasRoom(): boolean {
    const { held, places } = this;
    if (held < places) return true;
    const most = Math.max(0, ...this.#heldIn.values());
    return held - Math.max(0, most - this.#shardShare * places) < places;
  }

  hasRoomIn(shard: string): boolean {
    return (this.#heldIn.get(shard) ?? 0) < this.#shardShare * this.places;
  }

  /** Counts bytes of a body until `returnBytes`; false if there is no room for them. */
  takeBytes(permit: Permit, bytes: number): boolean {
    const nowMs = this.#monotonicMs();
    for (const [lost, { sinceMs }] of this.#bodies) {
      if (nowMs - sinceMs < BODY_HOLD_MS) break;
      this.returnBytes(lost);
    }
    const body = this.#bodies.get(permit) ?? { sinceMs: nowMs, bytes: 0 };
    const becomesLarge = !isLarge(body) && isLarge({ bytes: body.bytes + bytes });
    if (!this.#makeRoom(permit, { bytes, becomesLarge, nowMs })) return false;
    if (becomesLarge) this.#largeBodies += 1;
    body.bytes += bytes;
    this.#bodyBytes += bytes;
    this.#bodies.set(permit, body);
    return true;
  }

  /** Ends slow bodies that are in the way, the oldest first. Returns whether there is room then. */
  #makeRoom(permit: Permit, { bytes, becomesLarge, nowMs }: Arriving): boolean {
    const isFull = () => this.#bodyBytes + bytes > BODY_BYTES_MAX;
    const hasRoom = () => !isFull() && (!becomesLarge || this.#hasRoomForLarge(permit));
    for (const [other, body] of this.#bodies) {
      if (hasRoom() || nowMs - body.sinceMs < SLOW_BODY_MS) break;
      // A company has one large body, so only its own one is in the way of its next.
      const isLargeInTheWay = isLarge(body) && (!this.#hasLarge(permit) || isOfSame(permit, other));
      if (other === permit || other.endBody === undefined || !(isFull() || isLargeInTheWay)) continue;
      other.endBody();
      this.returnBytes(other);
    }
    return hasRoom();
  }

  #hasRoomForLarge(permit: Permit): boolean {
    return this.#largeBodies < LARGE_BODIES_MAX && !this.#hasLarge(permit);
  }

  /** Whether the company of the permit has a large body. */
  #hasLarge(permit: Permit): boolean {
    return [...this.#bodies].some(([other, body]) => isLarge(body) && isOfSame(permit, other));
  }

  returnBytes(permit: Permit): void {
    const body = this.#bodies.get(permit);
    if (body === undefined) return;
    this.#bodyBytes -= body.bytes;
    if (isLarge(body)) this.#largeBodies -= 1;
    this.#bodies.delete(permit);
  }

  hold(permit: Permit): void {
    if (!this.#held.has(permit)) for (const shard of permit.shards) this.#count(shard, 1);
    this.#held.set(permit, this.#monotonicMs());
  }

  giveBack(permit: Permit): void {
    if (this.#held.delete(permit)) for (const shard of permit.shards) this.#count(shard, -1);
  }

  /** Call it when a permit has entered a shard (1) or left it (-1). */
  countIn(shard: string, permit: Permit, change: 1 | -1): void {
    if (this.#held.has(permit)) this.#count(shard, change);
  }

  #count(shard: string, change: 1 | -1): void {
    const held = (this.#heldIn.get(shard) ?? 0) + change;
    // The shard of a token that was not checked yet can have any name.
    if (held === 0) this.#heldIn.delete(shard);
    else this.#heldIn.set(shard, held);
  }

  /** Waits for the time of a refusal, or for one turn of the event loop if too many wait. */
  async holdRefusal(permit: Permit): Promise<void> {
    const nowMs = this.#monotonicMs();
    for (const [lost, sinceMs] of this.#refusals) {
      if (nowMs - sinceMs < HOLD_MS) break;
      this.#refusals.delete(lost);
    }
    if (this.#refusals.size >= REFUSALS_WAITING_MAX) return pause(0);
    this.#refusals.set(permit, nowMs);
    await pause(REFUSAL_MS);
    this.#refusals.delete(permit);
  }
}

/** Bytes of a body that have arrived now. */
interface Arriving {
  readonly bytes: number;
  readonly becomesLarge: boolean;
  readonly nowMs: number;
}

function isOfSame({ companyId }: Permit, other: Permit): boolean {
  return companyId !== undefined && other.companyId === companyId;
}

function isLarge({ bytes }: { readonly bytes: number }): boolean {
  return bytes > LARGE_BODY_BYTES;
}

/** The admission of a process, created at its first request. */
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
  /** The shards that the request uses; a batch can use several. */
  readonly shards = new Set<string>();
  readonly #admission: Admission;
  #isOver = false;
  /** Whether it was refused: at its start, after its body was read, or by a full shard. */
  isRefused = false;
  /** The company of its caller, once that is known. */
  companyId: string | undefined;
  /** Refuses the request while its body arrives; undefined before and after that. */
  endBody: (() => void) | undefined;

  constructor(admission: Admission, shard?: string) {
    this.#admission = admission;
    if (shard !== undefined) this.shards.add(shard);
  }

  /** Whether a new request would be refused. */
  get isCrowded(): boolean {
    return !this.#admission.hasRoom;
  }

  /** Releases the place while the body is read. `end` ends that. Throws if too many requests are in progress afterwards. */
  readonly body = async <Value>(read: () => Promise<Value>, end?: () => void): Promise<Value> => {
    this.#admission.giveBack(this);
    this.endBody =
      end &&
      (() => {
        this.isRefused = true;
        end();
      });
    const value = await read();
    this.endBody = undefined;
    if (this.#admission.held >= RETURNING_PLACES) {
      this.isRefused = true;
      throw OVERLOADED;
    }
    this.#return();
    return value;
  };

  /** Counts bytes of the request's body that have arrived. Without room for them the request is refused. */
  readonly takeBytes = (bytes: number): boolean => {
    const hasRoom = this.#admission.takeBytes(this, bytes);
    if (!hasRoom) this.isRefused = true;
    return hasRoom;
  };

  /** Releases the place and the body, which must not be needed any more, during slow work. The request always continues afterwards. */
  readonly outside = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    this.#admission.giveBack(this);
    this.#admission.returnBytes(this);
    return work().finally(() => this.#return());
  };

  /** Counts the request in this shard instead of the one it was sent from. Throws if the shard is full. */
  readonly enterShard = (shard: string, sentFrom?: string): void => {
    if (sentFrom !== undefined && this.shards.delete(sentFrom)) this.#admission.countIn(sentFrom, this, -1);
    if (this.shards.has(shard)) return;
    if (!this.#admission.hasRoomIn(shard)) {
      this.isRefused = true;
      throw OVERLOADED;
    }
    this.shards.add(shard);
    this.#admission.countIn(shard, this, 1);
  };

  /** Names the company for which a large body counts. */
  readonly enterCompany = (companyId: string): void => {
    this.companyId = companyId;
  };

  /** Releases the place after the response. */
  release(): void {
    this.#isOver = true;
    this.#admission.giveBack(this);
    this.#admission.returnBytes(this);
  }

  #return(): void {
    if (!this.#isOver) this.#admission.hold(this);
  }
}

/** The shard of a request, if it is known without a query. */
export function knownShard(
  { tokenCache }: Pick<Services, 'tokenCache'>,
  { authorization }: { readonly authorization: string | null },
  { token: trackingToken }: Readonly<Record<string, string>>,
): string | undefined {
  if (trackingToken !== undefined) return shardOfTrackingToken(trackingToken);
  const token = bearerOf(authorization);
  if (token === undefined) return undefined;
  const client = tokenCache.get(token)?.principal;
  return client?.kind === 'company' ? client.shard : shardOfDriverToken(token);
}
