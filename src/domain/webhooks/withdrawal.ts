import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import { pause } from '../../core/timer.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { EndpointWaker } from '../../ports/webhook.ts';
import type { EventConfig } from '../events/record.ts';
import { leasedBefore, queueEndpoint } from './delivery-store.ts';

/*
 * Promise: once a change of an endpoint is answered, no request to its old address or with its old secret begins, or the
 * answer says how many may still be in flight. The change calls the endpoint's queue, which compares versions in memory. The
 * leases in the database show what is in flight in every process, including a queue that the call did not reach.
 */

/** How long an answer may take for this, and how much of it the queue may use. */
const ANSWER_MS = 1000;
const WAIT_MS = 900;

export interface WithdrawalDependencies {
  readonly database: Database;
  readonly clock: CompanyClock;
  readonly endpointWaker: EndpointWaker;
  readonly config: EventConfig;
}

/**
 * Call it after a change was committed. Returns the number of deliveries that some queue may still be sending as it was
 * before. With `isUrgent: false` it does not wait: the requests that have begun are still right.
 */
export async function withdrawRequests(
  { database, clock, endpointWaker, config }: WithdrawalDependencies,
  scope: CompanyScope,
  { endpointId, isUrgent = true }: { readonly endpointId: Uuid; readonly isUrgent?: boolean },
): Promise<number> {
  const found = await database.read(queueEndpoint(endpointId));
  const [row] = found.ok ? found.rows : [];
  if (row === undefined) return UNKNOWN;
  const change = { version: row.version, waitMs: isUrgent ? WAIT_MS : 0 };
  const sending = await Promise.race([endpointWaker.withdraw(scope.shard, endpointId, change), pause(ANSWER_MS)]);
  // Most deliveries with a first lease are not being sent. Only the queue knows which.
  const known = typeof sending === 'number' ? (config.firstLease?.holder ?? null) : null;
  const leased = await database.read(leasedBefore(endpointId, row.version, clock.wall.now(), known));
  return leased.ok ? (leased.rows[0]?.count ?? 0) + (sending ?? 0) : UNKNOWN;
}

/** The database did not answer after the change, so at least one request may be in flight. */
const UNKNOWN = 1;
