import type { Services } from '../runtime/services.ts';

/** A burst is let in whole, up to here: it is over before it has lasted. */
const BURST_MAX = 384;
/**
 * A crowd that lasts: enough to keep every database busy, and few enough to be answered within some seconds. Past it,
 * each further one would make all of them wait longer than the limits of their steps allow, and nobody would be answered.
 */
const STANDING_MAX = 128;
/** A crowd whose first has been inside for longer than this is no burst. */
const BURST_MS = 2000;
/** Longer than any request takes, with its body. A runtime that ends one in its midst does not say so. */
const PLACE_MS = 30_000;

/** What one shard may have of the places: it may hang, and the others are to be answered all the same. */
const SHARD_SHARE = 0.75;

/** The requests that a process works on: so many, and no more. Not those whose body is still on its way. */
export class Crowd {
  /** Since when each has been inside, about the first before the others. */
  readonly #inside = new Map<Place, number>();
  readonly #inShards = new Map<string, number>();

  /** A place, or undefined when there is none. `nowMs` only goes forward. */
  enter(nowMs: number): Place | undefined {
    for (const [gone, since] of this.#inside) {
      if (nowMs - since < PLACE_MS) break;
      gone.leave();
    }
    return this.#inside.size < this.#placesAt(nowMs) ? new Place(this, nowMs) : undefined;
  }

  #placesAt(nowMs: number): number {
    const [first = nowMs] = this.#inside.values();
    return nowMs - first > BURST_MS ? STANDING_MAX : BURST_MAX;
  }

  add(place: Place, sinceMs: number): void {
    this.#inside.set(place, sinceMs);
  }

  remove(place: Place): void {
    this.#inside.delete(place);
  }

  /** Counts one more that is at work in a shard, unless the shard has its share of the places. */
  enterShard(shard: string, nowMs: number): boolean {
    const already = this.#inShards.get(shard) ?? 0;
    if (already >= SHARD_SHARE * this.#placesAt(nowMs)) return false;
    this.#inShards.set(shard, already + 1);
    return true;
  }

  leaveShard(shard: string): void {
    this.#inShards.set(shard, (this.#inShards.get(shard) ?? 1) - 1);
  }
}

/** What one request holds of a crowd. */
export class Place {
  readonly #crowd: Crowd;
  readonly #sinceMs: number;
  #shard: string | undefined;
  #isOver = false;

  constructor(crowd: Crowd, sinceMs: number) {
    this.#crowd = crowd;
    this.#sinceMs = sinceMs;
    this.comeBack();
  }

  /** While its body is awaited, whoever sends it takes no place. */
  stepOut(): void {
    this.#crowd.remove(this);
  }

  /** Nobody is refused when his body has come. */
  comeBack(): void {
    if (!this.#isOver) this.#crowd.add(this, this.#sinceMs);
  }

  /** Whether its shard has room for it. The calls of one request count once, in the shard of the first. */
  goTo(shard: string, nowMs: number): boolean {
    if (this.#isOver || this.#shard !== undefined) return true;
    if (!this.#crowd.enterShard(shard, nowMs)) return false;
    this.#shard = shard;
    return true;
  }

  leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#crowd.remove(this);
    if (this.#shard !== undefined) this.#crowd.leaveShard(this.#shard);
  }
}

const crowds = new WeakMap<Services, Crowd>();
const places = new WeakMap<Request, Place>();

/** Lets a request in, if its process or isolate has a place for it. */
export function enter(request: Request, services: Services): Place | undefined {
  const crowd = crowds.get(services) ?? new Crowd();
  crowds.set(services, crowd);
  const place = crowd.enter(services.monotonicMs());
  if (place !== undefined) places.set(request, place);
  return place;
}

/** That of a request which was let in. */
export function placeOf(request: Request): Place | undefined {
  return places.get(request);
}
