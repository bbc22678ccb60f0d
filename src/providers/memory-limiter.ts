import { toMillis } from '../core/instant.ts';
import type { Clock } from '../ports/clock.ts';
import type { Budget, Limiter } from '../ports/limiter.ts';

interface Window {
  readonly startedAtMs: number;
  used: number;
}

const WINDOW_MS = 60_000;
/** Some 200 bytes each. */
const IDENTITIES_MAX = 50_000;

/** Makes room: windows that are over first, and the oldest where that is not enough. */
function forgetOver(windows: Map<string, Window>, nowMs: number): void {
  for (const [key, { startedAtMs }] of windows) {
    if (nowMs - startedAtMs >= WINDOW_MS || windows.size >= IDENTITIES_MAX) windows.delete(key);
  }
}

/** Counts in fixed windows of a minute, in this process alone. */
export function memoryLimiter(clock: Clock, allowances: Readonly<Record<Budget, number>>): Limiter {
  const windows = new Map<string, Window>();
  return {
    take(budget, identity) {
      const nowMs = toMillis(clock.now());
      const key = `${budget} ${identity}`;
      const known = windows.get(key);
      if (known === undefined || nowMs - known.startedAtMs >= WINDOW_MS) {
        if (windows.size >= IDENTITIES_MAX) forgetOver(windows, nowMs);
        windows.set(key, { startedAtMs: nowMs, used: 1 });
        return Promise.resolve({ ok: true });
      }
      known.used += 1;
      if (known.used <= allowances[budget]) return Promise.resolve({ ok: true });
      const retryAfterSeconds = Math.max(1, Math.ceil((known.startedAtMs + WINDOW_MS - nowMs) / 1000));
      return Promise.resolve({ ok: false, retryAfterSeconds });
    },
  };
}
