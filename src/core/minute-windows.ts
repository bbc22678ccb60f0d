import { fnv1aOf } from './text.ts';

interface Window {
  readonly startedAtMs: number;
  used: number;
}

/** What an identity has used in its present window of a minute. */
export interface Uses {
  readonly used: number;
  /** When the window ends, at least 1. */
  readonly endsInSeconds: number;
}

const WINDOW_MS = 60_000;
/** Identities with their own window. A window takes about 200 bytes. */
const IDENTITIES_MAX = 50_000;
/** Windows that the identities past `IDENTITIES_MAX` share. */
const SHARED_WINDOWS = 1024;

/**
 * Counts uses in fixed windows of a minute, in this process only. It uses monotonic time, so a correction of the wall
 * clock does not change the length of a window.
 *
 * Every call has constant cost, and a live window is never evicted: a caller who invents identities cannot reset
 * anyone's count. When there is no room for one more identity, the newcomers share a fixed number of windows.
 */
export class MinuteWindows {
  readonly #windows = new Map<string, Window>();
  readonly #monotonicMs: () => number;
  readonly #identitiesMax: number;

  constructor(monotonicMs: () => number, identitiesMax = IDENTITIES_MAX) {
    this.#monotonicMs = monotonicMs;
    this.#identitiesMax = identitiesMax;
  }

  /** Counts one use. The result contains it. */
  count(identity: string): Uses {
    const nowMs = this.#monotonicMs();
    this.#forgetEnded(nowMs);
    const key = this.#keyOf(identity);
    const window = this.#liveWindow(key, nowMs) ?? { startedAtMs: nowMs, used: 0 };
    if (window.used === 0) {
      // Removed first, because the order of the map must be the order in which windows start and end.
      this.#windows.delete(key);
      this.#windows.set(key, window);
    }
    window.used += 1;
    return usesOf(window, nowMs);
  }

  /** The uses so far. It counts none. */
  look(identity: string): Uses {
    const nowMs = this.#monotonicMs();
    return usesOf(this.#liveWindow(this.#keyOf(identity), nowMs) ?? { startedAtMs: nowMs, used: 0 }, nowMs);
  }

  #keyOf(identity: string): string {
    const hasRoom = this.#windows.has(identity) || this.#windows.size < this.#identitiesMax;
    return hasRoom ? identity : sharedKeyOf(identity);
  }

  #liveWindow(key: string, nowMs: number): Window | undefined {
    const window = this.#windows.get(key);
    return window !== undefined && isLive(window, nowMs) ? window : undefined;
  }

  /** Removes at most two expired windows, the oldest first. Each call adds at most one, so the map shrinks. */
  #forgetEnded(nowMs: number): void {
    let looked = 0;
    for (const [key, window] of this.#windows) {
      if (looked === 2 || isLive(window, nowMs)) return;
      this.#windows.delete(key);
      looked += 1;
    }
  }
}

function isLive({ startedAtMs }: Window, nowMs: number): boolean {
  return nowMs - startedAtMs < WINDOW_MS;
}

function usesOf({ startedAtMs, used }: Window, nowMs: number): Uses {
  return { used, endsInSeconds: Math.max(1, Math.ceil((startedAtMs + WINDOW_MS - nowMs) / 1000)) };
}

/** The leading space prevents a clash with identities, which begin with none. */
function sharedKeyOf(identity: string): string {
  return ` ${fnv1aOf(identity) % SHARED_WINDOWS}`;
}
