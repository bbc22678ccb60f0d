import { compareDecimals, type Decimal } from '../../core/decimal.ts';

/** A kind of delivery: what it can carry, and where. */
export interface ServiceLevel {
  readonly code: string;
  readonly capabilities: ReadonlySet<string>;
  readonly cities: ReadonlySet<string>;
  readonly weightKilogramsMax: Decimal;
  readonly lengthCentimetresMax: Decimal;
  readonly rank: number;
  readonly isActive: boolean;
}

/** What a shipment requires of a service level and of a driver. */
export interface Requirements {
  readonly requirements: readonly string[];
  readonly weightKilograms: Decimal;
  /** The longest side of any item; zero if no item has dimensions. */
  readonly lengthCentimetres: Decimal;
  readonly cityCode: string;
}

/** The eligible service level with the lowest rank, then the first by code, so that the choice is always the same. */
export function chooseServiceLevel(levels: readonly ServiceLevel[], load: Requirements): ServiceLevel | undefined {
  return levels
    .filter((level) => level.isActive && level.cities.has(load.cityCode) && canCarry(level, load))
    .toSorted((first, second) => first.rank - second.rank || (first.code < second.code ? -1 : 1))[0];
}

/** Whether all requirements are met and no item is too heavy or too long. */
export function canCarry(
  carrier: Pick<ServiceLevel, 'capabilities' | 'weightKilogramsMax' | 'lengthCentimetresMax'>,
  load: Requirements,
): boolean {
  return (
    hasAll(carrier.capabilities, load.requirements) &&
    compareDecimals(load.weightKilograms, carrier.weightKilogramsMax) <= 0 &&
    compareDecimals(load.lengthCentimetres, carrier.lengthCentimetresMax) <= 0
  );
}

/** Whether a service level or a driver offers all that is required. What proves a delivery is for every driver, so nobody lists it. */
export function hasAll(capabilities: ReadonlySet<string>, requirements: readonly string[]): boolean {
  return requirements.every((code) => capabilities.has(code) || isOfEveryDriver(code));
}

/** `PROOF_REQUIREMENTS`, without their module, which the start of a Worker does not need. */
export function isOfEveryDriver(code: string): boolean {
  return /^PROOF_(PIN|PHOTO|SIGNATURE)$/.test(code);
}
