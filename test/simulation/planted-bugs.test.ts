import { expect, test, vi } from 'vitest';
import { PLANTED_BUGS } from './planted-bugs.ts';
import { Objection, RULES } from './rules/objection.ts';
import { runWorld } from './run-world.ts';

/* The simulation itself: each rule is broken once, and says so by its name. */

vi.setConfig({ testTimeout: 120_000 });

/** As many steps as the rarest of them needs. */
const STEPS = 12_000;
const SEED = 7;

test('without a bug nothing is objected to', async () => {
  const { failure } = await runWorld({ seed: SEED }, STEPS);
  expect(failure).toBeUndefined();
});

test.each(PLANTED_BUGS)('$bug', async ({ rules, ...planted }) => {
  const { failure } = await runWorld({ seed: SEED, ...planted }, STEPS);
  const error = failure?.error;
  expect(error).toBeInstanceOf(Objection);
  expect(rules).toContain(error instanceof Objection ? error.rule : undefined);
});

test('there is a bug for every rule', () => {
  const broken = new Set(PLANTED_BUGS.flatMap(({ rules }) => rules));
  expect([...broken].toSorted()).toEqual(Object.keys(RULES).toSorted());
});
