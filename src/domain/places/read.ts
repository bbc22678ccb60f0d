import type { CompanyScope } from '../../access/require.ts';
import type { Branch, PickupLocation } from '../../contract/place.ts';
import { formatInstant } from '../../core/instant.ts';
import { maskPhone } from '../../core/phone.ts';
import type { Result } from '../../core/result.ts';
import { type Page, type PageDependencies, type PageRequest, positionOf, readPage } from '../page.ts';
import { type BranchFilter, branchPage, type PickupLocationFilter, pickupLocationPage } from './page-store.ts';
import type { BranchRow, PickupLocationRow } from './store.ts';

/** Branches of the company, newest first. */
export function listBranches(
  dependencies: PageDependencies,
  scope: CompanyScope,
  { limit, cursor, ...filter }: PageRequest & BranchFilter,
): Promise<Result<Page<Branch>>> {
  return readPage(
    dependencies,
    { limit, cursor },
    {
      binding: ['branches', scope.companyId, filter.status, 'createdAt desc'],
      select: (after, rows) => branchPage(scope, filter, positionOf(after), rows),
      positionOf: (row) => [String(row.createdAt), row.branchCode],
      present: presentBranch,
    },
  );
}

/** Pickup locations of the company, newest first. */
export function listPickupLocations(
  dependencies: PageDependencies,
  scope: CompanyScope,
  { limit, cursor, ...filter }: PageRequest & PickupLocationFilter,
): Promise<Result<Page<PickupLocation>>> {
  return readPage(
    dependencies,
    { limit, cursor },
    {
      binding: ['pickup-locations', scope.companyId, filter.status, filter.branchCode, 'createdAt desc'],
      select: (after, rows) => pickupLocationPage(scope, filter, positionOf(after), rows),
      positionOf: (row) => [String(row.createdAt), row.pickupLocationCode],
      present: presentPickupLocation,
    },
  );
}

export function presentBranch(row: BranchRow): Branch {
  const { branchCode, name, nameAr, cityCode, status, version } = row;
  return {
    branchCode,
    name,
    nameAr,
    cityCode,
    status,
    createdAt: formatInstant(row.createdAt),
    updatedAt: formatInstant(row.updatedAt),
    version,
  };
}

export function presentPickupLocation(row: PickupLocationRow): PickupLocation {
  const { addressLine, cityCode, latitude, longitude } = row;
  return {
    pickupLocationCode: row.pickupLocationCode,
    branchCode: row.branchCode,
    name: row.name,
    nameAr: row.nameAr,
    location: { addressLine, cityCode, latitude, longitude },
    contactName: row.contactName,
    maskedContactPhone: row.contactPhone === null ? null : maskPhone(row.contactPhone),
    instructions: row.instructions,
    status: row.status,
    createdAt: formatInstant(row.createdAt),
    updatedAt: formatInstant(row.updatedAt),
    version: row.version,
  };
}
