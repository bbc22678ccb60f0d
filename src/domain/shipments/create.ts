import type { CommitOutcome, CommitRequest } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import { addSeconds } from '../../core/instant.ts';
import { etagOf } from '../../core/precondition.ts';
import { ok, type Refusal, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { firstCheckAt } from '../addresses/check-schedule.ts';
import { firstAddress } from '../addresses/gate-store.ts';
import { defaultPolicy } from '../addresses/policy.ts';
import { auditOf, entryStatement } from '../audit/change.ts';
import { recordTransition } from '../events/record.ts';
import { expiredKeyDelete, idempotencyInsert, keyClaimOf } from '../idempotency/store.ts';
import { dispatchBasis } from '../offers/prepare.ts';
import { holdStatements } from '../offers/store.ts';
import { lockClaim } from '../pricing/store.ts';
import { freezeTerms } from '../pricing/terms.ts';
import { CREATE_OPERATION, type Created, type CreateOrder } from './creation.ts';
import { draftShipment } from './draft.ts';
import { newShipmentNumber } from './number.ts';
import {
  type Basis,
  type CreateDependencies,
  forgetPoint,
  lockPart,
  prepareCreation,
  refusalPart,
} from './prepare-creation.ts';
import { placesAsCopied, referenceClaim, type ShipmentRow, shipmentInsert } from './store.ts';
import { locationOf, presentShipment } from './view.ts';

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
  return isPlain ? created : (await lockPart()).withLockId(dependencies, scope, created.value);
}

async function createOnce(
  dependencies: CreateDependencies,
  scope: CompanyScope,
  order: CreateOrder,
): Promise<Result<Created>> {
  let forgetKey = false;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const prepared = await prepareCreation(dependencies, scope, order);
    if (prepared.kind === 'answer') return prepared.result;
    if (prepared.kind === 'again') continue;
    const draft = draftCreation(dependencies, scope, order, { ...prepared.basis, forgetKey });
    const outcome = await dependencies.writer.commit(draft.request);
    if (outcome.status === 'committed') return ok(draft.created);
    if (outcome.status !== 'refused' && outcome.status !== 'unknown') return refusalOf(outcome);
    const { requested } = prepared.basis;
    const { classifyRefusal, readRefusalRows } = await refusalPart();
    const rows = await readRefusalRows(dependencies.database, scope, order, requested.lockId);
    if (rows === undefined) return unavailable();
    if (rows.record?.location === draft.created.location) return ok(draft.created);
    if (outcome.status === 'unknown' && rows.record === undefined) return unavailable();
    const cause = classifyRefusal(rows, requested, dependencies.clock.wall.now());
    if (cause.kind === 'answer') return cause.result;
    forgetKey = cause.kind === 'expired_key';
    forgetPoint(dependencies, scope, order.request);
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
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const prepared = await prepareCreation(dependencies, scope, order);
    if (prepared.kind === 'answer') return prepared.result;
    if (prepared.kind === 'again') continue;
    const { requested, point } = prepared.basis;
    const { classifyRefusal, readRefusalRows } = await refusalPart();
    const rows = await readRefusalRows(dependencies.database, scope, order, requested.lockId);
    if (rows === undefined) return unavailable();
    const cause = classifyRefusal(rows, requested, dependencies.clock.wall.now());
    if (cause.kind === 'answer') return cause.result;
    // The commit would find that the cached pickup location is out of date.
    if (rows.pickupLocation?.version === point.version) return ok(undefined);
    forgetPoint(dependencies, scope, order.request);
  }
  return unavailable();
}

interface CreationDraft {
  readonly request: CommitRequest;
  readonly created: Created;
}

function draftCreation(
  { clock, random, config, waits, addresses }: CreateDependencies,
  scope: CompanyScope,
  order: CreateOrder,
  {
    point,
    route,
    agreement,
    createdAt: now,
    serviceLevels,
    requested,
    forgetKey,
  }: Basis & { readonly forgetKey: boolean },
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
  const weighed = { ...row, pickupCityCode: point.location.cityCode };
  const basis = dispatchBasis(weighed, serviceLevels, order.request);
  const shipment = presentShipment(row);
  const lockId = agreement.lock?.lockId ?? null;
  const created = { isReplay: false, shipment, etag: etagOf(row.version), location: locationOf(row.id), lockId };
  const record = idempotencyInsert({
    companyId: scope.companyId,
    clientId: scope.clientId,
    operation: CREATE_OPERATION,
    key: order.idempotencyKey,
    fingerprint: requested.fingerprint,
    status: 201,
    response: JSON.stringify(shipment),
    etag: created.etag,
    location: created.location,
    expiresAt: addSeconds(realNow, KEY_SECONDS),
  });
  const { nationalAddress: shortAddress } = order;
  const addressTerms = {
    addressPolicy: defaultPolicy(config.deployment),
    gateIfRequired: shortAddress === undefined ? 'CLOSED' : 'OPEN',
  } as const;
  const address = { shipmentId: row.id, companyId: row.companyId, checkDueAt: firstCheckAt(addresses, realNow) };
  const forget = forgetKey ? [expiredKeyDelete(scope, CREATE_OPERATION, order.idempotencyKey, realNow)] : [];
  const happened = createdEvent(row, random.uuid(), order);
  const draft = { ...happened, offsetSeconds: clock.offsetSeconds(), data: { shipment } };
  const statements = [
    ...forget,
    record,
    placesAsCopied(row, point.version),
    shipmentInsert({ ...row, ...basis, ...addressTerms }),
    ...(shortAddress === undefined ? [] : [firstAddress({ ...address, shortAddress })]),
    ...recordTransition(config, draft, happened),
    freezeTerms(row, agreement, route),
    ...(config.deployment === 'production' ? [] : holdStatements(row.id, row.companyId)),
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
  return { request: { statements, dueAt: row.dueAt ?? undefined, exclusiveKey, claims }, created };
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

function refusalOf(outcome: Exclude<CommitOutcome, { status: 'committed' | 'refused' | 'unknown' }>): Refusal {
  if (outcome.status === 'in_progress') {
    return refuse('IDEMPOTENCY_REQUEST_IN_PROGRESS', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
  if (outcome.status === 'invalid') throw new Error(`The creating SQL is wrong: ${outcome.message}`);
  return unavailable();
}
