import type { Database } from '../../db/database.ts';
import type { PastRows } from '../../db/past-rows.ts';
import type { Writer } from '../../db/writer.ts';
import { addSeconds } from '../core/instant.ts';
import type { Clock } from '../ports/clock.ts';

export interface DeletePastDependencies {
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: Clock;
}

/**
 * Requests to the database in one call. An invocation of a Durable Object may make 1,000 in all, and a sweep has two calls. With nine
 * kinds of rows that all have a backlog, this deletes 17,500 rows of each; with three, 43,500. A busy shard creates 33,000
 * idempotency keys a minute, and they may wait for the next one.
 */
const REQUESTS_MAX = 350;
/** The next sweep starts after a minute. */
const SECONDS_MAX = 45;

/**
 * Deletes expired rows in batches, until none is left or the budget is used. Each kind has its own units: if one fails,
 * it is left to the next call and does not stop the others.
 */
export async function deletePast(
  { database, writer, clock }: DeletePastDependencies,
  kinds: readonly PastRows[],
): Promise<void> {
  const until = addSeconds(clock.now(), SECONDS_MAX);
  let requests = 0;
  let left = kinds;
  await inRounds(REQUESTS_MAX, async () => {
    const found = await database.readAll(left.map(({ some }) => some));
    if (!found.ok) return 'done';
    const waiting = left.flatMap((kind, index) => {
      const rows = found.results[index] ?? [];
      return rows.length > 0 ? [{ kind, rows }] : [];
    });
    requests += 1 + waiting.length;
    left = [];
    for (const { kind, rows } of waiting) {
      const { status } = await writer.commit({ statements: kind.deletion(rows) });
      if (status === 'committed') left = [...left, kind];
    }
    const isOver = left.length === 0 || requests >= REQUESTS_MAX || clock.now() >= until;
    return isOver ? 'done' : 'more';
  });
}

/**
 * Runs up to `roundsMax` rounds, one after the other, until a round reports that it is done. A failed round counts as
 * done.
 */
export async function inRounds(roundsMax: number, round: () => Promise<'more' | 'done'>): Promise<void> {
  for (let number = 1; number <= roundsMax; number += 1) if ((await round()) === 'done') return;
}
