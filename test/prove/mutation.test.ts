import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { AREAS } from '../../scripts/prove/mutation/areas.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');

// `npm run mutate` takes minutes and runs on demand: what it needs of the tree must not get lost meanwhile.
test('the tests that have to notice mutants pass in the tree that mutants get', async () => {
  const args = [resolve(ROOT, 'scripts', 'prove', 'mutation', 'main.ts'), '--try'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, maxBuffer: 2 ** 24 });
  for (const area of Object.keys(AREAS)) expect(stdout).toContain(`${area}: its tests pass`);
}, 600_000);
