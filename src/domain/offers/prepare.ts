import type { WriteStatement } from '../../../db/statement.ts';
import type { ShipmentRequest } from '../../contract/shipment.ts';
import { compareDecimals, type Decimal, literalDecimal } from '../../core/decimal.ts';
import type { Deployment } from '../../core/deployment.ts';
import type { Uuid } from '../../core/uuid.ts';
import { chooseServiceLevel, type ServiceLevel } from './service-level.ts';
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
  const lengthCentimetres = longestSideOf(request.items);
  const load = {
    requirements: request.requirements,
    weightKilograms: shipment.totalWeightKilograms,
    lengthCentimetres,
    cityCode: request.destination.cityCode,
  };
  const insert = dispatchInsert({
    shipmentId: shipment.id,
    companyId: shipment.companyId,
    serviceLevelCode: chooseServiceLevel(levels, load)?.code ?? null,
    cityCode: shipment.pickupCityCode,
    lengthCentimetres,
  });
  return deployment === 'production' ? [insert] : [insert, ...holdStatements(shipment.id, shipment.companyId)];
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
