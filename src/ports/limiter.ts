/** The rate limit that a call counts against. */
export type Budget = 'reads' | 'writes' | 'estimates' | 'tokens' | 'tracking';

/** Counts uses in a window of a minute. */
export interface Limiter {
  take(budget: Budget, identity: string): Promise<{ ok: true } | { ok: false; retryAfterSeconds: number }>;
}
