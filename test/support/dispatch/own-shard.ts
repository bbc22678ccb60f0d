import { afterAll, beforeEach } from 'vitest';
import { openShard } from '../../../scripts/shared/dispatch/shard.ts';

/** A shard for all tests of a file, at whose top this is awaited: empty before each of them, closed after the last. */
export async function ownShard() {
  const shard = await openShard();
  afterAll(() => shard.close());
  beforeEach(() => shard.clear());
  return { shard, process: shard.process() };
}
