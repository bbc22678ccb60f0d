import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { PROVE_SIZES } from '../../scripts/prove/sizes.ts';

/** A million steps take two idle processors a minute. A busy machine takes longer. */
const TIMEOUT_MS = 1_200_000;
const SIMULATE = resolve(import.meta.dirname, '..', '..', 'scripts', 'prove', 'simulation', 'simulate.ts');
/** Node loads the markup of the pages through this hook. */
const TSX = resolve(SIMULATE, '..', 'tsx.ts');

test(
  'a million steps break no rule',
  async () => {
    const steps = PROVE_SIZES.simulationSteps;
    // What is rare needs more worlds with some versions of the service than with others.
    const command = ['--import', TSX, SIMULATE, '--steps', String(steps), '--steps-max', String(2 * steps)];
    // If a world breaks a rule, the command prints the rule and its seed, and fails.
    const { stdout } = await promisify(execFile)(process.execPath, command).catch((error: { stdout: string }) => error);
    expect(stdout).not.toContain('BROKEN');
    expect(stdout).not.toContain('never seen');
    const taken = /(\d+) steps in \d+ worlds with \d+ shipments/.exec(stdout)?.[1];
    expect(Number(taken)).toBeGreaterThanOrEqual(steps);
  },
  TIMEOUT_MS,
);
