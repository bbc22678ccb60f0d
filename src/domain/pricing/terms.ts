import type { WriteStatement } from '../../../db/statement.ts';
import type { Decimal } from '../../core/decimal.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { DrivingRoute } from '../../ports/routing.ts';
import { cancellationFeeInsert, chargesReversal, creditInsert, termsInsert } from './store.ts';
import { type PriceLine, type PriceSums, priceLines, sumLines, type Tariff } from './tariff.ts';

/** The rules of a tariff that hold for a shipment from its creation, or from its price lock. */
export type TariffTerms = Pick<
  Tariff,
  | 'version'
  | 'currency'
  | 'cancellationAmount'
  | 'cancellationGraceSeconds'
  | 'lateCancellationSeconds'
  | 'lockSecondsMax'
  | 'amendmentFreeMeters'
>;

/** A price with its rules, as they will be frozen. */
export interface Agreement {
  readonly tariff: TariffTerms;
  readonly vatRate: Decimal;
  readonly lines: readonly PriceLine[];
  /** The lock that the price is from; null without a lock. */
  readonly lock: { readonly lockId: Uuid; readonly lockedAt: Instant; readonly expiresAt: Instant } | null;
}

/** The price of a route by the tariff in force. */
export function agreeNow(tariff: Tariff, { distanceMeters }: DrivingRoute, destinationCityCode: string): Agreement {
  const lines = priceLines(tariff, distanceMeters, destinationCityCode);
  return { tariff, vatRate: tariff.vatRate, lines, lock: null };
}

/** What an agreement costs. */
export function agreedSums({ tariff: { currency }, vatRate, lines }: Agreement): PriceSums {
  const { netAmount, vatAmount, totalAmount } = sumLines(lines, vatRate);
  return { currency, netAmount, vatRate, vatAmount, totalAmount };
}

/** The SQL that freezes a shipment's terms, for the unit that creates the shipment. */
export function freezeTerms(
  shipment: { readonly id: Uuid; readonly companyId: Uuid; readonly createdAt: Instant },
  { tariff, vatRate, lines, lock }: Agreement,
  route: DrivingRoute,
): WriteStatement {
  return termsInsert({
    shipmentId: shipment.id,
    companyId: shipment.companyId,
    tariffVersion: tariff.version,
    currency: tariff.currency,
    lines: JSON.stringify(lines),
    vatRate,
    cancellationAmount: tariff.cancellationAmount,
    cancellationGraceSeconds: tariff.cancellationGraceSeconds,
    lateCancellationSeconds: tariff.lateCancellationSeconds,
    lockSecondsMax: tariff.lockSecondsMax,
    amendmentFreeMeters: tariff.amendmentFreeMeters,
    lockId: lock?.lockId ?? null,
    lockedAt: lock?.lockedAt ?? null,
    lockExpiresAt: lock?.expiresAt ?? null,
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
