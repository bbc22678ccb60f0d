import type { ShipmentRequest } from '../../contract/shipment.ts';
import { compareDecimals, type Decimal, literalDecimal } from '../../core/decimal.ts';
import { chooseServiceLevel, type Requirements, type ServiceLevel } from './service-level.ts';

/**
 * What dispatch needs to know of a new shipment. It chooses the service level from requirements, total weight, longest side
 * and destination city. The driver pool is that of the pickup city. If no level is eligible, that is not an error: the
 * shipment becomes DISPATCH_UNRESOLVED.
 */
export function dispatchBasis(
  { totalWeightKilograms, pickupCityCode }: { totalWeightKilograms: Decimal; pickupCityCode: string },
  levels: readonly ServiceLevel[],
  request: ShipmentRequest,
) {
  const serviceLevelCode = serviceLevelFor(levels, request, totalWeightKilograms)?.code ?? null;
  return { serviceLevelCode, pickupCityCode, lengthCentimetres: longestSideOf(request.items) };
}

/** The service level for what a shipment needs; undefined if none is eligible. */
export function serviceLevelFor(
  levels: readonly ServiceLevel[],
  request: Load,
  weightKilograms: Decimal,
): ServiceLevel | undefined {
  return chooseServiceLevel(levels, requirementsOf(request, weightKilograms));
}

/** The members of a request that decide on its service level. */
export interface Load extends Pick<ShipmentRequest, 'requirements' | 'items'> {
  readonly destination: Pick<ShipmentRequest['destination'], 'cityCode'>;
}

/** What a shipment needs of a service level. */
export function requirementsOf({ requirements, items, destination }: Load, weightKilograms: Decimal): Requirements {
  const { cityCode } = destination;
  return { requirements, weightKilograms, lengthCentimetres: longestSideOf(items), cityCode };
}

function longestSideOf(items: ShipmentRequest['items']): Decimal {
  let longest = literalDecimal('0');
  for (const { lengthCentimetres, widthCentimetres, heightCentimetres } of items) {
    for (const side of [lengthCentimetres, widthCentimetres, heightCentimetres]) {
      if (side != null && compareDecimals(side, longest) > 0) longest = side;
    }
  }
  return longest;
}
