import type { Database } from '../../../db/database.ts';
import type { WriteStatement } from '../../../db/statement.ts';
import type { EventNotice, Writer } from '../../../db/writer.ts';
import type { DeliveryStatus } from '../../contract/event-type.ts';
import type { Deployment } from '../../core/deployment.ts';
import { addMillis, type Instant, toMillis } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Clock, CompanyClock } from '../../ports/clock.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { Random } from '../../ports/random.ts';
import { type ClockBook, realClock } from '../clocks/company-clock.ts';
import { recordEvent } from '../events/record.ts';
import { type Attempt, type AttemptDependencies, attemptOnce } from './attempt.ts';
import { disableDueAt, isFailingTooLong, isGone, nextAttemptAfter } from './attempt-result.ts';
import {
  attemptCounted,
  autoDisable,
  type ClaimedDelivery,
  claimedDeliveries,
  deletedEventsSkipped,
  deliveriesSkipped,
  leaseTaken,
  nextDeliveries,
  queueEndpoint,
  type Settlement,
  settlementStatements,
} from './delivery-store.ts';
import { sealExchange } from './exchange.ts';
import { type ReplayRow, replayCancelled, runningReplay } from './replay-store.ts';
import type { EndpointRow } from './store.ts';
import { presentEndpoint } from './view.ts';

/*
 * Promise: every delivery is sent until a receiver accepts it or its schedule ends, even if processes stop in between. A
 * queue leases a delivery before it sends it, so two queues of one endpoint do not send it at the same time. Only the
 * queue with the lease records the outcome. A delivery may be sent twice, but it is never left out.
 */

/** What a queue needs before it knows whose endpoint it has. */
export interface QueueDependencies extends Omit<AttemptDependencies, 'clock'> {
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly clockBook: ClockBook;
  readonly random: Random;
  readonly metrics: Metrics;
  /** Whether this company's sandbox has asked that deliveries fail. */
  readonly isDown: (companyId: Uuid) => Promise<boolean>;
  readonly config: AttemptDependencies['config'] & { readonly deployment: Deployment };
}

/** The same with the clock of the company. */
export type DeliveryDependencies = Omit<QueueDependencies, 'clock'> & { readonly clock: CompanyClock };

/** An endpoint and its waiting work. */
export interface Look {
  readonly endpoint: EndpointRow | undefined;
  /** The clock of its company. */
  readonly clock: CompanyClock;
  /** The real time at which the next delivery can be leased or the endpoint is disabled; null if nothing waits. */
  readonly dueAt: Instant | null;
  /** Whether the endpoint has failed too long. Only sandboxes do not wait for one more failure. */
  readonly isOverdue: boolean;
  /** The deliveries that can be leased now, by position. */
  readonly free: readonly number[];
  /** The replay to continue, if one is running. */
  readonly replay: ReplayRow | undefined;
}

/** Undefined if the database did not answer. */
export async function lookAtQueue(
  { database, clock: wall, clockBook, config }: QueueDependencies,
  endpointId: Uuid,
): Promise<Look | undefined> {
  const answer = await database.readAll([
    queueEndpoint(endpointId),
    nextDeliveries(endpointId),
    runningReplay(endpointId),
  ] as const);
  if (!answer.ok) return undefined;
  const [[endpoint], next, [replay]] = answer.results;
  const found = endpoint === undefined ? undefined : await clockBook.clockOf(database, endpoint.companyId);
  if (found?.ok === false) return undefined;
  const clock = found?.value ?? realClock(wall);
  const [now, askedAt] = [clock.now(), wall.now()];
  const freeAts = next.map(({ nextAttemptAt, leaseUntil }) =>
    leaseUntil !== null && leaseUntil > askedAt ? leaseUntil : clock.wallAt(nextAttemptAt ?? now),
  );
  const isEnabled = endpoint?.state === 'ENABLED' && config.deployment !== 'production';
  const disableAt = isEnabled ? disableDueAt(endpoint, config.webhookTerms) : undefined;
  const dueAts = disableAt === undefined ? freeAts : [...freeAts, clock.wallAt(disableAt)];
  const dueAt = dueAts.reduce<Instant | null>((first, at) => (first === null || at < first ? at : first), null);
  const realNow = wall.now();
  const free = next.filter((_, at) => (freeAts[at] ?? realNow) <= realNow).map(({ position }) => Number(position));
  return { endpoint, clock, dueAt, isOverdue: disableAt !== undefined && disableAt <= now, free, replay };
}

/** A delivery that no other queue sends until the lease expires. */
export interface LeasedDelivery extends ClaimedDelivery {
  readonly endpoint: EndpointRow;
  readonly token: Uuid;
  readonly until: Instant;
}

/** How much longer than an attempt a lease lasts: enough to commit the outcome, with a retry. */
const LEASE_MARGIN_MS = 15_000;

/** Leases those of these deliveries that are still free. Undefined if the database did not answer. */
export async function claimDeliveries(
  { database, writer, clock, random, metrics, config }: DeliveryDependencies,
  endpoint: EndpointRow,
  positions: readonly number[],
): Promise<LeasedDelivery[] | undefined> {
  const [token, now, realNow] = [random.uuid(), clock.now(), clock.wall.now()];
  const until = addMillis(realNow, config.webhookTerms.timeoutMs + LEASE_MARGIN_MS);
  const lease = { endpointId: endpoint.id, token, now, realNow, until, positions };
  const outcome = await writer.commit({ statements: [leaseTaken(lease)] });
  if (outcome.status === 'invalid') throw new Error(`The claim's SQL is wrong: ${outcome.message}`);
  // If the outcome is unknown, the token shows which deliveries this queue has leased.
  if (outcome.status !== 'committed' && outcome.status !== 'unknown') return undefined;
  const claimed = await database.read(claimedDeliveries(lease));
  if (!claimed.ok) return undefined;
  const kept = claimed.rows.filter(({ body }) => body !== null);
  if (kept.length < claimed.rows.length) await writer.commit({ statements: [deletedEventsSkipped(lease, now)] });
  // Measures only the oldest delivery of a claim: an invocation on Workers can write only 250 data points.
  const untried = kept.find(({ attemptCount }) => attemptCount === 0);
  if (untried !== undefined)
    metrics.measure('webhook_first_attempt', [(toMillis(now) - toMillis(untried.createdAt)) / 1000], []);
  return kept.map((row) => ({ ...row, endpoint, token, until }));
}

/** Whether the lease covers a whole attempt from now. Otherwise another queue could lease the delivery meanwhile. */
export function isLeaseLongEnough({ clock, config }: DeliveryDependencies, { until }: LeasedDelivery): boolean {
  return addMillis(clock.wall.now(), config.webhookTerms.timeoutMs) < until;
}

/** Sends a delivery once. */
export async function attemptDelivery(dependencies: DeliveryDependencies, delivery: LeasedDelivery): Promise<Attempt> {
  const { companyId, eventId, body, endpoint } = delivery;
  const isDown = await dependencies.isDown(companyId);
  const attempt = await attemptOnce(dependencies, endpoint, { eventId, body, isDown });
  dependencies.metrics.measure('webhook_attempt', [attempt.durationMs / 1000], [attempt.error ?? 'SUCCEEDED']);
  return attempt;
}

/** Attempts to record an outcome. After the last one the lease expires and the delivery is sent again. */
const SETTLE_TRIES_MAX = 3;

/** Records the outcome of an attempt, if this queue still has the lease. */
export async function settleAttempt(
  begun: DeliveryDependencies,
  delivery: LeasedDelivery,
  attempt: Attempt,
): Promise<void> {
  const { writer, config, metrics } = begun;
  const { endpoint } = delivery;
  // The clock may have begun to advance since the attempt began.
  const found = await begun.clockBook.clockOf(begun.database, endpoint.companyId);
  const dependencies = found.ok ? { ...begun, clock: found.value } : begun;
  const now = dependencies.clock.now();
  const exchange = await sealedExchangeOf(dependencies, delivery, attempt);
  const { statements, status: reached } = settlementOf(dependencies, delivery, { ...attempt, exchange }, now);
  const isLost = attempt.error !== null && (isGone(attempt) || isFailingTooLong(endpoint, now, config.webhookTerms));
  const disabling = isLost
    ? disablingOf(dependencies, endpoint, { now, isGone: isGone(attempt), failures: 1 })
    : undefined;
  let request = disabling === undefined ? { statements } : withDisabling(statements, disabling);
  for (let tried = 1; tried <= SETTLE_TRIES_MAX; tried += 1) {
    const { status } = await writer.commit(request);
    if (status === 'committed') {
      if (reached === 'EXHAUSTED') metrics.count('webhook_exhausted', []);
      const reason = isGone(attempt) ? 'GONE' : 'FAILING';
      if (request.statements.length > statements.length) metrics.count('webhook_endpoints_disabled', [reason]);
      return;
    }
    if (status === 'invalid') throw new Error('The SQL of a settlement is wrong');
    // Refused: the owner has changed the endpoint meanwhile, or this queue has lost the lease. Only the second
    // matters.
    if (status === 'refused' && request.statements.length === statements.length) return;
    if (status === 'refused') request = { statements };
  }
}

function sealedExchangeOf(
  { endpointSecrets }: DeliveryDependencies,
  { id: deliveryId, attemptCount, endpoint: { url } }: LeasedDelivery,
  { headers, response }: Attempt,
): Promise<string> {
  const request = { url, headers };
  return sealExchange(endpointSecrets, { deliveryId, number: attemptCount + 1 }, { request, response });
}

function settlementOf(
  { random, config, clock }: DeliveryDependencies,
  { id, token, attemptCount, endpoint }: LeasedDelivery,
  { startedAt, durationMs, responseStatus, error, retryAfter, exchange }: Attempt & Pick<Settlement, 'exchange'>,
  now: Instant,
): { readonly statements: readonly WriteStatement[]; readonly status: DeliveryStatus } {
  const number = attemptCount + 1;
  const chance = (random.bytes(1)[0] ?? 0) / 255;
  const ending = { responseStatus, error, retryAfter };
  const { status, nextAttemptAt } = nextAttemptAfter(
    ending,
    { attempts: number, now, realNow: clock.wall.now(), chance },
    config.webhookTerms,
  );
  const completedAt = nextAttemptAt === null ? now : null;
  const result = { number, startedAt, durationMs, responseStatus, error, exchange, status, nextAttemptAt, completedAt };
  const statements = [
    ...settlementStatements({ deliveryId: id, token, ...result }),
    attemptCounted(endpoint.id, error === null, now),
  ];
  return { statements, status };
}

interface Disabling {
  readonly statements: readonly WriteStatement[];
  readonly notices: readonly EventNotice[];
}

/** Disables an endpoint in the unit of its last attempt, together with the event that reports it. */
function disablingOf(
  { random, config, clock }: DeliveryDependencies,
  endpoint: EndpointRow,
  { now, isGone: hasGone, failures }: { readonly now: Instant; readonly isGone: boolean; readonly failures: number },
): Disabling {
  const { id, companyId, version } = endpoint;
  const disabled = {
    ...endpoint,
    state: 'AUTO_DISABLED',
    lastFailureAt: failures === 0 ? endpoint.lastFailureAt : now,
    consecutiveFailures: endpoint.consecutiveFailures + failures,
    updatedAt: now,
    version: version + 1,
  } as const;
  const { statements, notices } = recordEvent(config.deployment, {
    id: random.uuid(),
    type: 'webhook_endpoint.disabled',
    companyId,
    shipmentId: null,
    occurredAt: now,
    previousState: null,
    correlationId: random.uuid(),
    offsetSeconds: clock.offsetSeconds(),
    data: { webhookEndpoint: presentEndpoint(disabled, now), reason: hasGone ? 'GONE' : 'FAILING' },
  });
  return { statements: [autoDisable({ id, version, now }), ...statements], notices };
}

function withDisabling(statements: readonly WriteStatement[], { statements: more, notices }: Disabling) {
  return { statements: [...statements, ...more], notices };
}

/** Disables an endpoint that has failed too long. False if the database did not answer. */
export async function disableOverdue(dependencies: DeliveryDependencies, endpoint: EndpointRow): Promise<boolean> {
  const { writer, clock, metrics } = dependencies;
  const { status } = await writer.commit(
    disablingOf(dependencies, endpoint, { now: clock.now(), isGone: false, failures: 0 }),
  );
  if (status === 'committed') metrics.count('webhook_endpoints_disabled', ['FAILING']);
  // Refused: its owner has changed it meanwhile.
  return status === 'committed' || status === 'refused';
}

/** Deliveries skipped in one unit: some milliseconds of the writer's time. */
const SKIPPED_AT_ONCE = 500;

/** Ends the replay of an endpoint that is not enabled. False if the database did not answer. */
export async function cancelReplay({ writer, clock }: DeliveryDependencies, endpointId: Uuid): Promise<boolean> {
  return (await writer.commit({ statements: [replayCancelled(endpointId, clock.now())] })).status === 'committed';
}

/** Skips deliveries of an endpoint that is not enabled. True if there may be more, undefined if the database did not answer. */
export async function skipDeliveries(
  { writer, clock }: DeliveryDependencies,
  endpointId: Uuid,
): Promise<boolean | undefined> {
  const times = { now: clock.now(), realNow: clock.wall.now() };
  const { status } = await writer.commit({ statements: [deliveriesSkipped(endpointId, times, SKIPPED_AT_ONCE)] });
  if (status === 'committed') return true;
  return status === 'refused' ? false : undefined;
}
