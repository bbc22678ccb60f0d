import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { environment } from '../../src/service/config.ts';

const WRANGLER = readFileSync(resolve(import.meta.dirname, '..', '..', 'wrangler.toml'), 'utf8');
const BINDING = /name = "RATE_LIMIT_(\w+)"\n.*\nsimple = \{ limit = (\d+), period = (\d+) \}/g;

test('wrangler.toml has the same rate limits for Workers as the configuration has for Deno', () => {
  const bound = [...WRANGLER.matchAll(BINDING)].map(([, budget = '', limit, period]) => [
    budget.toLowerCase(),
    { limit: Number(limit), period: Number(period) },
  ]);
  const { reads, writes, estimates, tokens, tracking } = environment.shape.RATE_LIMITS.parse(undefined);
  const configured = Object.entries({ reads, writes, estimates, tokens, tracking });
  expect(Object.fromEntries(bound)).toEqual(
    Object.fromEntries(configured.map(([budget, limit]) => [budget, { limit, period: 60 }])),
  );
  // Every binding is in a form that this test reads.
  expect(bound).toHaveLength(WRANGLER.match(/\[\[ratelimits\]\]/g)?.length ?? 0);
});
