import type { UnresolvedReason } from '../../contract/shipment-state.ts';
import type { Decimal } from '../../core/decimal.ts';
import { addSeconds, type Instant, toWholeSecond } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { SEARCH_OFFERS_MAX, SEARCH_SECONDS_MAX } from '../../core/limits.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { DriverRow } from '../offers/store.ts';
import { type Candidate, chooseDriver } from './driver.ts';
import type { WaitingRow } from './store.ts';

/** The waiting times of dispatch. */
export interface DispatchWaits {
  /** How long an offer stays open. */
  readonly offerSeconds: number;
  /** How long a shipment waits for a candidate before it becomes DISPATCH_UNRESOLVED. */
  readonly candidateSeconds: number;
  /** The time between two looks for drivers who have become free, up to a second less. */
  readonly lookSeconds: number;
  /** How long before the pickup window the search for a driver begins; null: at once. */
  readonly leadSeconds: number | null;
  /** How long a driver on duty may send nothing; null: for ever, whatever offers run out. */
  readonly silenceSeconds: number | null;
}

/** An older position of a driver does not count. */
const POSITION_SECONDS_MAX = 15 * 60;

/** The next action for one waiting shipment. */
export type PlannedAction =
  | { readonly kind: 'offer'; readonly shipmentId: Uuid; readonly driverId: Uuid; readonly expiresAt: Instant }
  | { readonly kind: 'give_up'; readonly shipmentId: Uuid; readonly reasonCode: UnresolvedReason }
  | { readonly kind: 'wait'; readonly shipmentId: Uuid; readonly dueAt: Instant };

/**
 * Plans all waiting shipments of one search, the longest waiting first. Each planned offer reduces the driver's free
 * capacity for the following shipments. The database checks the capacity again. Pure.
 */
export function planDispatch(
  waiting: readonly WaitingRow[],
  drivers: readonly DriverRow[],
  waits: DispatchWaits,
  now: Instant,
): PlannedAction[] {
  const candidates = new Map(drivers.map((driver) => [driver.id, candidateOf(driver, now)]));
  const order = waiting.toSorted((first, second) => compareInstants(first.readySince ?? now, second.readySince ?? now));
  return order.map((row): PlannedAction => {
    const { shipmentId } = row;
    // Behind a closed gate no search runs, so no time of a search has passed.
    if (row.serviceLevelCode !== null && row.addressGate === 'CLOSED') return waitForAddress(row, now);
    const reasonCode = reasonToGiveUp(row, now);
    if (reasonCode !== undefined) return { kind: 'give_up', shipmentId, reasonCode };
    if (row.readySince !== null && row.readySince > now) return { kind: 'wait', shipmentId, dueAt: row.readySince };
    const chosen = chooseDriver([...candidates.values()], searchOf(row));
    if (chosen !== undefined) {
      candidates.set(chosen.id, { ...chosen, activeCount: chosen.activeCount + 1 });
      return { kind: 'offer', shipmentId, driverId: chosen.id, expiresAt: addSeconds(now, waits.offerSeconds) };
    }
    const dueAt = earlier(addSeconds(row.readySince ?? now, waits.candidateSeconds), searchEndOf(row, now));
    return dueAt <= now
      ? { kind: 'give_up', shipmentId, reasonCode: 'NO_DRIVER' }
      : { kind: 'wait', shipmentId, dueAt };
  });
}

/** No driver is looked for, so only the end of the wait is due. */
function waitForAddress({ shipmentId, dueAt }: WaitingRow, now: Instant): PlannedAction {
  return dueAt === null || dueAt <= now
    ? { kind: 'give_up', shipmentId, reasonCode: 'NATIONAL_ADDRESS' }
    : { kind: 'wait', shipmentId, dueAt };
}

/** Why a shipment is offered to nobody, even if a driver is free. */
function reasonToGiveUp(row: WaitingRow, now: Instant): UnresolvedReason | undefined {
  if (row.serviceLevelCode === null) return 'NO_SERVICE_LEVEL';
  if (row.refusesDrivers === 1) return 'NO_DRIVER';
  if (row.searchOffers >= SEARCH_OFFERS_MAX) return 'OFFERS_DECLINED';
  return searchEndOf(row, now) <= now ? 'SEARCH_TIMED_OUT' : undefined;
}

function searchEndOf({ searchSince, readySince }: WaitingRow, now: Instant): Instant {
  return addSeconds(searchSince ?? readySince ?? now, SEARCH_SECONDS_MAX);
}

/** Looks are on whole seconds, so that many waiting shipments are handled in one batch. */
export function nextLook({ lookSeconds }: DispatchWaits, now: Instant): Instant {
  return toWholeSecond(addSeconds(now, lookSeconds));
}

export function earlier(first: Instant, second: Instant): Instant {
  return first < second ? first : second;
}

function compareInstants(first: Instant, second: Instant): number {
  return first < second ? -1 : Number(first > second);
}

function candidateOf(row: DriverRow, now: Instant): Candidate {
  const { latitude, longitude, positionAt } = row;
  const isCurrent = positionAt !== null && positionAt >= addSeconds(now, -POSITION_SECONDS_MAX);
  return {
    ...row,
    capabilities: new Set(parseStored<string[]>(row.capabilities)),
    isOnDuty: row.onDuty === 1 && row.status === 'ACTIVE',
    position:
      !isCurrent || latitude === null || longitude === null
        ? undefined
        : { latitude: Number(latitude), longitude: Number(longitude) },
  };
}

function searchOf(row: WaitingRow) {
  const pickup = parseStored<{ latitude: Decimal; longitude: Decimal }>(row.pickup);
  return {
    companyId: row.companyId,
    cityCode: row.cityCode,
    requirements: parseStored<string[]>(row.requirements),
    weightKilograms: row.totalWeightKilograms,
    lengthCentimetres: row.lengthCentimetres,
    lastRefusedDriverId: row.lastRefusedDriverId,
    refusals: parseStored<Uuid[]>(row.refusals),
    pickup: { latitude: Number(pickup.latitude), longitude: Number(pickup.longitude) },
  };
}
