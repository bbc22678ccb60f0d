import type { Decimal } from '../../core/decimal.ts';
import { metersBetween } from '../../core/earth.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import { canCarry, type Requirements } from '../offers/service-level.ts';

/** A driver who may be offered a shipment. */
export interface Candidate {
  readonly id: Uuid;
  /** Set for a sandbox's own driver, who takes only this company's shipments. */
  readonly companyId: Uuid | null;
  readonly cityCode: string;
  readonly capabilities: ReadonlySet<string>;
  readonly weightKilogramsMax: Decimal;
  readonly lengthCentimetresMax: Decimal;
  readonly isOnDuty: boolean;
  readonly activeCount: number;
  readonly activeMax: number;
  /** The last known position, in degrees; undefined if the driver has never reported one. */
  readonly position: Point | undefined;
  readonly idleSince: Instant;
}

/** In degrees. Doubles are exact enough to compare the distances of two drivers. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** What a shipment needs from a driver. */
export interface Search extends Requirements {
  readonly companyId: Uuid;
  readonly pickup: Point;
  readonly lastRefusedDriverId: Uuid | null;
}

/**
 * Chooses the driver who gets the offer. This is the only place that defines the order:
 * 0. in a sandbox, the company's own driver is the only candidate, even if busy or off duty;
 * 1. only eligible drivers: on duty, of the city (or the company's own), with free capacity, able to carry it;
 * 2. not the driver who refused it last, even if there is no other candidate;
 * 3. the nearest to the pickup location (drivers without a position come last);
 * 4. the fewest active shipments; 5. the longest idle; 6. the lower id, so that the choice is deterministic.
 */
export function chooseDriver(candidates: readonly Candidate[], search: Search): Candidate | undefined {
  const hasOwnDriver = candidates.some(({ companyId }) => companyId === search.companyId);
  let best: { readonly candidate: Candidate; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    if (hasOwnDriver !== (candidate.companyId === search.companyId) || !isEligible(candidate, search)) continue;
    const distance =
      candidate.position === undefined ? Number.POSITIVE_INFINITY : metersBetween(candidate.position, search.pickup);
    if (best === undefined || isBefore({ candidate, distance }, best)) best = { candidate, distance };
  }
  return best?.candidate;
}

function isEligible(candidate: Candidate, search: Search): boolean {
  return (
    candidate.isOnDuty &&
    candidate.activeCount < candidate.activeMax &&
    candidate.id !== search.lastRefusedDriverId &&
    // A sandbox's own driver serves every branch of the company, because there is no other driver.
    (candidate.companyId !== null || candidate.cityCode === search.cityCode) &&
    (candidate.companyId === null || candidate.companyId === search.companyId) &&
    canCarry(candidate, search)
  );
}

interface Ranked {
  readonly candidate: Candidate;
  readonly distance: number;
}

function isBefore(first: Ranked, second: Ranked): boolean {
  if (first.distance !== second.distance) return first.distance < second.distance;
  const [one, two] = [first.candidate, second.candidate];
  if (one.activeCount !== two.activeCount) return one.activeCount < two.activeCount;
  if (one.idleSince !== two.idleSince) return one.idleSince < two.idleSince;
  return one.id < two.id;
}
