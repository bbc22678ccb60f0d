import type { WriteStatement } from '../../../db/statement.ts';
import type { ShipmentRequest } from '../../contract/shipment.ts';
import { compareDecimals, type Decimal, literalDecimal } from '../../core/decimal.ts';
import type { Deployment } from '../../core/deployment.ts';
import type { Uuid } from '../../core/uuid.ts';
import { chooseServiceLevel, type Requirements, type ServiceLevel } from './service-level.ts';
import { dispatchInsert, holdStatements } from './store.ts';

/**
 * The SQL that prepares a new shipment for dispatch. It chooses the service level from requirements, total weight,
 * longest side and destination city. The driver pool is that of the pickup city. If no level is eligible, that is not
 * an error: the shipment becomes DISPATCH_UNRESOLVED.
 */
export function prepareDispatch(
  shipment: {
    readonly id: Uuid;
    readonly companyId: Uuid;
    readonly totalWeightKilograms: Decimal;
    readonly pickupCityCode: string;
  },
  levels: readonly ServiceLevel[],
  request: ShipmentRequest,
  deployment: Deployment,
): WriteStatement[] {
  const insert = dispatchInsert({
    shipmentId: shipment.id,
    companyId: shipment.companyId,
    serviceLevelCode: serviceLevelFor(levels, request, shipment.totalWeightKilograms)?.code ?? null,
    cityCode: shipment.pickupCityCode,
    lengthCentimetres: longestSideOf(request.items),
  });
  return deployment === 'production' ? [insert] : [insert, ...holdStatements(shipment.id, shipment.companyId)];
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
