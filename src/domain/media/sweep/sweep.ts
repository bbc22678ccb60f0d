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

/** Looked at in one round, and rounds in one sweep: a thousand a minute. */
const AT_ONCE = 100;
const ROUNDS_MAX = 10;
/** Nobody can be told of a picture any more when the event that lists it is forgotten. */
const KEPT_MICROS = BigInt(EVENTS_KEPT_SECONDS) * 1_000_000n;

/**
 * Removes pictures of one shard that never became READY, whose shipment never came, or whose shipment's event is
 * forgotten. A row goes after its object: one that is gone would leave the object where nobody looks.
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
