export const BUDGETS = ['reads', 'writes', 'estimates', 'tokens', 'tracking'] as const;
/** The rate limit that a call counts against. */
export type Budget = (typeof BUDGETS)[number];

/** What the present window has left. */
export interface Left {
  readonly uses: number;
  /** Until the window ends; at least 1. */
  readonly seconds: number;
}

/** The answer to one use. `left` is undefined if the platform does not report counts. */
export type Taken = ({ readonly ok: true } | { readonly ok: false; readonly retryAfterSeconds: number }) & {
  readonly left?: Left;
};

/** Counts uses in a window of a minute. */
export interface Limiter {
  take(budget: Budget, identity: string): Promise<Taken>;
}
