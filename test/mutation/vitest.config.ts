import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { AREAS } from './areas.ts';

/** The tests that the mutants of an area have to get past. */
export default defineConfig({
  root: resolve(import.meta.dirname, '..', '..'),
  cacheDir: resolve(import.meta.dirname, '..', '..', '.data', 'mutation', 'vite'),
  test: {
    include: [...(AREAS[process.env['MUTATION_AREA'] ?? '']?.tests ?? [])],
    env: { SHARDS_IN_MEMORY: 'yes' },
    // Importing costs more than all that is tested: a mutant would wait for it once a file.
    isolate: false,
    // Of drizzle and zod hundreds of files.
    deps: { optimizer: { ssr: { enabled: true, include: ['drizzle-orm', 'drizzle-orm/sqlite-core', 'zod', 'jose'] } } },
  },
});
