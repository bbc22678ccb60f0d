import type { VehicleType } from '../../src/contract/driver-state.ts';

/** The first tariff. Amounts are text, because the database keeps exact decimals. */
export const SAMPLE_TARIFF = {
  version: 1,
  effectiveFrom: '2026-01-01T00:00:00Z',
  currency: 'SAR',
  baseAmount: '12',
  kilometreAmount: '1.25',
  vatRate: '0.15',
  cancellationAmount: '10',
  cancellationGraceSeconds: 0,
  lateCancellationSeconds: 3600,
  lockSecondsMax: 86_400,
  amendmentFreeMeters: 0,
  returnRate: '1',
  redeliveryRate: '1',
  citySurcharges: { RUH: '0', JED: '0', DMM: '5', MED: '5', MKK: '3' },
} as const;

const EVERY_CITY = Object.keys(SAMPLE_TARIFF.citySurcharges);

/** The service levels of every shard. */
export const SAMPLE_SERVICE_LEVELS = [
  {
    code: 'STANDARD',
    capabilities: ['FRAGILE', 'SIGNATURE'],
    weightKilogramsMax: '50',
    lengthCentimetresMax: '150',
    cities: EVERY_CITY,
    rank: 10,
  },
  {
    code: 'HEAVY',
    capabilities: ['FRAGILE', 'SIGNATURE', 'TAIL_LIFT'],
    weightKilogramsMax: '1000',
    lengthCentimetresMax: '400',
    cities: EVERY_CITY,
    rank: 20,
  },
] as const;

export interface SampleDriver {
  readonly firstName: string;
  readonly vehicleType: VehicleType;
  readonly capabilities: readonly string[];
  readonly weightKilogramsMax: string;
  readonly lengthCentimetresMax: string;
  readonly cityCode: string;
  readonly latitude: string;
  readonly longitude: string;
}

/** The drivers of every shard, all on duty. */
export const SAMPLE_DRIVERS: readonly SampleDriver[] = [
  {
    firstName: 'Salem',
    vehicleType: 'CAR',
    capabilities: ['FRAGILE', 'SIGNATURE'],
    weightKilogramsMax: '50',
    lengthCentimetresMax: '150',
    cityCode: 'RUH',
    latitude: '24.711',
    longitude: '46.6745',
  },
  {
    firstName: 'Nasser',
    vehicleType: 'TRUCK',
    capabilities: ['FRAGILE', 'SIGNATURE', 'TAIL_LIFT'],
    weightKilogramsMax: '1000',
    lengthCentimetresMax: '400',
    cityCode: 'RUH',
    latitude: '24.6408',
    longitude: '46.7728',
  },
  {
    firstName: 'Huda',
    vehicleType: 'VAN',
    capabilities: ['FRAGILE', 'SIGNATURE', 'TAIL_LIFT'],
    weightKilogramsMax: '1000',
    lengthCentimetresMax: '400',
    cityCode: 'JED',
    latitude: '21.5292',
    longitude: '39.1611',
  },
];

/** How many shipments each driver takes at a time. */
export const SAMPLE_ACTIVE_MAX = 5;

/** A different phone for each driver of each shard, in local format: 0500 101 001, 0500 101 002, … */
export function samplePhone(shardIndex: number, driverIndex: number): string {
  return `0500${101 + shardIndex}${String(driverIndex + 1).padStart(3, '0')}`;
}
