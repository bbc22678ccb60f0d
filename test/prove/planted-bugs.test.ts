import { expect, test, vi } from 'vitest';
import { PLANTED_BUGS } from '../../scripts/prove/simulation/planted-bugs.ts';
import { Objection, RULES } from '../../scripts/prove/simulation/rules/objection.ts';
import { runWorld } from '../../scripts/prove/simulation/run-world.ts';

/* The simulation itself: each rule is broken once, and says so by its name. */

vi.setConfig({ testTimeout: 120_000 });

/** As many steps as the rarest of them needs, in one of these worlds: in which, any change of the service may change. */
const STEPS = 12_000;
const SEEDS = [7, 8, 9, 10, 11, 12];

async function firstFailure(planted: Omit<(typeof PLANTED_BUGS)[number], 'bug' | 'rules'> = {}): Promise<unknown> {
  for (const seed of SEEDS) {
    const { failure } = await runWorld({ seed, ...planted }, STEPS);
    if (failure !== undefined) return failure.error;
  }
  return undefined;
}

test('without a bug nothing is objected to', async () => {
  expect(await firstFailure()).toBeUndefined();
});

test.each(PLANTED_BUGS)('$bug', async ({ rules, bug: _, ...planted }) => {
  const error = await firstFailure(planted);
  expect(error).toBeInstanceOf(Objection);
  expect(rules).toContain(error instanceof Objection ? error.rule : undefined);
});

test('there is a bug for every rule', () => {
  const broken = new Set(PLANTED_BUGS.flatMap(({ rules }) => rules));
  expect([...broken].toSorted()).toEqual(Object.keys(RULES).toSorted());
});
