import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { AREAS } from '../../scripts/prove/mutation/areas.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');

// `npm run mutate` takes minutes and runs on demand. This checks that its tests still run.
test('the tests of each mutation area pass in the tree for mutants', async () => {
  const args = ['run', '--silent', 'mutate', '--', '--try'];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: ROOT, maxBuffer: 2 ** 24 });
  for (const area of Object.keys(AREAS)) expect(stdout).toContain(`${area}: its tests pass`);
}, 600_000);
