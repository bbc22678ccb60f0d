import { keyFaults } from './key-check.ts';
import type { Services } from './services.ts';

/**
 * Asks each database who it is, and tries each key, before the service listens. Throws with every fault. A database that does
 * not answer keeps no process from starting: the others are in service, and its identity is asked with its first request.
 */
export async function checkStart(services: Services): Promise<void> {
  const mismatches = await databaseMismatches(services);
  const faults = mismatches.length > 0 ? mismatches : await keyFaults(services);
  if (faults.length > 0) throw new Error(`The service does not start. ${faults.join('; ')}.`);
}

/** The databases that are another one than expected, with both names and what to do. */
async function databaseMismatches({ directory, shards, requestLog }: Services): Promise<string[]> {
  const stores = [directory, ...shards.values(), ...(requestLog === undefined ? [] : [requestLog])];
  const mismatches = await Promise.all(
    stores.map(async ({ database }) => {
      await database.readAll([], { isFresh: true });
      const mismatch = database.mismatch();
      return mismatch === undefined ? [] : [`${database.id}: ${mismatch}. Correct its address, its id or DEPLOYMENT`];
    }),
  );
  return mismatches.flat();
}
