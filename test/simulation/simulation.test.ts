import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { runWorld } from '../../scripts/prove/simulation/run-world.ts';

/** A million steps take two free processors a minute; whoever shares them waits longer. */
vi.setConfig({ testTimeout: 1_200_000 });

const SIMULATE = resolve(import.meta.dirname, '..', '..', 'scripts', 'prove', 'simulation', 'simulate.ts');
/** Pages are a part of the service, and Node loads their markup by a hook. */
const TSX = resolve(SIMULATE, '..', 'tsx.ts');
const STEPS = 1_000_000;

test('the same seed lives the same life, another one another', async () => {
  const [first, again, other] = [
    await runWorld({ seed: 5 }, 5000),
    await runWorld({ seed: 5 }, 5000),
    await runWorld({ seed: 6 }, 5000),
  ];
  expect(again.digest).toBe(first.digest);
  expect(again.steps).toBe(first.steps);
  expect(other.digest).not.toBe(first.digest);
});

test('a million steps break no rule', async () => {
  const command = ['--import', TSX, SIMULATE, '--seed', '1', '--steps', String(STEPS)];
  // Of a world that broke a rule it tells all there is to know, and fails.
  const { stdout } = await promisify(execFile)(process.execPath, command).catch((error: { stdout: string }) => error);
  expect(stdout).not.toContain('BROKEN');
  expect(stdout).not.toContain('never seen');
  const steps = /(\d+) steps in \d+ worlds with \d+ shipments/.exec(stdout)?.[1];
  expect(Number(steps)).toBeGreaterThanOrEqual(STEPS);
});
