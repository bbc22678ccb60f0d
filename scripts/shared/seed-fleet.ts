import { eq } from 'drizzle-orm';
import type { LibSQLDatabase } from 'drizzle-orm/libsql';
import { driverPhones } from '../../db/directory/schema/drivers.ts';
import { tariffs } from '../../db/directory/schema/tariffs.ts';
import { drivers, serviceLevels } from '../../db/shard/schema/dispatch.ts';
import { literalDecimal } from '../../src/core/decimal.ts';
import { toE164 } from '../../src/core/phone.ts';
import {
  SAMPLE_ACTIVE_MAX,
  SAMPLE_DRIVERS,
  SAMPLE_SERVICE_LEVELS,
  SAMPLE_TARIFF,
  type SampleDriver,
  samplePhone,
} from './sample-fleet.ts';
import { newId, now, requireInstant } from './seed-values.ts';

/** Adds the first tariff if it is missing. */
export async function seedTariff(directory: LibSQLDatabase): Promise<void> {
  const { citySurcharges, ...sample } = SAMPLE_TARIFF;
  const row = {
    ...sample,
    effectiveFrom: requireInstant(SAMPLE_TARIFF.effectiveFrom),
    baseAmount: literalDecimal(SAMPLE_TARIFF.baseAmount),
    kilometreAmount: literalDecimal(SAMPLE_TARIFF.kilometreAmount),
    vatRate: literalDecimal(SAMPLE_TARIFF.vatRate),
    cancellationAmount: literalDecimal(SAMPLE_TARIFF.cancellationAmount),
    returnRate: literalDecimal(SAMPLE_TARIFF.returnRate),
    redeliveryRate: literalDecimal(SAMPLE_TARIFF.redeliveryRate),
    citySurcharges: JSON.stringify(citySurcharges),
    createdAt: now(),
  };
  await directory.insert(tariffs).values(row).onConflictDoNothing();
}

export interface FleetPlace {
  readonly directory: LibSQLDatabase;
  readonly database: LibSQLDatabase;
  /** The shard's name and its index among all shards. */
  readonly shard: string;
  readonly index: number;
}

/** Adds service levels and drivers of one shard if they are missing. */
export async function seedFleet(place: FleetPlace): Promise<void> {
  const made = { status: 'ACTIVE', createdAt: now(), updatedAt: now(), version: 0 } as const;
  for (const level of SAMPLE_SERVICE_LEVELS) {
    const { code, rank, capabilities, cities } = level;
    const lists = { capabilities: JSON.stringify(capabilities), cities: JSON.stringify(cities) };
    const row = { ...made, code, rank, ...lists, ...limitsOf(level) };
    await place.database.insert(serviceLevels).values(row).onConflictDoNothing();
  }
  for (const [index, driver] of SAMPLE_DRIVERS.entries()) {
    await seedDriver(place, driver, toE164(samplePhone(place.index, index)));
  }
}

/** The phone comes first, as in the service: it decides the driver's id and shard. */
async function seedDriver(
  { directory, database, shard }: FleetPlace,
  driver: SampleDriver,
  phone: string,
): Promise<void> {
  const made = now();
  const registration = { phone, driverId: newId(), shard, createdAt: made };
  await directory.insert(driverPhones).values(registration).onConflictDoNothing();
  const [registered] = await directory.select().from(driverPhones).where(eq(driverPhones.phone, phone));
  // If the order of the shards has changed, the driver stays in the earlier shard.
  if (registered?.shard !== shard) return;
  const row = {
    id: registered.driverId,
    phone,
    firstName: driver.firstName,
    vehicleType: driver.vehicleType,
    companyId: null,
    capabilities: JSON.stringify(driver.capabilities),
    ...limitsOf(driver),
    cityCode: driver.cityCode,
    status: 'ACTIVE',
    onDuty: 1,
    activeCount: 0,
    activeMax: SAMPLE_ACTIVE_MAX,
    latitude: literalDecimal(driver.latitude),
    longitude: literalDecimal(driver.longitude),
    positionAt: made,
    idleSince: made,
    missedOffers: 0,
    seenAt: null,
    offDutyReason: null,
    createdAt: made,
    updatedAt: made,
    version: 0,
  } as const;
  await database.insert(drivers).values(row).onConflictDoNothing();
}

function limitsOf(carrier: { readonly weightKilogramsMax: string; readonly lengthCentimetresMax: string }) {
  return {
    weightKilogramsMax: literalDecimal(carrier.weightKilogramsMax),
    lengthCentimetresMax: literalDecimal(carrier.lengthCentimetresMax),
  };
}
