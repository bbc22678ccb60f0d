/**
 * Enough to keep every database busy, and few enough to be answered within some seconds. Past it, each further one
 * would make all of them wait longer than the limits of their steps allow, and nobody would be answered.
 */
const REQUESTS_MAX = 384;
/** Longer than any request takes, with its body. A runtime that ends one in its midst does not say so. */
const PLACE_MS = 30_000;

/** The requests that a process works on: so many, and no more. Not those whose body is still on its way. */
export class Crowd {
  /** Until when each holds its place, the first to give it back first. */
  readonly #until = new Map<Request, number>();
  /** The same of those who stepped out. */
  readonly #outside = new WeakMap<Request, number>();

  /** Whether there is a place for it. `nowMs` only goes forward. */
  enter(request: Request, nowMs: number): boolean {
    for (const [gone, until] of this.#until) {
      if (until > nowMs) break;
      this.#until.delete(gone);
    }
    if (this.#until.size >= REQUESTS_MAX) return false;
    this.#until.set(request, nowMs + PLACE_MS);
    return true;
  }

  leave(request: Request): void {
    this.#until.delete(request);
    this.#outside.delete(request);
  }

  /** While its body is awaited, whoever sends it takes no place. He is not refused when it has come. */
  stepOut(request: Request): void {
    const until = this.#until.get(request);
    if (until === undefined) return;
    this.#until.delete(request);
    this.#outside.set(request, until);
  }

  /** Does nothing for whoever has left meanwhile, or was never let in. */
  comeBack(request: Request): void {
    const until = this.#outside.get(request);
    if (until !== undefined) this.#until.set(request, until);
    this.#outside.delete(request);
  }
}

/** Of this process or isolate. */
export const crowd = new Crowd();
