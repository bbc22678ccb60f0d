import type { TestShard } from './test-shard.ts';

export type { TestShard } from './test-shard.ts';

/**
 * A shard on real sqld, or in memory: quick tests and mutation tests would wait for the server most of their time. Neither
 * module is loaded before it is needed.
 */
export async function openShard(): Promise<TestShard> {
  if (process.env['SHARDS_IN_MEMORY'] === 'yes') return (await import('./memory-shard.ts')).openMemoryShard();
  return (await import('./served-shard.ts')).openServedShard();
}
