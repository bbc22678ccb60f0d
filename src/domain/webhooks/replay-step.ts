import type { DeliveryDependencies } from './delivery.ts';
import { nextToReplay, type ReplayRow, replayAdvance, unattemptedOf } from './replay-store.ts';

/**
 * Deliveries that a replay queues at once, so at most this many of them wait. More are queued as these are attempted.
 */
const BATCH = 100;

/**
 * Queues the next part of a replay. Returns true if it did, false while earlier deliveries are not attempted yet, and
 * undefined if the database did not answer. Each part and its cursor are one unit, so nothing is queued twice.
 */
export async function continueReplay(
  { database, writer, clock, random }: DeliveryDependencies,
  replay: ReplayRow,
): Promise<boolean | undefined> {
  const answer = await database.readAll([unattemptedOf(replay.id, BATCH), nextToReplay(replay, BATCH)] as const);
  if (!answer.ok) return undefined;
  const [untried, next] = answer.results;
  if (untried.length >= BATCH) return false;
  const now = clock.now();
  const isLast = next.length < BATCH;
  const last = next.at(-1);
  const statements = replayAdvance({
    replayId: replay.id,
    cursorPosition: replay.cursorPosition,
    nextAt: last?.createdAt ?? replay.cursorAt,
    nextPosition: last?.position ?? replay.cursorPosition,
    positions: next.map(({ position }) => Number(position)),
    state: isLast ? 'COMPLETED' : 'RUNNING',
    completedAt: isLast ? now : null,
    likeId: random.uuid(),
    now,
  });
  const { status } = await writer.commit({ statements });
  if (status === 'invalid') throw new Error('The SQL of a replay is wrong');
  // Refused: another queue of the endpoint was faster and did the same work.
  return status === 'committed' || status === 'refused' ? true : undefined;
}
