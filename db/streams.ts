/*
 * A Hrana stream is a connection to SQLite that the server keeps open for ten seconds after its last batch. A batch that
 * sends the stream's baton uses it again. Opening a stream costs the server nearly 3 ms of processor time, because SQLite
 * reads the whole schema; a read takes 0.3 ms. So a process that reads often keeps some streams open.
 */

/** Per process or isolate. The server allows 128 connections in total: 48 kept, 64 concurrent reads and a commit are 113. */
const KEPT_MAX = 48;
/**
 * "Often" is ten reads in 200 ms. A process that reads less often keeps no stream open and closes an idle one with each
 * read. Otherwise many quiet isolates would occupy all connections, each for ten seconds.
 */
const OFTEN_TIMES = 10;
const OFTEN_MS = 200;
/** Less than the server's ten seconds. */
const IDLE_MS = 9000;
/** The server fixes the sync setting of a connection and its limits when it opens it. Both may have changed since. */
const LIFE_MS = 10_000;
/**
 * After this time, a stream whose answer never came is certainly closed: the longest read, and the server's ten (at
 * most eleven) seconds.
 */
const LOST_MS = 14_000;
/** How long no stream is kept after the server had no free connection. */
const PAUSE_MS = 12_000;

/** The stream on which one batch is sent. */
export interface Stream {
  /** Identifies an open stream; null opens a new one. */
  readonly baton: string | null;
  /** Whether the stream stays open after the batch. */
  readonly isKept: boolean;
}

/** A stream that is opened for one batch and closed after it. */
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

/** The streams of one database. Requests of a Worker cannot share connections, but they can share batons, which are text. */
export class StreamPool {
  readonly #monotonicMs: () => number;
  /** In order of last use: the first has been idle for the longest. */
  #idle: Idle[] = [];
  /** Streams in use, and streams whose batch was never answered; the first was taken earliest. */
  readonly #away = new Map<Stream, Away>();
  /** When the last ten streams were taken. */
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

  /** Call it after the batch was answered: the next batch may use the stream with this baton. */
  giveBack(stream: Stream, baton: string): void {
    const away = this.#away.get(stream);
    if (away === undefined) return;
    this.#away.delete(stream);
    this.#idle.push({ baton, openedAtMs: away.openedAtMs, sinceMs: this.#monotonicMs() });
  }

  /** Call it if the stream is closed or was never opened. */
  drop(stream: Stream): void {
    this.#away.delete(stream);
  }

  /** Call it if the server does not know the stream. It has restarted, so streams that were idle then are gone as well. */
  forget(stream: Stream): void {
    const takenAtMs = this.#away.get(stream)?.takenAtMs ?? Number.NEGATIVE_INFINITY;
    this.#away.delete(stream);
    this.#idle = this.#idle.filter(({ sinceMs }) => sinceMs > takenAtMs);
  }

  /** Call it if the server has no free connection: each idle stream is closed with its next batch. */
  pause(): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#monotonicMs() + PAUSE_MS);
  }

  /** Call it if the server redirects to another one, or does not report whether a transaction is open. */
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

/** For batches that each need a new connection. */
export const NONE_KEPT = new StreamPool(() => 0);
NONE_KEPT.stopKeeping();
