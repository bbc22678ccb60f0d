import type { Database } from '../../../db/database.ts';
import type { Capability, City } from '../../contract/coverage.ts';
import { PROOF_REQUIREMENTS } from '../../contract/proof-state.ts';
import { largestDecimal } from '../../core/decimal.ts';
import { capabilityTitle, cityName } from '../../core/names.ts';
import { ok, type Result, unavailable } from '../../core/result.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import { isOfEveryDriver, type ServiceLevel } from '../offers/service-level.ts';
import type { ServiceLevelBook } from '../offers/service-level-book.ts';
import type { TariffBook } from '../pricing/tariff-book.ts';

export interface CoverageDependencies {
  /** The company's shard. */
  readonly database: Database;
  readonly directory: { readonly database: Database };
  readonly clock: CompanyClock;
  readonly tariffBook: TariffBook;
  readonly serviceLevelBook: ServiceLevelBook;
}

/** The cities of the tariff in force, by code, and whether a service level delivers to each. */
export async function listCities(dependencies: CoverageDependencies): Promise<Result<{ data: City[] }>> {
  const { directory, clock, tariffBook } = dependencies;
  const tariff = await tariffBook.current(directory.database, clock.now());
  if (!tariff.ok) return tariff;
  const levels = await activeLevels(dependencies);
  if (levels === undefined) return unavailable();
  const data = [...tariff.value.citySurcharges].map(([cityCode, surcharge]) => ({
    cityCode,
    name: cityName(cityCode, 'en'),
    nameAr: cityName(cityCode, 'ar'),
    serviced: levels.some(({ cities }) => cities.has(cityCode)),
    surcharge,
  }));
  return ok({ data: data.toSorted((left, right) => compareCodes(left.cityCode, right.cityCode)) });
}

/** What a shipment can require, by code: where it is offered, and the largest limits of the service levels that offer it. */
export async function listCapabilities(dependencies: CoverageDependencies): Promise<Result<{ data: Capability[] }>> {
  const levels = await activeLevels(dependencies);
  if (levels === undefined) return unavailable();
  const codes = new Set(
    levels.flatMap(({ capabilities }) => [...capabilities]).filter((code) => !isOfEveryDriver(code)),
  );
  const data = [...codes].map((code) => {
    const offering = levels.filter(({ capabilities }) => capabilities.has(code));
    return {
      code,
      title: capabilityTitle(code, 'en'),
      titleAr: capabilityTitle(code, 'ar'),
      cities: [...new Set(offering.flatMap(({ cities }) => [...cities]))].toSorted(compareCodes),
      weightKilogramsMax: largestDecimal(offering.map(({ weightKilogramsMax }) => weightKilogramsMax)),
      lengthCentimetresMax: largestDecimal(offering.map(({ lengthCentimetresMax }) => lengthCentimetresMax)),
    };
  });
  const everywhere = [...new Set(levels.flatMap(({ cities }) => [...cities]))].toSorted(compareCodes);
  const proofs = PROOF_REQUIREMENTS.map((code) => ({
    code,
    title: capabilityTitle(code, 'en'),
    titleAr: capabilityTitle(code, 'ar'),
    cities: everywhere,
    weightKilogramsMax: null,
    lengthCentimetresMax: null,
  }));
  return ok({ data: [...data, ...proofs].toSorted((left, right) => compareCodes(left.code, right.code)) });
}

async function activeLevels({ database, serviceLevelBook }: CoverageDependencies): Promise<ServiceLevel[] | undefined> {
  return (await serviceLevelBook.levels(database))?.filter(({ isActive }) => isActive);
}

function compareCodes(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
