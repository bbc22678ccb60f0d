import type { Routing } from '../../ports/routing.ts';

/** Production without a routing engine: a price must never rest on a guess, so there is no answer. */
export const noRouting: Routing = {
  engine: 'none',
  findRoute: () => Promise.resolve({ ok: false, reason: 'unavailable' }),
};
