import type { Database } from '../../../db/database.ts';
import type { WriteStatement } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Charges } from '../../contract/price-estimate.ts';
import { formatInstant, type Instant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { DrivingRoute } from '../../ports/routing.ts';
import { cancellationFeeInsert, chargesReversal, creditInsert, laterChargesOf, termsInsert, termsOf } from './store.ts';
import { type PriceLine, priceLines, sumLines, type Tariff } from './tariff.ts';

/** The SQL that freezes a shipment's terms, for the unit that creates the shipment. */
export function freezeTerms(
  shipment: { readonly id: Uuid; readonly companyId: Uuid; readonly createdAt: Instant },
  tariff: Tariff,
  { route, destinationCityCode }: { route: DrivingRoute; destinationCityCode: string },
): WriteStatement {
  return termsInsert({
    shipmentId: shipment.id,
    companyId: shipment.companyId,
    tariffVersion: tariff.version,
    currency: tariff.currency,
    lines: JSON.stringify(priceLines(tariff, route.distanceMeters, destinationCityCode)),
    vatRate: tariff.vatRate,
    cancellationAmount: tariff.cancellationAmount,
    cancellationGraceSeconds: tariff.cancellationGraceSeconds,
    lateCancellationSeconds: tariff.lateCancellationSeconds,
    lockSecondsMax: tariff.lockSecondsMax,
    distanceMeters: route.distanceMeters,
    durationSeconds: route.durationSeconds,
    geometry: route.geometry,
    createdAt: shipment.createdAt,
  });
}

/**
 * The SQL of a cancellation's charges, for the unit that cancels. It reverses the frozen lines one by one, and adds the
 * fee if the merchant has to pay it.
 */
export function chargeCancellation(shipmentId: Uuid, hasFee: boolean, now: Instant): WriteStatement[] {
  const reversal = chargesReversal(shipmentId, now);
  return hasFee ? [reversal, cancellationFeeInsert(shipmentId, now)] : [reversal];
}

/** The SQL that credits a parcel that the carrier lost or damaged, for the unit of the failure. */
export function creditFailure(shipmentId: Uuid, now: Instant): WriteStatement {
  return creditInsert(shipmentId, now);
}

/** The charges of a shipment: the frozen lines, later lines, and their sums. */
export async function readCharges(database: Database, scope: CompanyScope, shipmentId: Uuid): Promise<Result<Charges>> {
  const answer = await database.readAll([termsOf(scope, shipmentId), laterChargesOf(scope, shipmentId)] as const);
  if (!answer.ok) return unavailable();
  const [[terms], later] = answer.results;
  if (terms === undefined) return refuse('ACCESS_DENIED');
  const frozen = parseStored<PriceLine[]>(terms.lines).map((line) => ({ ...line, createdAt: terms.createdAt }));
  const lines = [...frozen, ...later];
  const { netAmount, vatAmount, totalAmount } = sumLines(lines, terms.vatRate);
  return ok({
    currency: terms.currency,
    lines: lines.map(({ code, amount, createdAt }) => ({ code, amount, createdAt: formatInstant(createdAt) })),
    netAmount,
    vatRate: terms.vatRate,
    vatAmount,
    totalAmount,
    tariffVersion: terms.tariffVersion,
    distanceMeters: terms.distanceMeters,
    durationSeconds: terms.durationSeconds,
    terms: {
      cancellationAmount: terms.cancellationAmount,
      cancellationGraceSeconds: terms.cancellationGraceSeconds,
      lateCancellationSeconds: terms.lateCancellationSeconds,
      lockSecondsMax: terms.lockSecondsMax,
    },
  });
}
