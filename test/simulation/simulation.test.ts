import { expect, test, vi } from 'vitest';
import { runWorld } from '../../scripts/prove/simulation/run-world.ts';
import { TEST_SIZES } from '../../scripts/prove/sizes.ts';

/* A million steps, and the bugs that each rule must find, are in test/prove. */

vi.setConfig({ testTimeout: 120_000 });

test('one seed gives one run, another seed gives another', async () => {
  const [first, again, other] = [
    await runWorld({ seed: 5 }, 1000),
    await runWorld({ seed: 5 }, 1000),
    await runWorld({ seed: 6 }, 1000),
  ];
  expect(again.digest).toBe(first.digest);
  expect(again.steps).toBe(first.steps);
  expect(other.digest).not.toBe(first.digest);
});

test('20,000 steps break no rule', async () => {
  const { failure, steps } = await runWorld({ seed: 1 }, TEST_SIZES.simulationSteps);
  expect(failure).toBeUndefined();
  expect(steps).toBeGreaterThanOrEqual(TEST_SIZES.simulationSteps);
});
