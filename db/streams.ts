/*
 * A stream of Hrana is a connection to SQLite that the server keeps for whoever holds its baton, for ten seconds after its
 * last batch. Opening one costs the server nearly 3 ms of processor time, as SQLite reads the whole schema, where a read
 * takes 0.3. So who asks often keeps some.
 */

/** Of this process or isolate. The server takes 128 connections from all: these, 64 reads at once and a commit are 113. */
const KEPT_MAX = 48;
/**
 * Often is ten times in 200 ms. Who asks less often keeps none, and closes an idle one with each read: many quiet isolates
 * would take all connections, each for ten seconds.
 */
const OFTEN_TIMES = 10;
const OFTEN_MS = 200;
/** Less than the server's ten seconds. */
const IDLE_MS = 9000;
/** What syncs, and how many connections it counts for, the server decides when it opens one: it may be otherwise by now. */
const LIFE_MS = 10_000;
/** Of one that nobody has the baton of: the longest read, and the server's ten seconds, which may be eleven. */
const LOST_MS = 14_000;
/** How long none is kept when the server has none to give. */
const PAUSE_MS = 12_000;

/** What one batch is sent on. */
export interface Stream {
  /** Names an open one; null opens one for this batch. */
  readonly baton: string | null;
  /** Whether it stays open after it. */
  readonly isKept: boolean;
}

/** Opened for one batch, and closed with it. */
export const ONCE: Stream = { baton: null, isKept: false };

interface Idle {
  readonly baton: string;
  readonly openedAtMs: number;
  readonly sinceMs: number;
}
interface Away {
  readonly openedAtMs: number;
  readonly takenAtMs: number;
}

/** The streams of one database. Batons are text: unlike connections, requests of a Worker may hand them to each other. */
export class StreamPool {
  readonly #monotonicMs: () => number;
  /** The last one was used last, the first has been idle for the longest. */
  #idle: Idle[] = [];
  /** Those that a batch is on, and those that never came back, the longest away first. */
  readonly #away = new Map<Stream, Away>();
  /** When the last ten were taken. */
  readonly #takenAtMs: number[] = [];
  #pausedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  take(): Stream {
    const now = this.#monotonicMs();
    this.#takenAtMs.push(now);
    if (this.#takenAtMs.length > OFTEN_TIMES) this.#takenAtMs.shift();
    const isOften = this.#takenAtMs.length === OFTEN_TIMES && now - (this.#takenAtMs[0] ?? 0) <= OFTEN_MS;
    const mayKeep = isOften && now >= this.#pausedUntilMs;
    this.#forgetEnded(now);
    const last = this.#idle.pop();
    if (last === undefined && (!mayKeep || this.#away.size >= KEPT_MAX)) return ONCE;
    const openedAtMs = last?.openedAtMs ?? now;
    const stream = { baton: last?.baton ?? null, isKept: mayKeep && now - openedAtMs < LIFE_MS };
    this.#away.set(stream, { openedAtMs, takenAtMs: now });
    return stream;
  }

  /** Its batch has been answered, and the next may go on it, with this baton. */
  giveBack(stream: Stream, baton: string): void {
    const away = this.#away.get(stream);
    if (away === undefined) return;
    this.#away.delete(stream);
    this.#idle.push({ baton, openedAtMs: away.openedAtMs, sinceMs: this.#monotonicMs() });
  }

  /** It is closed, or was never opened. */
  drop(stream: Stream): void {
    this.#away.delete(stream);
  }

  /** The server does not know it: nor those that were idle when it was taken, as it was started again. */
  forget(stream: Stream): void {
    const takenAtMs = this.#away.get(stream)?.takenAtMs ?? Number.NEGATIVE_INFINITY;
    this.#away.delete(stream);
    this.#idle = this.#idle.filter(({ sinceMs }) => sinceMs > takenAtMs);
  }

  /** The server has no connection to give: what is idle here is closed with its next batch. */
  pause(): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#monotonicMs() + PAUSE_MS);
  }

  /** The next request may reach another server, or the server does not speak of all that is asked here. */
  stopKeeping(): void {
    this.#pausedUntilMs = Number.POSITIVE_INFINITY;
  }

  #forgetEnded(now: number): void {
    while (now - (this.#idle[0]?.sinceMs ?? now) > IDLE_MS) this.#idle.shift();
    for (const [stream, { takenAtMs }] of this.#away) {
      if (now - takenAtMs < LOST_MS) return;
      this.#away.delete(stream);
    }
  }
}

/** For batches that each get a connection of their own. */
export const NONE_KEPT = new StreamPool(() => 0);
NONE_KEPT.stopKeeping();
