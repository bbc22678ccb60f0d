import { MinuteWindows } from '../core/minute-windows.ts';
import type { Budget, Limiter } from '../ports/limiter.ts';

/**
 * Counts uses in the memory of this process. Each budget has its own room for identities, so invented client ids at the
 * token endpoint cannot displace authenticated clients.
 */
export function memoryLimiter(
  monotonicMs: () => number,
  allowances: Readonly<Record<Budget, number>>,
  identitiesMax?: number,
): Limiter {
  const windowsOf = new Map<Budget, MinuteWindows>();
  return {
    take(budget, identity) {
      const windows = windowsOf.get(budget) ?? new MinuteWindows(monotonicMs, identitiesMax);
      windowsOf.set(budget, windows);
      const { used, endsInSeconds } = windows.count(identity);
      const left = { uses: Math.max(0, allowances[budget] - used), seconds: endsInSeconds };
      if (used <= allowances[budget]) return Promise.resolve({ ok: true, left });
      return Promise.resolve({ ok: false, retryAfterSeconds: endsInSeconds, left });
    },
  };
}
