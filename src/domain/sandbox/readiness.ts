import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import {
  PREREQUISITES,
  type Prerequisite,
  SANDBOX_BRANCH_CODE,
  SANDBOX_CITY_CODE,
  SANDBOX_PICKUP_CODE,
  type SandboxReadiness,
} from '../../contract/sandbox.ts';
import { ok, type Result, unavailable } from '../../core/result.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { Routing } from '../../ports/routing.ts';
import { companyOf } from '../companies/store.ts';
import { serviceLevelOf } from '../offers/service-level-book.ts';
import { allServiceLevels } from '../offers/store.ts';
import { branchByCode, pickupLocationByCode } from '../places/store.ts';
import type { TariffBook } from '../pricing/tariff-book.ts';
import { DELIVERY_POINT, driverPhoneOf, localPhoneOf, PICKUP_POINT } from './fixtures.ts';
import { sandboxDriver, sandboxOf } from './store.ts';

export interface ReadinessDependencies {
  readonly database: Database;
  readonly directory: { readonly database: Database };
  readonly tariffBook: TariffBook;
  readonly routing: Routing;
  readonly clock: CompanyClock;
}

/** Which parts of a company's sandbox exist. Before the bootstrap it lists the same parts as not ready. */
export async function readReadiness(
  dependencies: ReadinessDependencies,
  scope: CompanyScope,
): Promise<Result<SandboxReadiness>> {
  const { database, directory, tariffBook, routing, clock } = dependencies;
  const company = directory.database.read(companyOf(scope));
  const answer = await database.readAll([
    sandboxOf(scope),
    sandboxDriver(scope),
    branchByCode(scope, SANDBOX_BRANCH_CODE),
    pickupLocationByCode(scope, SANDBOX_PICKUP_CODE),
    allServiceLevels(),
  ] as const);
  const registered = await company;
  if (!answer.ok || !registered.ok) return unavailable();
  const [[sandbox], [driver], [branch], [pickupLocation], levels] = answer.results;
  const tariff = await tariffBook.current(directory.database, clock.now());
  const isServed = levels.map(serviceLevelOf).some((level) => level.isActive && level.cities.has(SANDBOX_CITY_CODE));
  const ready: Readonly<Record<Prerequisite, boolean>> = {
    COMPANY_VERIFIED: registered.rows.length > 0,
    BRANCH: branch?.status === 'ACTIVE',
    PICKUP_LOCATION: pickupLocation?.status === 'ACTIVE' && pickupLocation.branchCode === SANDBOX_BRANCH_CODE,
    CITY: isServed && tariff.ok && tariff.value.citySurcharges.has(SANDBOX_CITY_CODE),
    COMMERCIAL_TERMS: tariff.ok,
    DRIVER: driver?.status === 'ACTIVE' && driver.onDuty === 1 && driver.activeCount < driver.activeMax,
    ROUTING: routing.engine !== 'none',
  };
  const prerequisites = PREREQUISITES.map((prerequisite) => ({ prerequisite, ready: ready[prerequisite] }));
  return ok({
    generation: sandbox?.generation ?? 1,
    canCreateShipment: sandbox !== undefined && prerequisites.every((one) => one.ready),
    nextShipmentDispatchHeld: sandbox?.dispatchHeld === 1,
    branchCode: SANDBOX_BRANCH_CODE,
    pickupLocationCode: SANDBOX_PICKUP_CODE,
    pickup: PICKUP_POINT,
    delivery: DELIVERY_POINT,
    destinationCityCode: SANDBOX_CITY_CODE,
    sandboxDriverPhone: localPhoneOf(driver?.phone ?? (await driverPhoneOf(scope.companyId, 'main', 0))),
    prerequisites,
  });
}
