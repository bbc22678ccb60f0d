import { matchesGlob, relative, resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { AREAS } from './areas.ts';

const ROOT = resolve(import.meta.dirname, '..', '..', '..');
const tests = AREAS[process.env['MUTATION_AREA'] ?? '']?.tests ?? [];

/** Runs the tests in the listed order: quick ones first, because most mutants are noticed by them. */
class Listed extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) =>
      tests.findIndex((pattern) => matchesGlob(relative(ROOT, moduleId), pattern));
    return Promise.resolve(files.toSorted((one, other) => placeOf(one) - placeOf(other)));
  }
}

/** The tests of one area. */
export default defineConfig({
  root: ROOT,
  cacheDir: resolve(ROOT, '.local', 'mutation', 'vite'),
  test: {
    include: [...tests],
    env: { SHARDS_IN_MEMORY: 'yes' },
    // Importing takes longer than the tests, and isolation would repeat it for each file.
    isolate: false,
    // Bundles hundreds of files of drizzle and zod.
    deps: { optimizer: { ssr: { enabled: true, include: ['drizzle-orm', 'drizzle-orm/sqlite-core', 'zod', 'jose'] } } },
    sequence: { sequencer: Listed },
    // A slow machine must not count as a noticed mutant.
    testTimeout: 20_000,
  },
});
