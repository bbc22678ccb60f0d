import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Location } from '../../contract/shipment.ts';
import { Kept } from '../../core/kept.ts';
import type { Coordinates } from '../../ports/routing.ts';
import { type BranchRow, branchByCode, type PickupLocationRow, pickupLocationByCode } from './store.ts';

/** What a shipment copies of the place it is collected from. */
export interface PickupPoint {
  readonly branchCode: string;
  readonly location: Location & Coordinates;
  /** Of the pickup location. The creating SQL refuses when it is no longer this one. */
  readonly version: number;
}

/** Some 400 bytes each. */
const POINTS_MAX = 5_000;

/**
 * Pickup points this process has seen. A creation takes what it copies from here and lets its SQL check that the copy
 * is still true, so a stale entry costs a second try and never a wrong shipment.
 */
export class PickupPoints {
  readonly #points = new Kept<string, PickupPoint>({ entriesMax: POINTS_MAX });

  get(scope: CompanyScope, branchCode: string, pickupLocationCode: string): PickupPoint | undefined {
    return this.#points.get(keyOf(scope, branchCode, pickupLocationCode));
  }

  remember(scope: CompanyScope, row: PickupLocationRow): PickupPoint {
    const { addressLine, cityCode, latitude, longitude } = row;
    const point = {
      branchCode: row.branchCode,
      version: row.version,
      location: { addressLine, cityCode, latitude, longitude },
    };
    this.#points.set(keyOf(scope, row.branchCode, row.pickupLocationCode), point);
    return point;
  }

  forget(scope: CompanyScope, branchCode: string, pickupLocationCode: string): void {
    this.#points.forget(keyOf(scope, branchCode, pickupLocationCode));
  }
}

function keyOf(scope: CompanyScope, branchCode: string, pickupLocationCode: string): string {
  return `${scope.companyId} ${branchCode} ${pickupLocationCode}`;
}

/** The branch and pickup location a request names, as far as they are the company's. */
export interface NamedPlaces {
  readonly branch: BranchRow | undefined;
  readonly pickupLocation: PickupLocationRow | undefined;
}

/** Reads both places in one request; undefined when the database did not answer. */
export async function readNamedPlaces(
  database: Database,
  scope: CompanyScope,
  codes: { branchCode: string; pickupLocationCode: string },
): Promise<NamedPlaces | undefined> {
  const reads = [branchByCode(scope, codes.branchCode), pickupLocationByCode(scope, codes.pickupLocationCode)] as const;
  const answer = await database.readAll(reads);
  if (!answer.ok) return undefined;
  const [[branch], [pickupLocation]] = answer.results;
  return { branch, pickupLocation };
}
