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
  /** Drivers who declined or ignored offers of this search, once for each offer. */
  readonly refusals: readonly Uuid[];
}

/** Within this distance the load of a driver counts before the way. */
const LOAD_FIRST_METRES = 2000;
const NEAR_METRES = 5000;

/**
 * Chooses the driver who gets the offer. This is the only place that defines the order:
 * 0. in a sandbox, the company's own driver is the only candidate, even if busy or off duty;
 * 1. only eligible drivers: on duty, of the city (or the company's own), with free capacity, able to carry it;
 * 2. not the driver who refused it last, even if there is no other candidate;
 * 3. those who refused it least often in this search, so that everybody is asked before anybody is asked again;
 * 4. those within 2 km of the pickup location, the fewest active shipments first, then the nearest;
 * 5. those within 5 km, the nearest first;
 * 6. those whose position is not known, the fewest active shipments first;
 * 7. those farther away, the nearest first;
 * 8. among equals the fewest active shipments, the longest idle, the lower id, so that the choice is deterministic.
 */
export function chooseDriver(candidates: readonly Candidate[], search: Search): Candidate | undefined {
  const hasOwnDriver = candidates.some(({ companyId }) => companyId === search.companyId);
  let best: Ranked | undefined;
  for (const candidate of candidates) {
    if (hasOwnDriver !== (candidate.companyId === search.companyId) || !isEligible(candidate, search)) continue;
    const { position } = candidate;
    const refusals = search.refusals.filter((id) => id === candidate.id).length;
    const ranked = { candidate, refusals, distance: position && metersBetween(position, search.pickup) };
    if (best === undefined || isBefore(ranked, best)) best = ranked;
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
  /** Offers of this search. */
  readonly refusals: number;
  /** In metres; undefined for a driver whose position is not known. */
  readonly distance: number | undefined;
}

/** Very near, near, unknown, far: the order in which drivers are asked. */
function bandOf({ distance }: Ranked): number {
  if (distance === undefined) return 2;
  if (distance <= LOAD_FIRST_METRES) return 0;
  return distance <= NEAR_METRES ? 1 : 3;
}

function isBefore(first: Ranked, second: Ranked): boolean {
  if (first.refusals !== second.refusals) return first.refusals < second.refusals;
  const band = bandOf(first);
  if (band !== bandOf(second)) return band < bandOf(second);
  const [one, two] = [first.candidate, second.candidate];
  const load = one.activeCount - two.activeCount;
  const way = (first.distance ?? 0) - (second.distance ?? 0);
  const difference = band === 0 ? load || way : way || load;
  if (difference !== 0) return difference < 0;
  if (one.idleSince !== two.idleSince) return one.idleSince < two.idleSince;
  return one.id < two.id;
}
