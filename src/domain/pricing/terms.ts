import type { Database } from '../../../db/database.ts';
import type { WriteStatement } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Charges } from '../../contract/price-estimate.ts';
import type { Decimal } from '../../core/decimal.ts';
import { formatInstant, type Instant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { DrivingRoute } from '../../ports/routing.ts';
import {
  cancellationFeeInsert,
  chargesReversal,
  creditInsert,
  laterChargesOf,
  type TermsRow,
  termsInsert,
  termsOf,
} from './store.ts';
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
    priceLock: presentLock(terms),
  });
}

function presentLock({ lockId, lockedAt, lockExpiresAt }: TermsRow): Charges['priceLock'] {
  if (lockId === null || lockedAt === null || lockExpiresAt === null) return null;
  return { lockId, lockedAt: formatInstant(lockedAt), expiresAt: formatInstant(lockExpiresAt) };
}
