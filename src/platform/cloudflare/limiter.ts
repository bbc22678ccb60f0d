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
  const fault = limitFault(limits);
  if (fault !== undefined) throw new Error(`The environment is not usable. ${fault}`);
  return {
    async take(budget, identity) {
      const { success } = await bindings[budget].limit({ key: identity });
      return success ? { ok: true } : { ok: false, retryAfterSeconds: PERIOD_SECONDS };
    },
  };
}

/** The first limit that is not the one of wrangler.toml, as `RATE_LIMITS.reads: reason`. */
export function limitFault(limits: Readonly<Record<Budget, number>>): string | undefined {
  const wrong = BUDGETS.find((budget) => limits[budget] !== RATE_LIMITS[budget]);
  return wrong === undefined ? undefined : `RATE_LIMITS.${wrong}: the limit of wrangler.toml is ${RATE_LIMITS[wrong]}`;
}
