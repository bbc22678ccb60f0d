import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The tests that mutants have to get past: those of the deciding files that need no server beside them. */
export default defineConfig({
  root: resolve(import.meta.dirname, '..', '..'),
  test: {
    include: [
      'test/unit/access/*.test.ts',
      'test/unit/client/{list-all,retry,verify-webhook}.test.ts',
      'test/unit/core/json.test.ts',
      'test/unit/dispatch/{charges,late-process,together,transitions}.test.ts',
      'test/unit/domain/{dispatch-plan,lifecycle}.test.ts',
      'test/unit/runtime/group-committer.test.ts',
      'test/unit/webhooks/{queue,receivers,signature}.test.ts',
    ],
    env: { SHARDS_IN_MEMORY: 'yes' },
    // Importing costs more than all that is tested: a mutant would wait for it once a file.
    isolate: false,
  },
});
