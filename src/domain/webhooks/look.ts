import { addMillis, type Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import { realClock } from '../clocks/company-clock.ts';
import { disableDueAt } from './attempt-result.ts';
import type { QueueDependencies } from './delivery.ts';
import { LOOKED_AT_MAX, leaseEndOfOthers, nextDeliveries, queueEndpoint } from './delivery-store.ts';
import { hasOwnFirstLease, type NextDelivery } from './lease.ts';
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
  /** Whether nothing else will be due before one of these is recorded, or a new delivery arrives. */
  readonly isAll: boolean;
  /** The replay to continue, if one is running. */
  readonly replay: ReplayRow | undefined;
}

/** What a queue knows of its deliveries beside the database, by position. */
export interface InHand {
  /** Those that wait, are sent or are being recorded. */
  readonly busy: ReadonlySet<number>;
  /** Until when those rest whose outcome could not be recorded: as long as their leases. */
  readonly unrecorded: ReadonlyMap<number, Instant>;
}

/** Undefined if the database did not answer. */
export async function lookAtQueue(
  { database, clock: wall, clockBook, config }: QueueDependencies,
  endpointId: Uuid,
  { busy, unrecorded }: InHand,
): Promise<Look | undefined> {
  const askedAt = wall.now();
  const holder = config.firstLease?.holder ?? null;
  const answer = await database.readAll([
    queueEndpoint(endpointId),
    nextDeliveries(endpointId, askedAt, holder),
    runningReplay(endpointId),
    leaseEndOfOthers(endpointId, askedAt, holder),
  ] as const);
  if (!answer.ok) return undefined;
  const [[endpoint], all, [replay], [others]] = answer.results;
  const next = all.filter(({ position }) => !busy.has(Number(position)));
  const found = endpoint === undefined ? undefined : await clockBook.clockOf(database, endpoint.companyId);
  if (found?.ok === false) return undefined;
  const clock = found?.value ?? realClock(wall);
  const now = clock.now();
  const pausedUntil = endpoint?.pausedUntil ?? now;
  const isOwn = (token: string | null) => hasOwnFirstLease(token, config.firstLease);
  const freeAts = next.map(({ position, nextAttemptAt }) => {
    const restsUntil = unrecorded.get(Number(position));
    if (restsUntil !== undefined && restsUntil > askedAt) return restsUntil;
    const at = nextAttemptAt ?? now;
    return clock.wallAt(at > pausedUntil ? at : pausedUntil);
  });
  const isEnabled = endpoint?.state === 'ENABLED' && config.deployment !== 'production';
  const disableAt = isEnabled ? disableDueAt(endpoint, config.webhookTerms) : undefined;
  const laterAts = [disableAt === undefined ? [] : clock.wallAt(disableAt), others?.leaseUntil ?? []].flat();
  const dueAts = [...freeAts, ...laterAts];
  const dueAt = dueAts.reduce<Instant | null>((first, at) => (first === null || at < first ? at : first), null);
  const realNow = wall.now();
  const enough = addMillis(realNow, config.webhookTerms.timeoutMs);
  const due = next
    .filter((_, at) => (freeAts[at] ?? realNow) <= realNow)
    .map(({ position, leaseToken, leaseUntil }) => ({
      position: Number(position),
      needsClaim: !(
        isOwn(leaseToken) &&
        leaseToken?.split(' ')[0] === String(endpoint?.version) &&
        leaseUntil !== null &&
        leaseUntil > enough
      ),
    }));
  const isAll =
    due.length === all.length && all.length < LOOKED_AT_MAX && laterAts.length === 0 && replay === undefined;
  return { endpoint, clock, dueAt, isOverdue: disableAt !== undefined && disableAt <= now, next: due, isAll, replay };
}
