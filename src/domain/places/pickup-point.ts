import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Location } from '../../contract/shipment.ts';
import { Kept } from '../../core/kept.ts';
import type { Coordinates } from '../../ports/routing.ts';
import { type BranchRow, branchByCode, type PickupLocationRow, pickupLocationByCode } from './store.ts';

/** The data that a shipment copies from its pickup location. */
export interface PickupPoint {
  readonly branchCode: string;
  readonly location: Location & Coordinates;
  /** The version of the pickup location. The SQL of a creation refuses any other version. */
  readonly version: number;
}

/** Some 400 bytes each. */
const POINTS_MAX = 5_000;

/**
 * Caches pickup points. A creation copies from here, and its SQL checks that the copy is still current. So a stale
 * entry costs a second attempt and never creates a wrong shipment.
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

/** The branch and the pickup location of a request, each if the company has it. */
export interface NamedPlaces {
  readonly branch: BranchRow | undefined;
  readonly pickupLocation: PickupLocationRow | undefined;
}

/** Reads both places in one request; undefined if the database did not answer. */
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
