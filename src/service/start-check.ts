import type { Services } from './services.ts';

/**
 * Asks each database who it is, before the service listens. Throws if another one answers, with both names. A database that
 * does not answer keeps no process from starting: the others are in service, and its identity is asked with its first request.
 */
export async function requireIdentities({ directory, shards, requestLog }: Services): Promise<void> {
  const stores = [directory, ...shards.values(), ...(requestLog === undefined ? [] : [requestLog])];
  const mismatches = await Promise.all(
    stores.map(async ({ database }) => {
      await database.readAll([], { isFresh: true });
      const mismatch = database.mismatch();
      return mismatch === undefined ? [] : [`${database.id}: ${mismatch}`];
    }),
  );
  const faults = mismatches.flat();
  if (faults.length === 0) return;
  throw new Error(`The service does not start with these databases. ${faults.join('; ')}. Correct their addresses.`);
}
