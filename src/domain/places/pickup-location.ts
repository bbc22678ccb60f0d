import type { CompanyScope } from '../../access/require.ts';
import type { PickupLocation, PickupLocationChanges, PickupLocationRequest } from '../../contract/place.ts';
import type { PlaceStatus } from '../../contract/shipment-state.ts';
import type { Precondition } from '../../core/precondition.ts';
import { ok, type Result, refuse, unavailable, type Violation } from '../../core/result.ts';
import { auditOf, commitChange } from '../audit/change.ts';
import { changePlace, type PlaceDependencies } from './change.ts';
import { pickupLocationInsert, pickupLocationUpdate } from './change-store.ts';
import { readNamedPlaces } from './pickup-point.ts';
import { presentPickupLocation } from './read.ts';
import { type PickupLocationRow, pickupLocationByCode } from './store.ts';

/** Far more than a company has in the country; lists and counts read them row by row. */
const PICKUP_LOCATIONS_MAX = 1000;

/** Adds a pickup location to a branch. Its code is unique in the company and can never be reused. */
export async function createPickupLocation(
  dependencies: PlaceDependencies,
  scope: CompanyScope,
  request: PickupLocationRequest,
): Promise<Result<PickupLocation>> {
  const at = dependencies.clock.now();
  const { pickupLocationCode, branchCode, name, location } = request;
  const row: PickupLocationRow = {
    companyId: scope.companyId,
    pickupLocationCode,
    branchCode,
    name,
    nameAr: request.nameAr ?? null,
    ...location,
    contactName: request.contactName ?? null,
    contactPhone: request.contactPhone ?? null,
    instructions: request.instructions ?? null,
    status: 'ACTIVE',
    createdAt: at,
    updatedAt: at,
    version: 0,
  };
  const note = {
    action: 'pickup_location.created',
    subject: pickupLocationCode,
    at,
    detail: { branchCode, version: 0 },
  };
  const made = await commitChange(dependencies, {
    unit: { statements: [pickupLocationInsert(scope, row, PICKUP_LOCATIONS_MAX)] },
    audit: auditOf(dependencies, scope, note),
  });
  if (!made.ok) return made;
  return made.value ? ok(presentPickupLocation(row)) : explain(dependencies, scope, row);
}

/**
 * Why a pickup location could not be created. An unknown branch and a branch of another company get the same answer.
 */
async function explain({ database }: PlaceDependencies, scope: CompanyScope, row: PickupLocationRow) {
  const places = await readNamedPlaces(database, scope, row);
  if (places === undefined) return unavailable();
  const violations: Violation[] = [];
  if (places.branch === undefined) violations.push({ field: 'branchCode', code: 'BRANCH_UNKNOWN' });
  if (places.pickupLocation !== undefined) violations.push({ field: 'pickupLocationCode', code: 'DUPLICATE_ITEM' });
  if (violations.length === 0) {
    violations.push({ field: 'pickupLocationCode', code: 'TOO_MANY_ITEMS', limit: String(PICKUP_LOCATIONS_MAX) });
  }
  return refuse('VALIDATION_FAILED', { violations });
}

/** The pickup location, its expected version, and the actor. */
export interface PickupLocationOrder {
  readonly pickupLocationCode: string;
  readonly precondition: Precondition;
}

/** Changes a pickup location for shipments that are created from now on. Existing shipments keep their copy. */
export function updatePickupLocation(
  dependencies: PlaceDependencies,
  scope: CompanyScope,
  { changes, ...order }: PickupLocationOrder & { readonly changes: PickupLocationChanges },
): Promise<Result<PickupLocation>> {
  const action = 'pickup_location.updated';
  return changePickupLocation(dependencies, scope, { ...order, action, changes: given(changes) });
}

/** New shipments cannot use an inactive pickup location. Existing shipments are still collected there. */
export function setPickupLocationStatus(
  dependencies: PlaceDependencies,
  scope: CompanyScope,
  { status, ...order }: PickupLocationOrder & { readonly status: PlaceStatus },
): Promise<Result<PickupLocation>> {
  const action = status === 'ACTIVE' ? 'pickup_location.activated' : 'pickup_location.deactivated';
  return changePickupLocation(dependencies, scope, { ...order, action, changes: { status } });
}

interface PickupLocationChange extends PickupLocationOrder {
  readonly action: string;
  readonly changes: Partial<PickupLocationRow>;
}

async function changePickupLocation(
  dependencies: PlaceDependencies,
  scope: CompanyScope,
  { pickupLocationCode, ...order }: PickupLocationChange,
): Promise<Result<PickupLocation>> {
  const changed = await changePlace(dependencies, scope, {
    ...order,
    subject: pickupLocationCode,
    find: pickupLocationByCode(scope, pickupLocationCode),
    update: (row: PickupLocationRow) => pickupLocationUpdate(scope, row),
  });
  return changed.ok ? ok(presentPickupLocation(changed.value)) : changed;
}

function given({ location, ...members }: PickupLocationChanges): Partial<PickupLocationRow> {
  const { name, nameAr, contactName, contactPhone, instructions } = members;
  return {
    ...location,
    ...(name === undefined ? {} : { name }),
    ...(nameAr === undefined ? {} : { nameAr }),
    ...(contactName === undefined ? {} : { contactName }),
    ...(contactPhone === undefined ? {} : { contactPhone }),
    ...(instructions === undefined ? {} : { instructions }),
  };
}
