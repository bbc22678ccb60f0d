import { expect, test, vi } from 'vitest';
import { rulesOf } from '../../scripts/prove/rules/promises.ts';
import { RuleBroken } from '../../scripts/prove/simulation/check/rule-broken.ts';
import { runWorld } from '../../scripts/prove/simulation/run-world.ts';
import { PLANTED_BUGS } from './lies/planted-bugs.ts';

/* Negative controls of the simulation: for each of its rules there is a bug, and the rule notices it. */

vi.setConfig({ testTimeout: 480_000 });

/**
 * Each bug shows within this many steps of one of these worlds. Which world depends on the service. Without a bug
 * simulation.test.ts runs the same worlds, and longer.
 */
const STEPS = 12_000;
const SEEDS = Array.from({ length: 24 }, (_, index) => 7 + index);

async function firstFailure(planted: Omit<(typeof PLANTED_BUGS)[number], 'bug' | 'rules'>): Promise<unknown> {
  for (const seed of SEEDS) {
    const { failure } = await runWorld({ seed, ...planted }, STEPS);
    if (failure !== undefined) return failure.error;
  }
  return undefined;
}

test.each(PLANTED_BUGS)('$bug', async ({ rules, bug: _, ...planted }) => {
  const error = await firstFailure(planted);
  expect(error).toBeInstanceOf(RuleBroken);
  expect(rules).toContain(error instanceof RuleBroken ? error.rule : undefined);
});

test('every rule of the simulation has a planted bug', () => {
  const broken = new Set(PLANTED_BUGS.flatMap(({ rules }) => rules));
  expect([...broken].toSorted()).toEqual(rulesOf('simulation').toSorted());
});
