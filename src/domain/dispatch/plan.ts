import type { Decimal } from '../../core/decimal.ts';
import { addSeconds, type Instant, toWholeSecond } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
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
  /** The time between two searches for a candidate, up to a second less. */
  readonly lookSeconds: number;
}

/** The next action for one waiting shipment. */
export type PlannedAction =
  | { readonly kind: 'offer'; readonly shipmentId: Uuid; readonly driverId: Uuid; readonly expiresAt: Instant }
  | { readonly kind: 'give_up'; readonly shipmentId: Uuid }
  | { readonly kind: 'look_again'; readonly shipmentId: Uuid; readonly dueAt: Instant };

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
  const candidates = new Map(drivers.map((driver) => [driver.id, candidateOf(driver)]));
  const order = waiting.toSorted((first, second) => compareInstants(first.readySince ?? now, second.readySince ?? now));
  return order.map((row): PlannedAction => {
    const { shipmentId } = row;
    if (row.serviceLevelCode === null) return { kind: 'give_up', shipmentId };
    const chosen = chooseDriver([...candidates.values()], searchOf(row));
    if (chosen !== undefined) {
      candidates.set(chosen.id, { ...chosen, activeCount: chosen.activeCount + 1 });
      return { kind: 'offer', shipmentId, driverId: chosen.id, expiresAt: addSeconds(now, waits.offerSeconds) };
    }
    const deadline = addSeconds(row.readySince ?? now, waits.candidateSeconds);
    if (deadline <= now) return { kind: 'give_up', shipmentId };
    const next = nextLook(waits, now);
    return { kind: 'look_again', shipmentId, dueAt: next < deadline ? next : deadline };
  });
}

/** Searches start on whole seconds, so that many waiting shipments are handled in one batch. */
export function nextLook({ lookSeconds }: DispatchWaits, now: Instant): Instant {
  return toWholeSecond(addSeconds(now, lookSeconds));
}

function compareInstants(first: Instant, second: Instant): number {
  return first < second ? -1 : Number(first > second);
}

function candidateOf(row: DriverRow): Candidate {
  const { latitude, longitude } = row;
  return {
    ...row,
    capabilities: new Set(parseStored<string[]>(row.capabilities)),
    isOnDuty: row.onDuty === 1 && row.status === 'ACTIVE',
    position:
      latitude === null || longitude === null
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
    pickup: { latitude: Number(pickup.latitude), longitude: Number(pickup.longitude) },
  };
}
