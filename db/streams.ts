/*
 * A stream of Hrana is a connection to SQLite that the server keeps for whoever holds its baton, for ten seconds after its
 * last batch. Opening one costs the server more than most queries do, as SQLite reads the whole schema: 3 ms of processor
 * time, where a read on an open one takes 0.3. So who asks often keeps some.
 */

/** The most that a server may have to keep open for nobody: it takes 128 connections, and reads may have 64 more of them. */
const KEPT_MAX = 48;
/** Who asks less often than this keeps none: many quiet isolates would take all of the server's connections. */
const OFTEN_MS = 50;
/** Less than the server's ten seconds. */
const IDLE_MS = 9000;
/** Of one whose answer was lost nobody has the baton: it is open until the server ends it. */
const LOST_MS = 12_000;

/** What one batch is sent on. */
export interface Stream {
  /** Names an open one; null opens one for this batch. */
  readonly baton: string | null;
  /** Whether it stays open after it. */
  readonly isKept: boolean;
}

/** The streams of one database. Batons are text: unlike connections, requests of a Worker may hand them to each other. */
export class StreamPool {
  readonly #monotonicMs: () => number;
  /** The last one was used last. */
  readonly #idle: { readonly baton: string; readonly sinceMs: number }[] = [];
  /** Kept ones that a batch is on, and until when they count if they never come back. */
  readonly #away = new Map<Stream, number>();
  #takenAtMs = Number.NEGATIVE_INFINITY;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  take(): Stream {
    const now = this.#monotonicMs();
    const isOften = now - this.#takenAtMs <= OFTEN_MS;
    this.#takenAtMs = now;
    const last = this.#idle.pop();
    if (last !== undefined && now - last.sinceMs <= IDLE_MS) return this.#send(last.baton, now);
    // Those below it have been idle for longer.
    if (last !== undefined) this.#idle.length = 0;
    this.#forgetLost(now);
    return isOften && this.#away.size < KEPT_MAX ? this.#send(null, now) : { baton: null, isKept: false };
  }

  /** The batch has been answered: `baton` is the stream's next, or undefined when it is open no more. */
  settle(stream: Stream, baton: string | undefined): void {
    if (!this.#away.delete(stream) || baton === undefined) return;
    this.#idle.push({ baton, sinceMs: this.#monotonicMs() });
  }

  /** The server does not know it: it was started again, or has ended all that were idle. */
  forget(stream: Stream): void {
    this.#away.delete(stream);
    this.#idle.length = 0;
  }

  #send(baton: string | null, now: number): Stream {
    const stream = { baton, isKept: true };
    this.#away.set(stream, now + LOST_MS);
    return stream;
  }

  #forgetLost(now: number): void {
    for (const [stream, untilMs] of this.#away) {
      if (untilMs > now) return;
      this.#away.delete(stream);
    }
  }
}
