import type { Database } from '../../../../db/database.ts';
import type { Person } from '../../../access/principal.ts';
import { addSeconds } from '../../../core/instant.ts';
import type { Writer } from '../../../runtime/coordination/ports.ts';
import type { Clock } from '../../../runtime/ports/clock.ts';
import { liveSession, sessionTouch } from './store.ts';

/** A session ends after half an hour without use, and after half a day in any case. */
export const IDLE_SECONDS = 30 * 60;
export const SESSION_SECONDS = 12 * 3600;
/** How exactly its last use is known. It costs a write, and ends a session that much earlier at the most. */
const TOUCH_SECONDS = 60;

export interface SessionDependencies {
  readonly directory: { readonly database: Database; readonly writer: Writer };
  readonly clock: Clock;
}

/** The person of a session that has not ended; `unknown` when the directory did not answer. */
export async function findSession(
  { directory, clock }: SessionDependencies,
  tokenHash: string,
): Promise<Person | undefined | 'unknown'> {
  const now = clock.now();
  const answer = await directory.database.read(liveSession(tokenHash, now, addSeconds(now, -IDLE_SECONDS)));
  if (!answer.ok) return 'unknown';
  const [row] = answer.rows;
  if (row === undefined) return undefined;
  const { lastSeenAt, ...person } = row;
  const before = addSeconds(now, -TOUCH_SECONDS);
  // Whether it could be written or not: the session is alive now.
  if (lastSeenAt < before) await directory.writer.commit({ statements: [sessionTouch(person.sessionId, now, before)] });
  return { kind: 'person', ...person };
}
