import type { Database } from '../../../db/database.ts';
import type { CommitOutcome, CommitRequest, Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Sealer } from '../../access/sealer.ts';
import type { ShipmentRequest } from '../../contract/shipment.ts';
import { toBase64Url } from '../../core/base64url.ts';
import { sha256 } from '../../core/crypto.ts';
import type { Deployment } from '../../core/deployment.ts';
import { addSeconds, formatInstant, type Instant } from '../../core/instant.ts';
import { canonicalJson } from '../../core/json.ts';
import { etagOf } from '../../core/precondition.ts';
import { ok, type Refusal, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import type { DrivingRoute, Routing } from '../../ports/routing.ts';
import { auditOf, entryStatement } from '../audit/change.ts';
import { recordTransition } from '../events/record.ts';
import { eventInsert } from '../events/store.ts';
import { expiredKeyDelete, idempotencyInsert, keyClaimOf } from '../idempotency/store.ts';
import { prepareDispatch } from '../offers/prepare.ts';
import type { ServiceLevel } from '../offers/service-level.ts';
import type { ServiceLevelBook } from '../offers/service-level-book.ts';
import { type PickupPoint, type PickupPoints, readNamedPlaces } from '../places/pickup-point.ts';
import type { PickupLocationRow } from '../places/store.ts';
import { resolveRoute } from '../pricing/estimate.ts';
import { refuseAbove } from '../pricing/price-limit.ts';
import { agreedInLock, type PriceLock } from '../pricing/price-lock.ts';
import { lockClaim } from '../pricing/store.ts';
import type { Tariff } from '../pricing/tariff.ts';
import type { TariffBook } from '../pricing/tariff-book.ts';
import { type Agreement, agreedSums, agreeNow, freezeTerms } from '../pricing/terms.ts';
import {
  answerOfKey,
  classifyRefusal,
  type RefusalRows,
  type RequestedCreation,
  readRefusalRows,
} from './create-refusal.ts';
import { CREATE_OPERATION, type Created, type CreateOrder } from './creation.ts';
import { draftShipment, meaningViolations } from './draft.ts';
import { checkLock, isLockRefusal, withCurrentPrice, withLockId } from './locked-price.ts';
import { newShipmentNumber } from './number.ts';
import { placesCheck, referenceClaim, type ShipmentRow, shipmentInsert } from './store.ts';
import { locationOf, presentShipment } from './view.ts';

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
  /** How long before the pickup window dispatch begins; null: at once. */
  readonly waits: { readonly leadSeconds: number | null };
}

export const KEY_SECONDS = 7 * 24 * 3600;
/** A stale pickup point, a used shipment number and an expired key may each need one more attempt. */
const ATTEMPTS_MAX = 4;
const RETRY_AFTER_SECONDS = 1;

/**
 * Creates a shipment, or replays the response of the earlier creation with the same key. A 201 needs no read: one unit
 * of SQL checks key, reference, branch and pickup location while it inserts. Only if it is refused, a read finds out
 * why.
 */
export async function createShipment(
  dependencies: CreateDependencies,
  scope: CompanyScope,
  order: CreateOrder,
): Promise<Result<Created>> {
  const created = await createOnce(dependencies, scope, order);
  const isPlain = !created.ok || !created.value.isReplay || order.priceLock === undefined;
  return isPlain ? created : withLockId(dependencies, scope, created.value);
}

async function createOnce(
  dependencies: CreateDependencies,
  scope: CompanyScope,
  order: CreateOrder,
): Promise<Result<Created>> {
  const { request } = order;
  const fingerprint = await fingerprintOf(request);
  const now = dependencies.clock.now();
  const tariff = await dependencies.tariffBook.current(dependencies.directory.database, now);
  const violations = meaningViolations(request, now, tariff.ok ? tariff.value : undefined);
  const requested = { request, fingerprint, violations };
  // A replay needs neither the tariff nor the provider that the first creation needed.
  if (!tariff.ok) return explain(dependencies, scope, order, requested, tariff);
  if (violations.length > 0 && order.priceLock === undefined) return explain(dependencies, scope, order, requested);
  let forgetKey = false;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const point = await pickupPointOf(dependencies, scope, request);
    if (point === 'unavailable') return unavailable();
    const pickup = point.location;
    const lock = await checkLock(dependencies, scope, order, pickup);
    if (!lock.ok && lock.code === 'PRICE_LOCK_MISMATCH' && attempt === 1) {
      // The cached pickup location may be older than the lock.
      dependencies.pickupPoints.forget(scope, request.branchCode, request.pickupLocationCode);
      continue;
    }
    if (!lock.ok) {
      const refused = await explain(dependencies, scope, order, requested, lock);
      return withCurrentPrice(refused, dependencies.routing, order, { tariff: tariff.value, pickup });
    }
    const locked = { ...requested, lockId: lock.value?.lockId };
    if ('isClosed' in point || violations.length > 0) return explain(dependencies, scope, order, locked);
    const quoted = await quote(dependencies, request, point);
    if (!quoted.ok) return explain(dependencies, scope, order, locked, quoted);
    const { route, serviceLevels } = quoted.value;
    const agreement = agreementOf(lock.value, tariff.value, route, request);
    const tooMuch = refuseAboveLimit(order, agreement);
    if (tooMuch !== undefined) return explain(dependencies, scope, order, requested, tooMuch);
    const createdAt = dependencies.clock.now();
    // The lock has expired while the route was looked up. The next attempt says so.
    if (lock.value !== undefined && createdAt > lock.value.expiresAt) continue;
    const basis = { point, route, serviceLevels, agreement, createdAt, fingerprint, forgetKey };
    const draft = draftCreation(dependencies, scope, order, basis);
    const outcome = await dependencies.writer.commit(draft.request);
    if (outcome.status === 'committed') return ok(draft.created);
    if (outcome.status !== 'refused' && outcome.status !== 'unknown') return refusalOf(outcome);
    const rows = await readRefusalRows(dependencies.database, scope, order, lock.value?.lockId);
    if (rows === undefined) return unavailable();
    if (rows.record?.location === draft.created.location) return ok(draft.created);
    if (outcome.status === 'unknown' && rows.record === undefined) return unavailable();
    const cause = classifyRefusal(rows, requested, dependencies.clock.wall.now());
    if (cause.kind === 'answer') return cause.result;
    forgetKey = cause.kind === 'expired_key';
    dependencies.pickupPoints.forget(scope, request.branchCode, request.pickupLocationCode);
  }
  return unavailable();
}

/**
 * What a creation would answer now, without creating anything: a refusal, the first response of its key, or undefined if it
 * would create the shipment.
 */
export async function rehearseCreation(
  dependencies: CreateDependencies,
  scope: CompanyScope,
  order: CreateOrder,
): Promise<Result<Created | undefined>> {
  const { request } = order;
  const { clock, database, directory, tariffBook, routing } = dependencies;
  const now = clock.now();
  const tariff = await tariffBook.current(directory.database, now);
  if (!tariff.ok) return tariff;
  const first = await readRefusalRows(database, scope, order);
  if (first === undefined) return unavailable();
  const requested = {
    request,
    fingerprint: await fingerprintOf(request),
    violations: meaningViolations(request, now, tariff.value),
  };
  const known = answerOfKey(first, requested, clock.wall.now());
  if (known !== undefined) return known;
  const pickup = first.pickupLocation;
  const lock = await checkLock(dependencies, scope, order, pickup);
  if (!lock.ok) return withCurrentPrice(lock, routing, order, { tariff: tariff.value, pickup });
  const rows = lock.value === undefined ? first : await readRefusalRows(database, scope, order, lock.value.lockId);
  if (rows === undefined) return unavailable();
  // A price above the limit is found before what is taken, as in a creation.
  const early = order.priceLimit === undefined ? rows : withoutTaken(rows);
  const cause = classifyRefusal(early, requested, clock.wall.now());
  if (cause.kind === 'answer') return cause.result;
  if (pickup === undefined) return unavailable();
  const route = await resolveRoute(routing, pickup, request.destination, 'destination');
  if (!route.ok) return route;
  const tooMuch = refuseAboveLimit(order, agreementOf(lock.value, tariff.value, route.value, request));
  if (tooMuch !== undefined) return tooMuch;
  const late = classifyRefusal(rows, requested, clock.wall.now());
  return late.kind === 'answer' ? late.result : ok(undefined);
}

/** The rows of a refusal that comes before the commit finds what is taken. */
function withoutTaken(rows: RefusalRows): RefusalRows {
  return { ...rows, existing: undefined, lockUser: undefined };
}

/** The inputs of a creation: the pickup location that it copies, its route and its price. */
interface Basis {
  readonly point: PickupPoint;
  readonly route: DrivingRoute;
  readonly agreement: Agreement;
  readonly createdAt: Instant;
  readonly serviceLevels: readonly ServiceLevel[];
  readonly fingerprint: string;
  readonly forgetKey: boolean;
}

/** Reads the route, the tariff and the service levels, outside of any transaction. */
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

/** The price that the lock holds, or without one the current price. */
function agreementOf(
  lock: PriceLock | undefined,
  tariff: Tariff,
  route: DrivingRoute,
  { destination }: ShipmentRequest,
): Agreement {
  return lock === undefined ? agreeNow(tariff, route, destination.cityCode) : agreedInLock(lock, tariff);
}

/** Only a request with a limit has its price summed before the shipment exists. */
function refuseAboveLimit({ priceLimit }: CreateOrder, agreement: Agreement): Refusal | undefined {
  return priceLimit === undefined ? undefined : refuseAbove(priceLimit, agreedSums(agreement));
}

interface CreationDraft {
  readonly request: CommitRequest;
  readonly created: Created;
}

function draftCreation(
  { clock, random, config, waits }: CreateDependencies,
  scope: CompanyScope,
  order: CreateOrder,
  { point, route, agreement, createdAt: now, serviceLevels, fingerprint, forgetKey }: Basis,
): CreationDraft {
  const realNow = clock.wallAt(now);
  const made = {
    id: random.uuid(),
    companyId: scope.companyId,
    shipmentNumber: newShipmentNumber(random),
    now,
    leadSeconds: waits.leadSeconds,
  };
  const row = draftShipment(order.request, point.location, made);
  const shipment = presentShipment(row);
  const lockId = agreement.lock?.lockId ?? null;
  const created = { isReplay: false, shipment, etag: etagOf(row.version), location: locationOf(row.id), lockId };
  const record = idempotencyInsert({
    companyId: scope.companyId,
    clientId: scope.clientId,
    operation: CREATE_OPERATION,
    key: order.idempotencyKey,
    fingerprint,
    status: 201,
    response: JSON.stringify(shipment),
    etag: created.etag,
    location: created.location,
    expiresAt: addSeconds(realNow, KEY_SECONDS),
  });
  const forget = forgetKey ? [expiredKeyDelete(scope, CREATE_OPERATION, order.idempotencyKey, realNow)] : [];
  const happened = createdEvent(row, random.uuid(), order);
  const recorded = recordTransition(config.deployment, {
    ...happened,
    offsetSeconds: clock.offsetSeconds(),
    data: { shipment },
  });
  const statements = [
    ...forget,
    record,
    placesCheck(row, point.version),
    shipmentInsert(row),
    eventInsert(happened),
    ...recorded.statements,
    freezeTerms(row, agreement, route),
    ...prepareDispatch(
      { ...row, pickupCityCode: point.location.cityCode },
      serviceLevels,
      order.request,
      config.deployment,
    ),
  ];
  if (order.also !== undefined) statements.push(order.also(row.id, now));
  const audit = auditOf({ random, clock }, scope, {
    action: happened.type,
    subject: row.id,
    at: now,
    detail: { sequence: happened.sequence },
  });
  if (audit !== 'unaudited') statements.push(entryStatement(audit));
  const exclusiveKey = keyClaimOf(scope, CREATE_OPERATION, order.idempotencyKey);
  const claims = [exclusiveKey, referenceClaim(scope, order.request.externalReference)];
  if (lockId !== null) claims.push(lockClaim(scope, lockId));
  const { notices } = recorded;
  return { request: { statements, dueAt: row.dueAt ?? undefined, exclusiveKey, claims, notices }, created };
}

function createdEvent(row: ShipmentRow, id: Uuid, order: CreateOrder) {
  return {
    shipmentId: row.id,
    sequence: row.version + 1,
    id,
    companyId: row.companyId,
    type: 'shipment.created',
    previousState: null,
    state: row.state,
    occurredAt: row.createdAt,
    actor: 'MERCHANT',
    reasonCode: null,
    note: null,
    correlationId: order.correlationId,
  } as const;
}

/** A pickup location that the company does not have, or that takes no shipments. */
interface ClosedPoint {
  readonly location: PickupLocationRow | undefined;
  readonly isClosed: true;
}

async function pickupPointOf(
  { database, pickupPoints }: CreateDependencies,
  scope: CompanyScope,
  request: ShipmentRequest,
): Promise<PickupPoint | ClosedPoint | 'unavailable'> {
  const known = pickupPoints.get(scope, request.branchCode, request.pickupLocationCode);
  if (known !== undefined) return known;
  const places = await readNamedPlaces(database, scope, request);
  if (places === undefined) return 'unavailable';
  const { branch, pickupLocation } = places;
  const isUsable = branch?.status === 'ACTIVE' && pickupLocation?.status === 'ACTIVE';
  if (!isUsable || pickupLocation.branchCode !== branch.branchCode) return { location: pickupLocation, isClosed: true };
  return pickupPoints.remember(scope, pickupLocation);
}

/** For an invalid request, the key is checked first: it may be a replay, or reuse a key with another body. */
async function explain(
  { database, clock }: CreateDependencies,
  scope: CompanyScope,
  order: CreateOrder,
  requested: RequestedCreation & { readonly lockId?: Uuid | undefined },
  otherwise: Refusal = unavailable(),
): Promise<Result<Created>> {
  const rows = await readRefusalRows(database, scope, order, requested.lockId);
  if (rows === undefined) return unavailable();
  const now = clock.wall.now();
  if (isLockRefusal(otherwise)) return answerOfKey(rows, requested, now) ?? otherwise;
  // What is taken is found by the commit, which a price above the limit does not reach.
  const known = otherwise.code === 'PRICE_LIMIT_EXCEEDED' ? withoutTaken(rows) : rows;
  const cause = classifyRefusal(known, requested, now);
  return cause.kind === 'answer' ? cause.result : otherwise;
}

function refusalOf(outcome: Exclude<CommitOutcome, { status: 'committed' | 'refused' | 'unknown' }>): Refusal {
  if (outcome.status === 'in_progress') {
    return refuse('IDEMPOTENCY_REQUEST_IN_PROGRESS', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
  if (outcome.status === 'invalid') throw new Error(`The creating SQL is wrong: ${outcome.message}`);
  return unavailable();
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
