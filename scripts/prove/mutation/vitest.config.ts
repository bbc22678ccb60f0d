import { matchesGlob, relative, resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { AREAS } from './areas.ts';

const ROOT = resolve(import.meta.dirname, '..', '..', '..');
const tests = AREAS[process.env['MUTATION_AREA'] ?? '']?.tests ?? [];

/** In the order they are listed: the quick ones first, so that most mutants never wait for the others. */
class Listed extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) =>
      tests.findIndex((pattern) => matchesGlob(relative(ROOT, moduleId), pattern));
    return Promise.resolve(files.toSorted((one, other) => placeOf(one) - placeOf(other)));
  }
}

/** The tests that the mutants of an area have to get past. */
export default defineConfig({
  root: ROOT,
  cacheDir: resolve(ROOT, '.local', 'mutation', 'vite'),
  test: {
    include: [...tests],
    env: { SHARDS_IN_MEMORY: 'yes' },
    // Importing costs more than all that is tested: a mutant would wait for it once a file.
    isolate: false,
    // Of drizzle and zod hundreds of files.
    deps: { optimizer: { ssr: { enabled: true, include: ['drizzle-orm', 'drizzle-orm/sqlite-core', 'zod', 'jose'] } } },
    sequence: { sequencer: Listed },
    // A slow machine must not pass for a test that noticed.
    testTimeout: 20_000,
  },
});
