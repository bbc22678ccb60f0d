import type { Database } from '../../../../db/database.ts';
import type { Writer } from '../../../../db/writer.ts';
import { EVENTS_KEPT_SECONDS } from '../../../core/limits.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Documents } from '../../../ports/documents.ts';
import { inRounds } from '../../delete-past.ts';
import { settle } from '../../settle.ts';
import { expiredKeysOf, expiredMediaDelete, mediaDue, mediaExpiry } from './store.ts';

export interface MediaSweepDependencies {
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly documents: Pick<Documents, 'removeAll'>;
}

/** Pictures in one round, and rounds in one sweep: a thousand pictures a minute. */
const AT_ONCE = 100;
const ROUNDS_MAX = 10;
/** When the event that lists a picture is deleted, merchants can no longer find the picture. */
const KEPT_MICROS = BigInt(EVENTS_KEPT_SECONDS) * 1_000_000n;

/**
 * Removes pictures of one shard that never became READY, have no shipment in time, or whose shipment's event is deleted.
 * It deletes the object before the row, because an object without a row would never be found.
 */
export async function sweepMedia({ database, writer, clock, documents }: MediaSweepDependencies): Promise<void> {
  await inRounds(ROUNDS_MAX, async () => {
    const now = clock.now();
    const due = await database.read(mediaDue(now, AT_ONCE));
    if (!due.ok || due.rows.length === 0) return 'done';
    const ids = due.rows.map(({ id }) => id);
    if (!settle(await writer.commit({ statements: mediaExpiry(ids, now, KEPT_MICROS) })).ok) return 'done';
    const expired = await database.read(expiredKeysOf(ids));
    if (!expired.ok) return 'done';
    const keys = expired.rows.map(({ objectKey }) => objectKey);
    if (keys.length > 0) {
      if ((await documents.removeAll(keys)) !== 'removed') return 'done';
      if (!settle(await writer.commit({ statements: [expiredMediaDelete(ids)] })).ok) return 'done';
    }
    return 'more';
  });
}
