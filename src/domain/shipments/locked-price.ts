import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import { formatInstant } from '../../core/instant.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import { parseUuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { Coordinates, Routing } from '../../ports/routing.ts';
import { resolveRoute } from '../pricing/estimate.ts';
import { presentSums } from '../pricing/price-limit.ts';
import { differences, type LockDependencies, openLock, type PriceLock } from '../pricing/price-lock.ts';
import { termsOf } from '../pricing/store.ts';
import type { Tariff } from '../pricing/tariff.ts';
import { agreedSums, agreeNow } from '../pricing/terms.ts';
import type { Created, CreateOrder } from './creation.ts';

/* The price lock of a creation. All refusals here come after a replay and before the rules about the body. */

/**
 * The lock of an order; undefined if it has none. Refused if the lock does not open, has expired, or is for something
 * else. `pickup` is the point of the pickup location, if that is known.
 */
export async function checkLock(
  dependencies: LockDependencies & { readonly clock: CompanyClock },
  scope: CompanyScope,
  { priceLock, request }: CreateOrder,
  pickup: Coordinates | undefined,
): Promise<Result<PriceLock | undefined>> {
  if (priceLock === undefined) return ok(undefined);
  const lock = await openLock(dependencies, scope, priceLock);
  if (lock === undefined) return refuse('PRICE_LOCK_INVALID');
  const { expiresAt } = lock;
  if (dependencies.clock.now() > expiresAt) {
    return refuse('PRICE_LOCK_EXPIRED', { members: { expiredAt: formatInstant(expiresAt), price: null } });
  }
  const violations = differences(lock, request, pickup);
  return violations.length === 0 ? ok(lock) : refuse('PRICE_LOCK_MISMATCH', { violations });
}

/** The same refusal; that of an expired lock has the price of the shipment now, if it is known. */
export async function withCurrentPrice<Value>(
  result: Result<Value>,
  routing: Routing,
  { request: { destination } }: CreateOrder,
  { tariff, pickup }: { readonly tariff: Tariff; readonly pickup: Coordinates | undefined },
): Promise<Result<Value>> {
  if (result.ok || result.code !== 'PRICE_LOCK_EXPIRED') return result;
  const { cityCode } = destination;
  if (pickup === undefined || !tariff.citySurcharges.has(cityCode)) return result;
  const route = await resolveRoute(routing, pickup, destination, 'destination');
  if (!route.ok) return result;
  const price = presentSums(agreedSums(agreeNow(tariff, route.value, cityCode)));
  return { ...result, members: { ...result.members, price } };
}

/** A replay with the id of the lock that its shipment was created with. */
export async function withLockId(
  { database }: { readonly database: Database },
  scope: CompanyScope,
  created: Created,
): Promise<Result<Created>> {
  const shipmentId = parseUuid(created.shipment.shipmentId);
  if (shipmentId === undefined) throw new Error('A shipment has no id');
  const answer = await database.read(termsOf(scope, shipmentId));
  return answer.ok ? ok({ ...created, lockId: answer.rows[0]?.lockId ?? null }) : unavailable();
}
