import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Sealer } from '../../access/sealer.ts';
import type { ShipmentRequest } from '../../contract/shipment.ts';
import { toBase64Url } from '../../core/base64url.ts';
import { sha256 } from '../../core/crypto.ts';
import type { Deployment } from '../../core/deployment.ts';
import { formatInstant, type Instant } from '../../core/instant.ts';
import { canonicalJson } from '../../core/json.ts';
import { part } from '../../core/part.ts';
import { ok, type Refusal, type Result, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Addresses } from '../../ports/addresses.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import type { Coordinates, DrivingRoute, Routing } from '../../ports/routing.ts';
import type { ServiceLevel } from '../offers/service-level.ts';
import type { ServiceLevelBook } from '../offers/service-level-book.ts';
import { type PickupPoint, type PickupPoints, readNamedPlaces } from '../places/pickup-point.ts';
import type { PickupLocationRow } from '../places/store.ts';
import { resolveRoute } from '../pricing/estimate.ts';
import { refuseAbove } from '../pricing/price-limit.ts';
import type { PriceLock } from '../pricing/price-lock.ts';
import type { Tariff } from '../pricing/tariff.ts';
import type { TariffBook } from '../pricing/tariff-book.ts';
import { type Agreement, agreedSums, agreeNow } from '../pricing/terms.ts';
import type { RefusalRows, RequestedCreation } from './create-refusal.ts';
import type { Created, CreateOrder } from './creation.ts';
import { meaningViolations } from './draft.ts';

/*
 * What a creation finds out before it writes anything. Creations and rehearsals of batches share these steps, so the order of the
 * checks exists once: the key, the price lock, the rules about the body, the route, the price limit.
 */

export interface CreateDependencies {
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: CompanyClock;
  readonly random: Random;
  readonly pickupPoints: PickupPoints;
  readonly directory: { readonly database: Database };
  readonly routing: Routing;
  readonly tariffBook: TariffBook;
  readonly serviceLevelBook: ServiceLevelBook;
  readonly priceLocks: Sealer;
  readonly config: { readonly deployment: Deployment };
  readonly addresses: Pick<Addresses, 'registry'>;
  /** How long before the pickup window dispatch begins; null: at once. */
  readonly waits: { readonly leadSeconds: number | null };
}

/** The inputs of a creation: the pickup location that it copies, its route and its price. */
export interface Basis {
  readonly point: PickupPoint;
  readonly route: DrivingRoute;
  readonly agreement: Agreement;
  readonly createdAt: Instant;
  readonly serviceLevels: readonly ServiceLevel[];
  readonly requested: RequestedCreation & { readonly lockId: Uuid | undefined };
}

/** `again`: something has changed in between, so the steps have to be repeated. */
export type Preparation =
  | { readonly kind: 'ready'; readonly basis: Basis }
  | { readonly kind: 'answer'; readonly result: Result<Created> }
  | { readonly kind: 'again' };

/** Checks a requested creation and finds its price. Stores nothing. */
export async function prepareCreation(
  dependencies: CreateDependencies,
  scope: CompanyScope,
  order: CreateOrder,
): Promise<Preparation> {
  const { request } = order;
  const explained = async (...why: Why) => answer(await explain(dependencies, scope, order, ...why));
  const tariff = await currentTariff(dependencies);
  const now = dependencies.clock.now();
  const violations = meaningViolations(request, now, tariff.ok ? tariff.value : undefined);
  const body = { request, fingerprint: await fingerprintOf(request), violations };
  // A replay needs neither the tariff nor the provider that the first creation needed.
  if (!tariff.ok) return explained(body, tariff);
  if (violations.length > 0 && order.priceLock === undefined) return explained(body);
  const cached = dependencies.pickupPoints.get(scope, request.branchCode, request.pickupLocationCode);
  const point = cached ?? (await readPickupPoint(dependencies, scope, request));
  if (point === 'unavailable') return answer(unavailable());
  const lock = order.priceLock === undefined ? NO_LOCK : await openedLock(dependencies, scope, order, point);
  if (!lock.ok && lock.code === 'PRICE_LOCK_MISMATCH' && cached !== undefined) {
    // The cached pickup location may be older than the lock.
    forgetPoint(dependencies, scope, request);
    return AGAIN;
  }
  if (!lock.ok) {
    const refused = await explain(dependencies, scope, order, body, lock);
    const facts = { tariff: tariff.value, pickup: point.location };
    const { withCurrentPrice } = await lockPart();
    return answer(await withCurrentPrice(refused, dependencies.routing, order, facts));
  }
  const requested = { ...body, lockId: lock.value?.lockId };
  if ('isClosed' in point || violations.length > 0) return explained(requested);
  const quoted = await quote(dependencies, request, point);
  if (!quoted.ok) return explained(requested, quoted);
  const agreement = agreementOf(lock.value, tariff.value, quoted.value.route, request);
  const tooMuch = refuseAboveLimit(order, agreement);
  if (tooMuch !== undefined) return explained(body, tooMuch);
  const createdAt = dependencies.clock.now();
  // The lock may have expired, or another tariff begun, while the route was looked up. The next attempt finds that.
  if (lock.value !== undefined && createdAt > lock.value.expiresAt) return AGAIN;
  const latest = await currentTariff(dependencies, createdAt);
  if (!latest.ok || latest.value.version !== tariff.value.version) return AGAIN;
  return { kind: 'ready', basis: { ...quoted.value, point, agreement, createdAt, requested } };
}

const AGAIN = { kind: 'again' } as const;
const NO_LOCK = ok(undefined);

async function openedLock(
  dependencies: CreateDependencies,
  scope: CompanyScope,
  order: CreateOrder,
  { location }: { readonly location: Coordinates | undefined },
): Promise<Result<PriceLock | undefined>> {
  const { checkLock } = await lockPart();
  return checkLock(dependencies, scope, order, location);
}

function answer(result: Result<Created>): Preparation {
  return { kind: 'answer', result };
}

function currentTariff(
  { tariffBook, directory, clock }: CreateDependencies,
  at = clock.now(),
): Promise<Result<Tariff>> {
  return tariffBook.current(directory.database, at);
}

/** After this the next attempt reads the pickup location. */
export function forgetPoint(
  { pickupPoints }: Pick<CreateDependencies, 'pickupPoints'>,
  scope: CompanyScope,
  { branchCode, pickupLocationCode }: ShipmentRequest,
): void {
  pickupPoints.forget(scope, branchCode, pickupLocationCode);
}

/** Reads the route and the service levels, outside of any transaction. */
async function quote(
  { database, routing, serviceLevelBook }: CreateDependencies,
  request: ShipmentRequest,
  point: PickupPoint,
): Promise<Result<Pick<Basis, 'route' | 'serviceLevels'>>> {
  const serviceLevels = await serviceLevelBook.levels(database);
  if (serviceLevels === undefined) return unavailable();
  const route = await resolveRoute(routing, point.location, request.destination, 'destination');
  return route.ok ? ok({ route: route.value, serviceLevels }) : route;
}

/** The price that the lock holds, or without one the current price. The rate of VAT is that of now, because the state sets it. */
function agreementOf(
  lock: PriceLock | undefined,
  tariff: Tariff,
  route: DrivingRoute,
  { destination }: ShipmentRequest,
): Agreement {
  return lock === undefined
    ? agreeNow(tariff, route, destination.cityCode)
    : { tariff: lock.tariff, vatRate: tariff.vatRate, lines: lock.lines, lock };
}

/** Only a request with a limit has its price summed before the shipment exists. */
function refuseAboveLimit({ priceLimit }: CreateOrder, agreement: Agreement): Refusal | undefined {
  return priceLimit === undefined ? undefined : refuseAbove(priceLimit, agreedSums(agreement));
}

/** A pickup location that the company does not have, or that takes no shipments. */
interface ClosedPoint {
  readonly location: PickupLocationRow | undefined;
  readonly isClosed: true;
}

async function readPickupPoint(
  { database, pickupPoints }: CreateDependencies,
  scope: CompanyScope,
  request: ShipmentRequest,
): Promise<PickupPoint | ClosedPoint | 'unavailable'> {
  const places = await readNamedPlaces(database, scope, request);
  if (places === undefined) return 'unavailable';
  const { branch, pickupLocation } = places;
  const isUsable = branch?.status === 'ACTIVE' && pickupLocation?.status === 'ACTIVE';
  if (!isUsable || pickupLocation.branchCode !== branch.branchCode) return { location: pickupLocation, isClosed: true };
  return pickupPoints.remember(scope, pickupLocation);
}

/** Most creations are not refused. */
export const refusalPart = part(() => import('./create-refusal.ts'));
/** Most have no price lock. */
export const lockPart = part(() => import('./locked-price.ts'));

const LOCK_REFUSALS: readonly string[] = ['PRICE_LOCK_INVALID', 'PRICE_LOCK_EXPIRED', 'PRICE_LOCK_MISMATCH'];

type Why = [requested: RequestedCreation & { readonly lockId?: Uuid | undefined }, otherwise?: Refusal];

/** For an invalid request, the key is checked first: it may be a replay, or reuse a key with another body. */
async function explain(
  { database, clock }: CreateDependencies,
  scope: CompanyScope,
  order: CreateOrder,
  ...[requested, otherwise = unavailable()]: Why
): Promise<Result<Created>> {
  const { answerOfKey, classifyRefusal, readRefusalRows } = await refusalPart();
  const rows = await readRefusalRows(database, scope, order, requested.lockId);
  if (rows === undefined) return unavailable();
  const now = clock.wall.now();
  if (LOCK_REFUSALS.includes(otherwise.code)) return answerOfKey(rows, requested, now) ?? otherwise;
  // What is taken is found by the commit, which a price above the limit does not reach.
  const known = otherwise.code === 'PRICE_LIMIT_EXCEEDED' ? withoutTaken(rows) : rows;
  const cause = classifyRefusal(known, requested, now);
  return cause.kind === 'answer' ? cause.result : otherwise;
}

/** The rows of a refusal that comes before the commit finds what is taken. */
function withoutTaken(rows: RefusalRows): RefusalRows {
  return { ...rows, existing: undefined, lockUser: undefined };
}

/** SHA-256 of the parsed body in canonical form, so that the same values in another spelling are the same request. */
async function fingerprintOf(request: ShipmentRequest): Promise<string> {
  const { pickupWindowStart, pickupWindowEnd, ...rest } = request;
  const text = canonicalJson({
    ...rest,
    pickupWindowStart: formatInstant(pickupWindowStart),
    pickupWindowEnd: formatInstant(pickupWindowEnd),
  });
  return toBase64Url(await sha256(text));
}
