import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { PriceLockAnswer } from '../../contract/price-lock.ts';
import { minorUnits } from '../../core/currency.ts';
import { type Decimal, fractionDigits, literalDecimal } from '../../core/decimal.ts';
import { addSeconds, formatInstant, type Instant } from '../../core/instant.ts';
import { LOCK_SECONDS_DEFAULT, LOCK_SECONDS_MIN } from '../../core/limits.ts';
import { ok, type Result, refuse, unavailable, type Violation } from '../../core/result.ts';
import type { Random } from '../../ports/random.ts';
import type { Coordinates, DrivingRoute } from '../../ports/routing.ts';
import { branchByCode, type PickupLocationRow, pickupLocationByCode } from '../places/store.ts';
import { type EstimateDependencies, priceOfRoute, resolveRoute } from './estimate.ts';
import { pinViolations } from './pin.ts';
import { type LockDependencies, type PriceLock, sealLock } from './price-lock.ts';
import { priceLines, type Tariff } from './tariff.ts';

export interface LockPriceDependencies extends EstimateDependencies, LockDependencies {
  readonly database: Database;
  readonly random: Random;
}

/** What a price is locked for. */
export interface LockOrder {
  readonly pickupLocationCode: string;
  readonly destination: Coordinates & { readonly cityCode: string };
  readonly codAmount?: Decimal | undefined;
  readonly expiresInSeconds?: number | undefined;
}

/**
 * Locks the current price for one shipment. Stores nothing, so the same order twice makes two locks. All processes know a
 * tariff two minutes before it starts, so none locks a price that has ended.
 */
export async function lockPrice(
  dependencies: LockPriceDependencies,
  scope: CompanyScope,
  order: LockOrder,
): Promise<Result<PriceLockAnswer>> {
  const { directory, clock, tariffBook, routing, database } = dependencies;
  const tariff = await tariffBook.current(directory.database, clock.now());
  if (!tariff.ok) return tariff;
  const places = await database.read(pickupLocationByCode(scope, order.pickupLocationCode));
  if (!places.ok) return unavailable();
  const [pickup] = places.rows;
  const violations = violationsOf(order, tariff.value, pickup);
  if (pickup === undefined || violations.length > 0) return refuse('VALIDATION_FAILED', { violations });
  const branches = await database.read(branchByCode(scope, pickup.branchCode));
  if (!branches.ok) return unavailable();
  if (pickup.status === 'INACTIVE' || branches.rows[0]?.status !== 'ACTIVE') return refuse('BRANCH_INACTIVE');
  const route = await resolveRoute(routing, pickup, order.destination, 'destination');
  if (!route.ok) return route;
  return ok(await lockOf(dependencies, scope, { order, pickup, tariff: tariff.value, route: route.value }));
}

function violationsOf(
  { destination, codAmount, expiresInSeconds }: LockOrder,
  { citySurcharges, lockSecondsMax, currency }: Tariff,
  pickup: PickupLocationRow | undefined,
): Violation[] {
  const digits = minorUnits(currency) ?? 0;
  const violations: Violation[] = [];
  if (pickup === undefined) violations.push({ field: 'pickupLocationCode', code: 'PICKUP_LOCATION_UNKNOWN' });
  if (!citySurcharges.has(destination.cityCode)) {
    violations.push({ field: 'destination.cityCode', code: 'DESTINATION_NOT_SERVICEABLE' });
  } else violations.push(...pinViolations('destination', destination.cityCode, destination));
  if (codAmount !== undefined && fractionDigits(codAmount) > digits) {
    violations.push({ field: 'codAmount', code: 'SCALE_EXCEEDED', limit: String(digits) });
  }
  if (expiresInSeconds !== undefined && expiresInSeconds > lockSecondsMax) {
    const limit = `from ${LOCK_SECONDS_MIN} to ${lockSecondsMax}`;
    violations.push({ field: 'expiresInSeconds', code: 'OUT_OF_RANGE', limit });
  }
  return violations;
}

interface LockBasis {
  readonly order: LockOrder;
  readonly pickup: Coordinates;
  readonly tariff: Tariff;
  readonly route: DrivingRoute;
}

async function lockOf(
  dependencies: LockPriceDependencies,
  scope: CompanyScope,
  { order, pickup, tariff, route }: LockBasis,
): Promise<PriceLockAnswer> {
  const { destination } = order;
  const { cityCode: destinationCityCode } = destination;
  const lockedAt: Instant = dependencies.clock.now();
  const seconds = order.expiresInSeconds ?? Math.min(LOCK_SECONDS_DEFAULT, tariff.lockSecondsMax);
  const lock: PriceLock = {
    lockId: dependencies.random.uuid(),
    pickupLocationCode: order.pickupLocationCode,
    pickup,
    destination,
    codAmount: order.codAmount ?? literalDecimal('0'),
    lines: priceLines(tariff, route.distanceMeters, destinationCityCode),
    tariff,
    lockedAt,
    expiresAt: addSeconds(lockedAt, seconds),
  };
  const { estimatedAt, ...price } = priceOfRoute(tariff, { route, destinationCityCode }, lockedAt);
  const { cancellationAmount, cancellationGraceSeconds, lateCancellationSeconds, lockSecondsMax } = tariff;
  const { amendmentFreeMeters, returnRate, redeliveryRate } = tariff;
  return {
    priceLock: await sealLock(dependencies, scope, lock),
    lockId: lock.lockId,
    lockedAt: estimatedAt,
    expiresAt: formatInstant(lock.expiresAt),
    ...price,
    terms: {
      cancellationAmount,
      cancellationGraceSeconds,
      lateCancellationSeconds,
      lockSecondsMax,
      amendmentFreeMeters,
      returnRate,
      redeliveryRate,
    },
  };
}
