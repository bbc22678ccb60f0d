import type { Services } from '../runtime/services.ts';

/**
 * Enough to keep every database busy, and few enough to be answered within some seconds. Past it, each further one
 * would make all of them wait longer than the limits of their steps allow, and nobody would be answered.
 */
const REQUESTS_MAX = 384;
/** Longer than any request takes, with its body. A runtime that ends one in its midst does not say so. */
const PLACE_MS = 30_000;

/** The requests that a process works on: so many, and no more. Not those whose body is still on its way. */
export class Crowd {
  /** Until when each place is held, about the first to come free first. */
  readonly #inside = new Map<Place, number>();

  /** A place, or undefined when there is none. `nowMs` only goes forward. */
  enter(nowMs: number): Place | undefined {
    for (const [gone, until] of this.#inside) {
      if (until > nowMs) break;
      this.#inside.delete(gone);
    }
    if (this.#inside.size >= REQUESTS_MAX) return undefined;
    return new Place(this.#inside, nowMs + PLACE_MS);
  }
}

/** What one request holds of a crowd. */
export class Place {
  readonly #inside: Map<Place, number>;
  readonly #until: number;
  #isOver = false;

  constructor(inside: Map<Place, number>, until: number) {
    this.#inside = inside;
    this.#until = until;
    this.comeBack();
  }

  /** While its body is awaited, whoever sends it takes no place. */
  stepOut(): void {
    this.#inside.delete(this);
  }

  /** Nobody is refused when his body has come. */
  comeBack(): void {
    if (!this.#isOver) this.#inside.set(this, this.#until);
  }

  leave(): void {
    this.#isOver = true;
    this.#inside.delete(this);
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
