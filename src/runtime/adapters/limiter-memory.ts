import { toMillis } from '../../core/instant.ts';
import type { Clock } from '../ports/clock.ts';
import type { Budget, Limiter } from '../ports/limiter.ts';

const WINDOW_MS = 60_000;
/** Some 100 bytes each. Past it all counts start anew: kinder than refusing strangers. */
const IDENTITIES_MAX = 50_000;

/** Counts in fixed windows of a minute, in this process alone. */
export function memoryLimiter(clock: Clock, allowances: Readonly<Record<Budget, number>>): Limiter {
  const windows = new Map<string, { startedAtMs: number; used: number }>();
  return {
    take(budget, identity) {
      const nowMs = toMillis(clock.now());
      const key = `${budget} ${identity}`;
      const known = windows.get(key);
      if (known === undefined || nowMs - known.startedAtMs >= WINDOW_MS) {
        if (windows.size >= IDENTITIES_MAX) windows.clear();
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
