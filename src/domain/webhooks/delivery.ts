import type { Database } from '../../../db/database.ts';
import type { WriteStatement } from '../../../db/statement.ts';
import type { Writer } from '../../../db/writer.ts';
import type { DeliveryStatus } from '../../contract/event-type.ts';
import { addMillis, type Instant, toMillis } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Clock, CompanyClock } from '../../ports/clock.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { Random } from '../../ports/random.ts';
import type { WebhookTransport } from '../../ports/webhook.ts';
import type { ClockBook } from '../clocks/company-clock.ts';
import { type EventConfig, recordEvent } from '../events/record.ts';
import { type Attempt, type AttemptDependencies, attemptOnce } from './attempt.ts';
import {
  askedPauseMs,
  deferredUntil,
  isFailingTooLong,
  isGone,
  isPausing,
  nextAttemptAfter,
} from './attempt-result.ts';
import {
  type ClaimedDelivery,
  claimedDeliveries,
  deletedEventsSkipped,
  deliveriesSkipped,
  firstLeasesGivenBack,
  leaseGivenBack,
  leaseTaken,
} from './delivery-store.ts';
import { sealExchange } from './exchange.ts';
import { type LeaseToken, leaseTokenOf, type NextDelivery } from './lease.ts';
import {
  attemptCounted,
  autoDisable,
  PAUSES_SHOWN_MAX,
  pauseStatements,
  type Settlement,
  settlementStatements,
} from './outcome-store.ts';
import { replayCancelled } from './replay-store.ts';
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
  readonly config: AttemptDependencies['config'] & EventConfig;
}

/** The same with the clock of the company. */
export type DeliveryDependencies = Omit<QueueDependencies, 'clock'> & { readonly clock: CompanyClock };

/** A delivery that no other queue sends until the lease expires. */
export interface LeasedDelivery extends Omit<ClaimedDelivery, 'body' | 'leaseToken' | 'leaseUntil'> {
  readonly body: string;
  /** It is the lease that the delivery began with. */
  readonly hasFirstLease: boolean;
  readonly endpoint: EndpointRow;
  readonly token: LeaseToken;
  readonly until: Instant;
}

/** How much longer than an attempt a lease lasts: enough to commit the outcome, with a retry. */
const LEASE_MARGIN_MS = 15_000;

/**
 * Leases those of these deliveries that have no lease yet, and reads what to send. Fewer come back if another queue was faster.
 * Undefined if the database did not answer.
 */
export async function claimDeliveries(
  { database, writer, clock, random, metrics, config }: DeliveryDependencies,
  endpoint: EndpointRow,
  next: readonly NextDelivery[],
): Promise<LeasedDelivery[] | undefined> {
  const [now, realNow] = [clock.now(), clock.wall.now()];
  const holder = config.firstLease?.holder ?? null;
  const first = holder === null ? undefined : leaseTokenOf(endpoint.version, holder);
  const tokens = first === undefined ? [] : [first];
  const free = next.flatMap(({ needsClaim, position }) => (needsClaim ? [position] : []));
  if (free.length > 0) {
    const token = leaseTokenOf(endpoint.version, random.uuid());
    tokens.push(token);
    const until = addMillis(realNow, config.webhookTerms.timeoutMs + LEASE_MARGIN_MS);
    const { id: endpointId, version } = endpoint;
    const lease = { endpointId, version, token, now, realNow, until, holder, positions: free };
    const outcome = await writer.commit({ statements: [leaseTaken(lease)] });
    if (outcome.status === 'invalid') throw new Error(`The claim's SQL is wrong: ${outcome.message}`);
    // If the outcome is unknown, the token shows which deliveries this queue has leased.
    if (outcome.status !== 'committed' && outcome.status !== 'unknown') return undefined;
  }
  const asked = { tokens, positions: next.map(({ position }) => position) };
  const claimed = await database.read(claimedDeliveries(asked));
  if (!claimed.ok) return undefined;
  if (claimed.rows.some(({ body }) => body === null))
    await writer.commit({ statements: [deletedEventsSkipped(asked, now)] });
  const kept = claimed.rows.flatMap(({ body, leaseToken, leaseUntil, ...row }): LeasedDelivery[] => {
    if (body === null || leaseToken === null || leaseUntil === null) return [];
    const [position, token] = [Number(row.position), leaseToken as LeaseToken];
    return [{ ...row, position, body, endpoint, token, until: leaseUntil, hasFirstLease: token === first }];
  });
  // Measures only the oldest delivery of a claim: an invocation on Workers can write only 250 data points.
  const untried = kept.find(({ attemptCount }) => attemptCount === 0);
  if (untried !== undefined)
    metrics.measure('webhook_first_attempt', [(toMillis(now) - toMillis(untried.createdAt)) / 1000], []);
  return kept;
}

/** Whether the lease covers a whole attempt from now. Otherwise another queue could lease the delivery meanwhile. */
export function isLeaseLongEnough({ clock, config }: DeliveryDependencies, { until }: LeasedDelivery): boolean {
  return addMillis(clock.wall.now(), config.webhookTerms.timeoutMs) < until;
}

/** Gives leases back, so that the deliveries need not wait for their end. If this fails, the leases expire. */
export async function giveBack({ writer }: DeliveryDependencies, leased: readonly LeasedDelivery[]): Promise<void> {
  const byToken = Map.groupBy(leased, ({ token }) => token);
  const statements = [...byToken].map(([token, ofToken]) =>
    leaseGivenBack(
      token,
      ofToken.map(({ position }) => position),
    ),
  );
  if (statements.length > 0) await writer.commit({ statements });
}

/** Before the process ends: the next one need not wait for the end of leases that deliveries began with. */
export async function giveBackFirstLeases(
  { writer, config }: Pick<DeliveryDependencies, 'writer' | 'config'>,
  endpointId: Uuid,
  busy: ReadonlySet<number>,
): Promise<void> {
  const { firstLease } = config;
  if (firstLease !== undefined)
    await writer.commit({ statements: [firstLeasesGivenBack(endpointId, firstLease.holder, [...busy])] });
}

/**
 * Sends a delivery once. `mayBegin` is asked at the last moment, because the endpoint may change while its name is resolved.
 * Undefined if the delivery may no longer be sent.
 */
export async function attemptDelivery(
  dependencies: DeliveryDependencies,
  delivery: LeasedDelivery,
  mayBegin: () => boolean,
): Promise<Attempt | undefined> {
  const { companyId, eventId, body, endpoint } = delivery;
  const isDown = await dependencies.isDown(companyId);
  let isWithdrawn = false;
  const webhookTransport: WebhookTransport = {
    post(request) {
      if (mayBegin()) return dependencies.webhookTransport.post(request);
      isWithdrawn = true;
      return Promise.resolve({ ok: false, error: 'CONNECT' });
    },
  };
  const attempt = await attemptOnce({ ...dependencies, webhookTransport }, endpoint, { eventId, body, isDown });
  if (isWithdrawn) return undefined;
  dependencies.metrics.measure('webhook_attempt', [attempt.durationMs / 1000], [attempt.error ?? 'SUCCEEDED']);
  return attempt;
}

/** Attempts to record an outcome. After the last one the lease expires and the delivery is sent again. */
const SETTLE_TRIES_MAX = 3;

/** `unrecorded`: the database did not take the outcome. The delivery is sent again when its lease has ended. */
export type Settled = 'recorded' | 'disabled' | 'unrecorded';

/** Records the outcome of an attempt, if this queue still has the lease. `disabled`: the endpoint too. */
export async function settleAttempt(
  begun: DeliveryDependencies,
  delivery: LeasedDelivery,
  attempt: Attempt,
): Promise<Settled> {
  const { writer, config, metrics } = begun;
  const { endpoint } = delivery;
  // The clock may have begun to advance since the attempt began.
  const found = await begun.clockBook.clockOf(begun.database, endpoint.companyId);
  const dependencies = found.ok ? { ...begun, clock: found.value } : begun;
  const { clock } = dependencies;
  const now = clock.now();
  const exchange = await sealedExchangeOf(dependencies, delivery, attempt);
  // During an advance the clock stands, and each of thousands of pauses would delay it. There such answers are failures.
  const isPaused = isPausing(attempt) && clock.stored?.standsAt == null;
  const { statements, status: reached } = isPaused
    ? pauseOf(dependencies, delivery, { ...attempt, exchange }, now)
    : settlementOf(dependencies, delivery, { ...attempt, exchange }, now);
  const isLost =
    attempt.error !== null && !isPaused && (isGone(attempt) || isFailingTooLong(endpoint, now, config.webhookTerms));
  const disabling = isLost
    ? disablingOf(dependencies, endpoint, { now, isGone: isGone(attempt), failures: 1 })
    : undefined;
  let request = { statements: [...statements, ...(disabling ?? [])] };
  for (let tried = 1; tried <= SETTLE_TRIES_MAX; tried += 1) {
    const { status } = await writer.commit(request);
    if (status === 'committed') {
      if (reached === 'EXHAUSTED') metrics.count('webhook_exhausted', []);
      const reason = isGone(attempt) ? 'GONE' : 'FAILING';
      const hasDisabled = request.statements.length > statements.length;
      if (hasDisabled) metrics.count('webhook_endpoints_disabled', [reason]);
      return hasDisabled ? 'disabled' : 'recorded';
    }
    if (status === 'invalid') throw new Error('The SQL of a settlement is wrong');
    // Refused: the owner has changed the endpoint meanwhile, a delivery has succeeded, or this queue has lost the lease.
    // Only the last matters.
    if (status === 'refused' && request.statements.length === statements.length) return 'recorded';
    if (status === 'refused') request = { statements: [...statements] };
  }
  return 'unrecorded';
}

function sealedExchangeOf(
  { endpointSecrets }: DeliveryDependencies,
  { id: deliveryId, endpoint: { url }, ...counts }: LeasedDelivery,
  { headers, response }: Attempt,
): Promise<string> {
  const request = { url, headers };
  return sealExchange(endpointSecrets, { deliveryId, number: numberOf(counts) }, { request, response });
}

/** The number of the next attempt among all that are shown. */
function numberOf({ attemptCount, pauseCount }: Pick<LeasedDelivery, 'attemptCount' | 'pauseCount'>): number {
  return attemptCount + Math.min(pauseCount, PAUSES_SHOWN_MAX) + 1;
}

type Exchanged = Attempt & Pick<Settlement, 'exchange'>;

function pauseOf(
  { clock }: DeliveryDependencies,
  { id: deliveryId, position, companyId, createdAt, token, endpoint, ...counts }: LeasedDelivery,
  { startedAt, durationMs, responseStatus, error, retryAfter, exchange }: Exchanged,
  now: Instant,
): { readonly statements: readonly WriteStatement[]; readonly status: DeliveryStatus | undefined } {
  const askedMs = askedPauseMs({ responseStatus, error, retryAfter }, clock.wall.now());
  const number = numberOf(counts);
  const shown = {
    deliveryId,
    position,
    companyId,
    createdAt,
    token,
    number,
    startedAt,
    durationMs,
    responseStatus,
    error,
    exchange,
  };
  const statements = pauseStatements({
    ...shown,
    now,
    endpointId: endpoint.id,
    version: endpoint.version,
    deferredUntil: deferredUntil(counts.pauseCount + 1, now),
    isShown: counts.pauseCount < PAUSES_SHOWN_MAX,
    askedMicros: askedMs === undefined ? null : BigInt(Math.ceil(askedMs * 1000)),
  });
  return { statements, status: undefined };
}

function settlementOf(
  { random, config, clock }: DeliveryDependencies,
  { id, position, companyId, createdAt, token, endpoint, ...counts }: LeasedDelivery,
  { startedAt, durationMs, responseStatus, error, retryAfter, exchange }: Exchanged,
  now: Instant,
): { readonly statements: readonly WriteStatement[]; readonly status: DeliveryStatus } {
  const attemptCount = counts.attemptCount + 1;
  const chance = (random.bytes(1)[0] ?? 0) / 255;
  const ending = { responseStatus, error, retryAfter };
  const { status, nextAttemptAt } = nextAttemptAfter(
    ending,
    { attempts: attemptCount, now, realNow: clock.wall.now(), chance },
    config.webhookTerms,
  );
  const completedAt = nextAttemptAt === null ? now : null;
  const result = { startedAt, durationMs, responseStatus, error, exchange, status, nextAttemptAt, completedAt };
  const statements = [
    ...settlementStatements({
      deliveryId: id,
      position,
      companyId,
      createdAt,
      token,
      number: numberOf(counts),
      attemptCount,
      ...result,
    }),
    attemptCounted(endpoint.id, error === null, now),
  ];
  return { statements, status };
}

/** Disables an endpoint in the unit of its last attempt, together with the event that reports it. */
function disablingOf(
  { random, config, clock }: DeliveryDependencies,
  endpoint: EndpointRow,
  { now, isGone: hasGone, failures }: { readonly now: Instant; readonly isGone: boolean; readonly failures: number },
): WriteStatement[] {
  const { id, companyId, version } = endpoint;
  const disabled = {
    ...endpoint,
    state: 'AUTO_DISABLED',
    lastFailureAt: failures === 0 ? endpoint.lastFailureAt : now,
    consecutiveFailures: endpoint.consecutiveFailures + failures,
    updatedAt: now,
    version: version + 1,
  } as const;
  const recorded = recordEvent(config, {
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
  const { disableAfterFailures: failuresMin, disableAfterSeconds } = config.webhookTerms;
  const failing = hasGone ? undefined : { failuresMin, failingBefore: addMillis(now, -disableAfterSeconds * 1000) };
  return [autoDisable({ id, version, now, failing }), ...recorded];
}

/** Disables an endpoint that has failed too long. False if the database did not answer. */
export async function disableOverdue(dependencies: DeliveryDependencies, endpoint: EndpointRow): Promise<boolean> {
  const { writer, clock, metrics } = dependencies;
  const order = { now: clock.now(), isGone: false, failures: 0 };
  const { status } = await writer.commit({ statements: disablingOf(dependencies, endpoint, order) });
  if (status === 'committed') metrics.count('webhook_endpoints_disabled', ['FAILING']);
  // Refused: its owner has changed it meanwhile, or a delivery has succeeded.
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
  { writer, clock, config }: DeliveryDependencies,
  endpointId: Uuid,
  busy: ReadonlySet<number>,
): Promise<boolean | undefined> {
  const [now, realNow] = [clock.now(), clock.wall.now()];
  const order = { endpointId, now, realNow, holder: config.firstLease?.holder ?? null, busy: [...busy] };
  const { status } = await writer.commit({ statements: [deliveriesSkipped(order, SKIPPED_AT_ONCE)] });
  if (status === 'committed') return true;
  return status === 'refused' ? false : undefined;
}
