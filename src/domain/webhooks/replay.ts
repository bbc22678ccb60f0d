import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Recovery, ReplayRequest, WebhookDelivery, WebhookReplay } from '../../contract/webhook.ts';
import { addSeconds, formatInstant, type Instant, instantOrNull } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { REPLAY_DAYS_MAX, REPLAY_MATCHED_MAX } from '../../core/limits.ts';
import { ok, type Result, refuse, unavailable, type Violation } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import type { EndpointWaker } from '../../ports/webhook.ts';
import { auditOf, commitChange } from '../audit/change.ts';
import { type Bind, unbound } from '../idempotency/once.ts';
import { readEndpoint } from './endpoint.ts';
import { presentDelivery } from './log.ts';
import { deliveryById, oldestMissed } from './log-store.ts';
import {
  deliveryReplayed,
  matchedInRange,
  type ReplayRow,
  replayById,
  replayInsert,
  replayOutcomes,
} from './replay-store.ts';

export interface ReplayDependencies {
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: CompanyClock;
  readonly random: Random;
  readonly endpointWaker: EndpointWaker;
}

/** Sends one delivery's event to the same endpoint again, as a new delivery with the same webhook-id. */
export async function replayDelivery(
  dependencies: ReplayDependencies,
  scope: CompanyScope,
  deliveryId: Uuid,
  bind: Bind<WebhookDelivery> = unbound,
): Promise<Result<WebhookDelivery>> {
  const { database, clock, random, endpointWaker } = dependencies;
  const found = await database.read(deliveryById(scope, deliveryId));
  if (!found.ok) return unavailable();
  const [replayed] = found.rows;
  if (replayed === undefined) return refuse('RESOURCE_NOT_FOUND');
  const { endpointId } = replayed;
  const ready = await requireEnabled(database, scope, endpointId);
  if (!ready.ok) return ready;
  const id = random.uuid();
  const now = clock.now();
  const fresh = { status: 'PENDING', attemptCount: 0, nextAttemptAt: now, createdAt: now, completedAt: null } as const;
  const delivery = presentDelivery({ ...replayed, ...fresh, id, replayOf: deliveryId });
  const statements = [deliveryReplayed(scope, { id, replayOf: deliveryId, now })];
  const settled = await commitChange(dependencies, {
    unit: await bind({ statements }, delivery),
    audit: auditOf(dependencies, scope, {
      action: 'webhook_delivery.replayed',
      subject: deliveryId,
      at: now,
      detail: { endpointId },
    }),
  });
  if (!settled.ok) return settled;
  // The endpoint was deleted or disabled meanwhile, or the event is too old to be sent.
  if (!settled.value) return refuse('RESOURCE_NOT_FOUND');
  await endpointWaker.wake(scope.shard, endpointId);
  return ok(delivery);
}

const RANGE_SECONDS_MAX = REPLAY_DAYS_MAX * 24 * 3600;
const EVERY_END = ['SUCCEEDED', 'EXHAUSTED', 'SKIPPED'] as const;

export interface StartedReplay {
  readonly replayId: string;
  readonly matched: number;
}

/**
 * Starts a replay of an endpoint's deliveries between two instants; the endpoint's queue continues it. An endpoint has
 * one replay at a time, so that two replays do not flood a receiver after an outage.
 */
export async function startReplay(
  dependencies: ReplayDependencies,
  scope: CompanyScope,
  { endpointId, from, to, statuses }: ReplayRequest & { readonly endpointId: Uuid },
  bind: Bind<StartedReplay> = unbound,
): Promise<Result<StartedReplay>> {
  const { database, clock, random, endpointWaker } = dependencies;
  const now = clock.now();
  const faults = rangeFaults(from, to);
  if (faults.length > 0) return refuse('VALIDATION_FAILED', { violations: faults });
  const ready = await requireEnabled(database, scope, endpointId);
  if (!ready.ok) return ready;
  // Later events are sent anyway.
  const toAt = to < now ? to : now;
  const range = { endpointId, fromAt: from, toAt, statuses: JSON.stringify(statuses ?? EVERY_END) };
  const counted = await database.read(matchedInRange(scope, range, REPLAY_MATCHED_MAX + 1));
  if (!counted.ok) return unavailable();
  const matched = counted.rows[0]?.matched ?? 0;
  if (matched > REPLAY_MATCHED_MAX) {
    const violation = {
      field: 'to',
      code: 'OUT_OF_RANGE',
      limit: `a range of at most ${REPLAY_MATCHED_MAX} deliveries`,
    } as const;
    return refuse('VALIDATION_FAILED', { violations: [violation] });
  }
  const id = random.uuid();
  const begin = { queued: 0, cursorAt: from, cursorPosition: 0, createdAt: now, completedAt: null };
  const insert = replayInsert(scope, { id, ...range, state: 'RUNNING', matched, ...begin });
  const started = { replayId: id, matched };
  const settled = await commitChange(dependencies, {
    unit: await bind({ statements: [insert] }, started),
    audit: auditOf(dependencies, scope, {
      action: 'webhook_endpoint.replayed',
      subject: endpointId,
      at: now,
      detail: { replayId: id, matched },
    }),
  });
  if (!settled.ok) return settled;
  if (!settled.value) return refuse('REPLAY_IN_PROGRESS');
  await endpointWaker.wake(scope.shard, endpointId);
  return ok(started);
}

function rangeFaults(from: Instant, to: Instant): Violation[] {
  if (to <= from) return [{ field: 'to', code: 'OUT_OF_RANGE', limit: 'later than from' }];
  if (to > addSeconds(from, RANGE_SECONDS_MAX))
    return [{ field: 'to', code: 'OUT_OF_RANGE', limit: 'at most 7 days after from' }];
  return [];
}

async function requireEnabled(database: Database, scope: CompanyScope, endpointId: Uuid): Promise<Result<void>> {
  const found = await readEndpoint(database, scope, endpointId);
  if (!found.ok) return found;
  const { state } = found.value;
  return state === 'ENABLED' ? ok(undefined) : refuse('INVALID_STATE_TRANSITION', { members: { currentState: state } });
}

const MISSED = JSON.stringify(['EXHAUSTED', 'SKIPPED']);
/** A range that starts now and ends later must stay within the longest one, so there is time to confirm it. */
const CONFIRM_SECONDS = 600;

/**
 * What a replay of failed and skipped deliveries would send, from an instant until now. Without one it starts at the oldest
 * delivery of the longest range whose event the endpoint still misses.
 */
export async function readRecovery(
  { database, clock }: Pick<ReplayDependencies, 'database' | 'clock'>,
  scope: CompanyScope,
  { endpointId, from }: { readonly endpointId: Uuid; readonly from?: Instant | undefined },
): Promise<Result<Recovery>> {
  const found = await readEndpoint(database, scope, endpointId);
  if (!found.ok) return found;
  const now = clock.now();
  const since = addSeconds(now, CONFIRM_SECONDS - RANGE_SECONDS_MAX);
  let fromAt = from;
  if (fromAt !== undefined && fromAt < since) {
    const limit = `at most ${REPLAY_DAYS_MAX} days ago`;
    return refuse('VALIDATION_FAILED', { violations: [{ field: 'from', code: 'OUT_OF_RANGE', limit }] });
  }
  if (fromAt === undefined) {
    const oldest = await database.read(oldestMissed(scope, endpointId, since));
    if (!oldest.ok) return unavailable();
    fromAt = oldest.rows[0]?.createdAt;
  }
  if (fromAt === undefined) return ok({ from: null, matched: 0 });
  const counted = await database.read(
    matchedInRange(scope, { endpointId, fromAt, toAt: now, statuses: MISSED }, REPLAY_MATCHED_MAX + 1),
  );
  return counted.ok ? ok({ from: formatInstant(fromAt), matched: counted.rows[0]?.matched ?? 0 }) : unavailable();
}

/** The progress of a replay. */
export async function readReplay(
  database: Database,
  scope: CompanyScope,
  { endpointId, replayId }: { readonly endpointId: Uuid; readonly replayId: Uuid },
): Promise<Result<WebhookReplay>> {
  const answer = await database.readAll([
    replayById(scope, endpointId, replayId),
    replayOutcomes(scope, replayId),
  ] as const);
  if (!answer.ok) return unavailable();
  const [[row], outcomes] = answer.results;
  if (row === undefined) return refuse('RESOURCE_NOT_FOUND');
  const countOf = (status: string) => outcomes.find((outcome) => outcome.status === status)?.count ?? 0;
  return ok(presentReplay(row, countOf));
}

function presentReplay(row: ReplayRow, countOf: (status: string) => number): WebhookReplay {
  return {
    replayId: row.id,
    endpointId: row.endpointId,
    from: formatInstant(row.fromAt),
    to: formatInstant(row.toAt),
    statuses: parseStored<WebhookReplay['statuses']>(row.statuses),
    state: row.state,
    matched: row.matched,
    queued: row.queued,
    succeeded: countOf('SUCCEEDED'),
    exhausted: countOf('EXHAUSTED'),
    createdAt: formatInstant(row.createdAt),
    completedAt: instantOrNull(row.completedAt),
  };
}
