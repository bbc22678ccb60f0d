import type { Database } from '../../db/database.ts';
import type { Writer } from '../../db/writer.ts';
import { OPERATOR_QUEUES } from '../contract/operator-shipment.ts';
import { addSeconds, type Instant, toMillis } from '../core/instant.ts';
import { BATCHES_KEPT_DAYS, EVENTS_KEPT_SECONDS, EXCHANGES_KEPT_SECONDS, PICKUP_LATE_SECONDS } from '../core/limits.ts';
import { longestWindow, type RegistryDependencies } from '../domain/addresses/registry.ts';
import { expiredAddresses, oldCalls } from '../domain/addresses/registry-store.ts';
import { oldBatches } from '../domain/batches/store.ts';
import { USES_KEPT_SECONDS } from '../domain/challenges/limit.ts';
import { oldChallenges, oldCodes, oldUses } from '../domain/challenges/store.ts';
import { expiredRevocations } from '../domain/credentials/store.ts';
import { deletePast } from '../domain/delete-past.ts';
import { putSilentOffDuty, type SilenceDependencies } from '../domain/drivers/silence.ts';
import { expiredDriverSessions, oldRecipientLooks } from '../domain/drivers/store.ts';
import { oldEvents } from '../domain/events/upkeep-store.ts';
import { expiredKeys } from '../domain/idempotency/store.ts';
import type { InvitingDependencies } from '../domain/people/identifier.ts';
import { finishRecoveries } from '../domain/people/recovery/recovery.ts';
import { idleSince } from '../domain/people/session/session.ts';
import { idleSessions } from '../domain/people/session/store.ts';
import { type OnboardingSweepDependencies, sweepRegistrations } from '../domain/registrations/sweep/sweep.ts';
import { expiredRows } from '../domain/request-log/store.ts';
import { caseQueueSize } from '../domain/shipments/case-store.ts';
import { rememberedRecipients } from '../domain/shipments/forget-store.ts';
import { queueSize } from '../domain/shipments/operator-store.ts';
import {
  backlog,
  endpointsWaiting,
  goneEndpoints,
  movedEndpointsWaiting,
  oldDeliveries,
  oldExchanges,
  oldReplays,
} from '../domain/webhooks/upkeep-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Config } from './config.ts';
import type { WakeEndpoint } from './delivery-bell.ts';

export { sweepMedia } from '../domain/media-assets/sweep/sweep.ts';
export { sweepProofMedia } from '../domain/proof/sweep-media.ts';

export interface HousekeepDependencies extends SilenceDependencies {
  readonly config: Pick<Config, 'recipientRetentionDays' | 'deployment'>;
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly wakeEndpoint: WakeEndpoint;
}

/** How long a shard records which driver saw a recipient's data: long enough for any complaint about a delivery. */
const LOOKS_KEPT_SECONDS = 180 * 24 * 3600;
const DAY_SECONDS = 24 * 3600;

/**
 * Wakes endpoints with due deliveries, measures what waits, deletes expired rows and forgets recipients. `isThorough`: also deletes
 * rows that have no index by time.
 */
export async function housekeepShard(dependencies: HousekeepDependencies, isThorough = true): Promise<void> {
  const { database, clock, config, wakeEndpoint } = dependencies;
  const now = clock.now();
  const waiting = await database.readAll([endpointsWaiting(now), backlog(now)] as const);
  if (waiting.ok) {
    const [endpoints, [open]] = waiting.results;
    measureBacklog(dependencies, now, open);
    await Promise.all(endpoints.map(({ id }) => wakeEndpoint(id)));
  }
  if (config.deployment !== 'production') {
    const moved = await database.read(movedEndpointsWaiting(now));
    if (moved.ok) await Promise.all(moved.rows.map(({ id }) => wakeEndpoint(id)));
  }
  await putSilentOffDuty(dependencies);
  await measureOperatorQueues(dependencies, now);
  await measureCases(dependencies, now);
  const before = addSeconds(now, -EVENTS_KEPT_SECONDS);
  const [exchangesOfDeliveries, exchangesOfAttempts] = oldExchanges(addSeconds(now, -EXCHANGES_KEPT_SECONDS));
  await deletePast(dependencies, [
    expiredKeys(now),
    oldReplays(before),
    exchangesOfAttempts,
    goneEndpoints(),
    ...oldBatches(addSeconds(now, -BATCHES_KEPT_DAYS * DAY_SECONDS)),
    expiredDriverSessions(now),
    oldRecipientLooks(addSeconds(now, -LOOKS_KEPT_SECONDS)),
    rememberedRecipients(addSeconds(now, -config.recipientRetentionDays * DAY_SECONDS), now),
  ]);
  if (isThorough) await deletePast(dependencies, [oldEvents(before), oldDeliveries(before), exchangesOfDeliveries]);
}

/**
 * How often a sweep is thorough. It skips through every company's types of events, which are a hundred thousand rows at a large
 * shard, and in this time at most some ten thousand rows grow too old.
 */
export const THOROUGH_SECONDS = 600;

function measureBacklog(
  { metrics, database }: HousekeepDependencies,
  now: Instant,
  open: { readonly deliveries: number; readonly oldestDueAt: Instant | null } | undefined,
): void {
  const { deliveries = 0, oldestDueAt = null } = open ?? {};
  metrics.set('webhook_backlog', [deliveries, secondsSince(oldestDueAt, now)], [database.id]);
}

/** Measures the queues of operators, so that an alarm tells somebody who does not have the page open. */
async function measureOperatorQueues({ metrics, database }: HousekeepDependencies, now: Instant): Promise<void> {
  const late = addSeconds(now, -PICKUP_LATE_SECONDS);
  const answer = await database.readAll(OPERATOR_QUEUES.map((queue) => queueSize(queue, late)));
  if (!answer.ok) return;
  for (const [index, queue] of OPERATOR_QUEUES.entries()) {
    const { shipments = 0, since = null } = answer.results[index]?.[0] ?? {};
    metrics.set('operator_queue', [shipments, secondsSince(since, now)], [database.id, queue]);
  }
}

/** Measures what operators owe to complaints. The law gives a time for it. */
async function measureCases({ metrics, database }: HousekeepDependencies, now: Instant): Promise<void> {
  const answer = await database.read(caseQueueSize(now));
  if (!answer.ok) return;
  const { owed = 0, overdue = 0, since = null } = answer.rows[0] ?? {};
  const seconds = overdue === 0 ? 0 : secondsSince(since, now);
  metrics.set('operator_cases', [owed, overdue, seconds], [database.id]);
}

function secondsSince(instant: Instant | null, now: Instant): number {
  return instant === null ? 0 : (toMillis(now) - toMillis(instant)) / 1000;
}

/** A challenge is valid for 15 minutes. Codes are kept for a day, so that problems can be investigated. */
const CODES_KEPT_SECONDS = 24 * 3600;

/**
 * Deletes expired rows: revocations of expired tokens, sessions, counters, old one-time codes, addresses, drafts of registrations, logged
 * requests.
 * Finishes interrupted registrations.
 */
export async function sweepDirectory(
  dependencies: OnboardingSweepDependencies &
    Omit<InvitingDependencies, 'later'> & {
      readonly config: RegistryDependencies['config'];
      readonly requestLog?: Pick<HousekeepDependencies, 'database' | 'writer'> | undefined;
    },
): Promise<void> {
  const { directory, clock } = dependencies;
  const now = clock.now();
  const before = addSeconds(now, -CODES_KEPT_SECONDS);
  await deletePast({ ...directory, clock }, [
    expiredRevocations(now),
    oldChallenges(before),
    oldCodes(before),
    oldUses(addSeconds(now, -USES_KEPT_SECONDS)),
    idleSessions(idleSince(now)),
    expiredAddresses(now),
    oldCalls(addSeconds(now, -longestWindow(dependencies.config))),
  ]);
  await sweepRegistrations(dependencies);
  await finishRecoveries(dependencies);
  // Last, because nothing else waits for it.
  if (dependencies.requestLog !== undefined)
    await deletePast({ database: dependencies.requestLog.database, writer: dependencies.requestLog.writer, clock }, [
      expiredRows(now),
    ]);
}
