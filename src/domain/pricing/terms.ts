import type { WriteStatement } from '../../../db/statement.ts';
import type { Decimal } from '../../core/decimal.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { DrivingRoute } from '../../ports/routing.ts';
import { amendmentsReversal, cancellationFeeInsert, chargesReversal, termsInsert } from './store.ts';
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
  | 'returnRate'
  | 'redeliveryRate'
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
    returnRate: tariff.returnRate,
    redeliveryRate: tariff.redeliveryRate,
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
 * The SQL of a cancellation's charges, for the unit that cancels. It reverses the frozen lines and those of amendments one by
 * one, and adds the fee if the merchant has to pay it.
 */
export function chargeCancellation(
  shipmentId: Uuid,
  { hasFee, isAmended }: { readonly hasFee: boolean; readonly isAmended: boolean },
  now: Instant,
): WriteStatement[] {
  return [
    chargesReversal(shipmentId, now),
    ...(isAmended ? [amendmentsReversal(shipmentId, now)] : []),
    ...(hasFee ? [cancellationFeeInsert(shipmentId, now)] : []),
  ];
}
