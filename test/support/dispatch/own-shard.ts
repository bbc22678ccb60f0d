import { afterAll, beforeEach } from 'vitest';
import { openShard } from './shard.ts';

/** A shard for all tests of a file that awaits this at its top: emptied before each test, closed after the last. */
export async function ownShard() {
  const shard = await openShard();
  afterAll(() => shard.close());
  beforeEach(() => shard.clear());
  return { shard, process: shard.process() };
}
