import { RATE_LIMITS } from '../../core/limits.ts';
import { BUDGETS, type Budget, type Limiter } from '../../ports/limiter.ts';

/** A rate limiting binding of Cloudflare. It counts in its own period, for all isolates of a location. */
export interface RateLimitBinding {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}

/** The period in wrangler.toml. The binding does not say when to retry; one period is always long enough. */
const PERIOD_SECONDS = 60;

/**
 * Counts with Cloudflare's bindings. wrangler.toml contains their limits, which a Worker cannot read. Throws if
 * `limits` are others, because responses would announce limits that are not enforced.
 */
export function cloudflareLimiter(
  bindings: Readonly<Record<Budget, RateLimitBinding>>,
  limits: Readonly<Record<Budget, number>>,
): Limiter {
  const wrong = BUDGETS.find((budget) => limits[budget] !== RATE_LIMITS[budget]);
  if (wrong !== undefined) {
    const rule = `RATE_LIMITS.${wrong}: the limit of wrangler.toml is ${RATE_LIMITS[wrong]}`;
    throw new Error(`The environment is not usable. ${rule}`);
  }
  return {
    async take(budget, identity) {
      const { success } = await bindings[budget].limit({ key: identity });
      return success ? { ok: true } : { ok: false, retryAfterSeconds: PERIOD_SECONDS };
    },
  };
}
