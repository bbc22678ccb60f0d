import { sendBatch } from '../../db/hrana.ts';
import { identityStep, isMismatch, mismatchOf } from '../../db/identity.ts';
import type { DatabaseOfService } from './database-addresses.ts';
import { SetupError } from './setup-error.ts';

/** A database that hangs must not hold up the refusal of another one. */
const TIMEOUT_MS = 10_000;

type Send = (url: string, init: RequestInit) => Promise<Response>;
type Asked = Pick<DatabaseOfService, 'kind' | 'id' | 'deployment' | 'url' | 'authToken'>;

/**
 * Asks a database who it is before a command writes to it. Throws if it is another one, and names both. `mayBeNew` accepts a
 * database without tables: its baseline will say who it is.
 */
export async function requireIdentity(database: Asked, mayBeNew?: 'mayBeNew', send: Send = fetch): Promise<void> {
  const { url, authToken, kind, id } = database;
  let failure = 'no answer';
  const report = (reason: string) => {
    failure = reason;
  };
  const connection = { url, authToken, fetch: send, report };
  const reply = await sendBatch(connection, [identityStep()], TIMEOUT_MS);
  if (reply.status !== 'answered') {
    throw new SetupError(
      `The ${kind} at ${url} did not answer (${failure}). Nothing was changed. Check that it runs, and that this is its address for requests, not its admin address.`,
    );
  }
  if (mayBeNew !== undefined && isMismatch(reply.errors[0])) return;
  const mismatch = mismatchOf(database, reply, 0);
  if (mismatch === undefined) return;
  throw new SetupError(
    `${url} is another database: ${mismatch}. Nothing was changed. Correct the address of ${id}, its id or DEPLOYMENT.`,
  );
}
