import { addMillis, type Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import { realClock } from '../clocks/company-clock.ts';
import { disableDueAt } from './attempt-result.ts';
import type { QueueDependencies } from './delivery.ts';
import { LOOKED_AT_MAX, nextDeliveries, queueEndpoint } from './delivery-store.ts';
import { isOwnLease, type NextDelivery } from './lease.ts';
import { type ReplayRow, runningReplay } from './replay-store.ts';
import type { EndpointRow } from './store.ts';

/** An endpoint and its waiting work. */
export interface Look {
  readonly endpoint: EndpointRow | undefined;
  /** The clock of its company. */
  readonly clock: CompanyClock;
  /** The real time at which the next delivery can be leased, after a pause of the endpoint, or the endpoint is disabled; null if nothing waits. */
  readonly dueAt: Instant | null;
  /** Whether the endpoint has failed too long. Only sandboxes do not wait for one more failure. */
  readonly isOverdue: boolean;
  /** The deliveries that can be sent now, by position, in the order in which they are due. */
  readonly next: readonly NextDelivery[];
  /** Whether these are all that this queue can do: nothing else is due, now or later. */
  readonly isAll: boolean;
  /** The replay to continue, if one is running. */
  readonly replay: ReplayRow | undefined;
}

/** Undefined if the database did not answer. `busy`: positions of deliveries that this queue has in its hands. */
export async function lookAtQueue(
  { database, clock: wall, clockBook, config }: QueueDependencies,
  endpointId: Uuid,
  busy: ReadonlySet<number>,
): Promise<Look | undefined> {
  const answer = await database.readAll([
    queueEndpoint(endpointId),
    nextDeliveries(endpointId),
    runningReplay(endpointId),
  ] as const);
  if (!answer.ok) return undefined;
  const [[endpoint], all, [replay]] = answer.results;
  const next = all.filter(({ position }) => !busy.has(Number(position)));
  const found = endpoint === undefined ? undefined : await clockBook.clockOf(database, endpoint.companyId);
  if (found?.ok === false) return undefined;
  const clock = found?.value ?? realClock(wall);
  const [now, askedAt] = [clock.now(), wall.now()];
  const pausedUntil = endpoint?.pausedUntil ?? now;
  const isOwn = (token: string | null) => isOwnLease(token, config.firstLease);
  const freeAts = next.map(({ nextAttemptAt, leaseToken, leaseUntil }) => {
    if (leaseUntil !== null && leaseUntil > askedAt && !isOwn(leaseToken)) return leaseUntil;
    const at = nextAttemptAt ?? now;
    return clock.wallAt(at > pausedUntil ? at : pausedUntil);
  });
  const isEnabled = endpoint?.state === 'ENABLED' && config.deployment !== 'production';
  const disableAt = isEnabled ? disableDueAt(endpoint, config.webhookTerms) : undefined;
  const dueAts = disableAt === undefined ? freeAts : [...freeAts, clock.wallAt(disableAt)];
  const dueAt = dueAts.reduce<Instant | null>((first, at) => (first === null || at < first ? at : first), null);
  const realNow = wall.now();
  const enough = addMillis(realNow, config.webhookTerms.timeoutMs);
  const due = next
    .filter((_, at) => (freeAts[at] ?? realNow) <= realNow)
    .map(({ position, leaseToken, leaseUntil }) => ({
      position: Number(position),
      isLeased:
        isOwn(leaseToken) &&
        leaseToken?.split(' ')[0] === String(endpoint?.version) &&
        leaseUntil !== null &&
        leaseUntil > enough,
    }));
  const isAll =
    due.length === all.length && all.length < LOOKED_AT_MAX && disableAt === undefined && replay === undefined;
  return { endpoint, clock, dueAt, isOverdue: disableAt !== undefined && disableAt <= now, next: due, isAll, replay };
}
