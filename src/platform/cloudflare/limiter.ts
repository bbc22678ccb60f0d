import type { Budget, Limiter } from '../../ports/limiter.ts';

/** A rate limiting binding of Cloudflare. It counts in its own period, for all isolates of a location. */
export interface RateLimitBinding {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}

/** The period in wrangler.toml. The binding does not say when to retry; one period is always long enough. */
const PERIOD_SECONDS = 60;

/** Counts with Cloudflare's bindings. wrangler.toml contains their limits. */
export function cloudflareLimiter(bindings: Readonly<Record<Budget, RateLimitBinding>>): Limiter {
  return {
    async take(budget, identity) {
      const { success } = await bindings[budget].limit({ key: identity });
      return success ? { ok: true } : { ok: false, retryAfterSeconds: PERIOD_SECONDS };
    },
  };
}
