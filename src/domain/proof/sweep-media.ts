import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Documents } from '../../ports/documents.ts';
import { inRounds } from '../delete-past.ts';
import { settle } from '../settle.ts';
import { expiredProofMediaDelete, proofMediaDue, proofMediaExpiry } from './media-store.ts';

/** Pictures in one round, and rounds in one sweep: a thousand pictures a minute. */
const AT_ONCE = 100;
const ROUNDS_MAX = 10;

/**
 * Removes the pictures of one shard that are kept no longer, or were never stored. It deletes the object before the row, because an object
 * without a row would never be found.
 */
export async function sweepProofMedia({
  database,
  writer,
  clock,
  documents,
}: {
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly documents: Pick<Documents, 'removeAll'>;
}): Promise<void> {
  await inRounds(ROUNDS_MAX, async () => {
    const now = clock.now();
    const due = await database.read(proofMediaDue(now, AT_ONCE));
    if (!due.ok || due.rows.length === 0) return 'done';
    const ids = due.rows.map(({ id }) => id);
    const expired = settle(await writer.commit({ statements: [proofMediaExpiry(ids, now)] }));
    if (!expired.ok || !expired.value) return 'done';
    if ((await documents.removeAll(due.rows.map(({ objectKey }) => objectKey))) !== 'removed') return 'done';
    return settle(await writer.commit({ statements: [expiredProofMediaDelete(ids)] })).ok ? 'more' : 'done';
  });
}
