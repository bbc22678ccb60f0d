import type { CompanyScope } from '../../access/require.ts';
import type { Sealer } from '../../access/sealer.ts';
import type { PriceCode } from '../../contract/price-estimate.ts';
import type { ShipmentRequest } from '../../contract/shipment.ts';
import { compareDecimals, type Decimal } from '../../core/decimal.ts';
import type { Deployment } from '../../core/deployment.ts';
import { metersBetween } from '../../core/earth.ts';
import { formatInstant, type Instant, parseInstant } from '../../core/instant.ts';
import { PRICE_LOCK_METERS_MAX } from '../../core/limits.ts';
import type { Violation } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Coordinates } from '../../ports/routing.ts';
import type { PriceLine } from './tariff.ts';
import type { TariffTerms } from './terms.ts';

/*
 * A price lock is a text that only this service can write and read, sealed as cursors are, with keys of its own. Nothing
 * of it is stored until a shipment is created with it.
 */

/** A price that holds until an instant, for one shipment of one company. */
export interface PriceLock {
  readonly lockId: Uuid;
  readonly pickupLocationCode: string;
  readonly pickup: Coordinates;
  readonly destination: Coordinates & { readonly cityCode: string };
  readonly codAmount: Decimal;
  readonly lines: readonly PriceLine<PriceCode>[];
  readonly tariff: TariffTerms;
  readonly lockedAt: Instant;
  readonly expiresAt: Instant;
}

export interface LockDependencies {
  readonly priceLocks: Sealer;
  readonly config: { readonly deployment: Deployment };
}

/** Authenticated with a lock, so that it opens for the same company of the same deployment only. */
function bindingOf({ config }: LockDependencies, { companyId }: CompanyScope) {
  return ['price-lock', '1', config.deployment, companyId];
}

/** The content of a lock without the names of its members, which would double its length. */
type Content = readonly [
  lockId: Uuid,
  pickup: readonly [code: string, latitude: Decimal, longitude: Decimal],
  destination: readonly [cityCode: string, latitude: Decimal, longitude: Decimal],
  codAmount: Decimal,
  lines: readonly (readonly [PriceCode, Decimal])[],
  tariff: readonly [
    version: number,
    currency: string,
    cancellationAmount: Decimal,
    graceSeconds: number,
    lateSeconds: number | null,
    lockSecondsMax: number,
    amendmentFreeMeters: number,
    returnRate: Decimal,
    redeliveryRate: Decimal,
  ],
  lockedAt: string,
  expiresAt: string,
];

export function sealLock(dependencies: LockDependencies, scope: CompanyScope, lock: PriceLock): Promise<string> {
  const { pickup, destination, tariff } = lock;
  const content: Content = [
    lock.lockId,
    [lock.pickupLocationCode, pickup.latitude, pickup.longitude],
    [destination.cityCode, destination.latitude, destination.longitude],
    lock.codAmount,
    lock.lines.map(({ code, amount }) => [code, amount]),
    [
      tariff.version,
      tariff.currency,
      tariff.cancellationAmount,
      tariff.cancellationGraceSeconds,
      tariff.lateCancellationSeconds,
      tariff.lockSecondsMax,
      tariff.amendmentFreeMeters,
      tariff.returnRate,
      tariff.redeliveryRate,
    ],
    formatInstant(lock.lockedAt),
    formatInstant(lock.expiresAt),
  ];
  return dependencies.priceLocks.seal(bindingOf(dependencies, scope), content);
}

/** Undefined for a lock of another company or deployment, a changed one, and one of a key that is no longer known. */
export async function openLock(
  dependencies: LockDependencies,
  scope: CompanyScope,
  text: string,
): Promise<PriceLock | undefined> {
  const content = await dependencies.priceLocks.open<Content>(bindingOf(dependencies, scope), text);
  if (content === undefined) return undefined;
  const [lockId, pickup, destination, codAmount, lines, tariff] = content;
  const [lockedAt, expiresAt] = [parseInstant(content[6]), parseInstant(content[7])];
  if (lockedAt === undefined || expiresAt === undefined) throw new Error('A price lock was sealed without its times');
  const [
    version,
    currency,
    cancellationAmount,
    cancellationGraceSeconds,
    lateCancellationSeconds,
    lockSecondsMax,
    amendmentFreeMeters,
    returnRate,
    redeliveryRate,
  ] = tariff;
  return {
    lockId,
    pickupLocationCode: pickup[0],
    pickup: { latitude: pickup[1], longitude: pickup[2] },
    destination: { cityCode: destination[0], latitude: destination[1], longitude: destination[2] },
    codAmount,
    lines: lines.map(([code, amount]) => ({ code, amount })),
    tariff: {
      version,
      currency,
      cancellationAmount,
      cancellationGraceSeconds,
      lateCancellationSeconds,
      lockSecondsMax,
      amendmentFreeMeters,
      returnRate,
      redeliveryRate,
    },
    lockedAt,
    expiresAt,
  };
}

/** What a creation differs in from its lock. The point of its pickup location is compared if it is known. */
export function differences(
  lock: PriceLock,
  { pickupLocationCode, destination, codAmount }: ShipmentRequest,
  pickup: Coordinates | undefined,
): Violation[] {
  const isMoved = pickup !== undefined && !isSamePoint(pickup, lock.pickup);
  const isFar = metersBetween(lock.destination, destination) > PRICE_LOCK_METERS_MAX;
  const fields = [
    ...(pickupLocationCode !== lock.pickupLocationCode || isMoved ? ['pickupLocationCode'] : []),
    ...(destination.cityCode === lock.destination.cityCode ? [] : ['destination.cityCode']),
    ...(isFar ? ['destination'] : []),
    ...(compareDecimals(codAmount, lock.codAmount) === 0 ? [] : ['codAmount']),
  ];
  return fields.map((field) => ({ field, code: 'NOT_AS_LOCKED' }));
}

function isSamePoint(first: Coordinates, second: Coordinates): boolean {
  return first.latitude === second.latitude && first.longitude === second.longitude;
}
