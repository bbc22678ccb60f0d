import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Review } from '../../contract/registration-state.ts';
import type { KnownMembers, Shipment, ShipmentRequest } from '../../contract/shipment.ts';
import type { Instant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { ok, type Result, refuse, type Violation } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { barringReview } from '../companies/store.ts';
import { type IdempotencyRow, idempotencyByKey } from '../idempotency/store.ts';
import { type BranchRow, branchByCode, type PickupLocationRow, pickupLocationByCode } from '../places/store.ts';
import { shipmentByLock } from '../pricing/tariff-store.ts';
import { CREATE_OPERATION, type Created, type CreateOrder, type ExistingShipment } from './creation.ts';
import { shipmentByReference } from './store.ts';
import { locationOf } from './view.ts';

interface NamedShipment {
  readonly id: string;
  readonly shipmentNumber: string;
}

/** The rows that can cause the refusal of a creation, besides its idempotency key. */
export interface CreationRows {
  readonly existing: NamedShipment | undefined;
  readonly branch: BranchRow | undefined;
  readonly pickupLocation: PickupLocationRow | undefined;
  /** Set if the company may not create shipments. */
  readonly review: Review | undefined;
}

export interface RefusalRows extends CreationRows {
  readonly record: IdempotencyRow | undefined;
  /** The shipment that has used the price lock. */
  readonly lockUser: NamedShipment | undefined;
}

/** The reads of these rows. No row has an empty code, so a member that is absent finds nothing. */
export function creationReads(scope: CompanyScope, request: KnownMembers) {
  return [
    shipmentByReference(scope, request.externalReference ?? ''),
    branchByCode(scope, request.branchCode ?? ''),
    pickupLocationByCode(scope, request.pickupLocationCode ?? ''),
    barringReview(scope),
  ] as const;
}

/** Reads all of them in one request; undefined if the database did not answer. */
export async function readRefusalRows(
  database: Database,
  scope: CompanyScope,
  { idempotencyKey, request }: CreateOrder,
  lockId?: Uuid,
): Promise<RefusalRows | undefined> {
  const record = idempotencyByKey(scope, CREATE_OPERATION, idempotencyKey);
  const ofLock = lockId === undefined ? [] : [shipmentByLock(scope, lockId)];
  const answer = await database.readAll([record, ...creationReads(scope, request), ...ofLock] as const);
  if (!answer.ok) return undefined;
  const [[found], [existing], [branch], [pickupLocation], [barred], [lockUser] = []] = answer.results;
  return { record: found, existing, branch, pickupLocation, review: barred?.review ?? undefined, lockUser };
}

/** Everything in these rows for which a creation is refused. */
export interface CreationFaults {
  readonly violations: readonly Violation[];
  readonly review: Review | undefined;
  /** The shipment that has the reference. */
  readonly existing: ExistingShipment | undefined;
  readonly isInactive: boolean;
}

/** Finds all of them. A pure function. */
export function faultsOf(rows: CreationRows, request: KnownMembers): CreationFaults {
  const { existing, branch, pickupLocation, review } = rows;
  return {
    violations: placeViolations(request, branch, pickupLocation),
    review,
    existing: existing === undefined ? undefined : presentExisting(existing),
    isInactive: branch?.status === 'INACTIVE' || pickupLocation?.status === 'INACTIVE',
  };
}

/** Another shipment, as refusals name it. */
export function presentExisting({ id, shipmentNumber }: NamedShipment): ExistingShipment {
  return { shipmentId: id, shipmentNumber, href: locationOf(id) };
}

/** `expired_key`: delete the key and retry. `moved_on`: the cause of the refusal has gone; retry. */
export type RefusalCause =
  | { readonly kind: 'answer'; readonly result: Result<Created> }
  | { readonly kind: 'expired_key' }
  | { readonly kind: 'moved_on' };

/** A requested creation: its body, the fingerprint and the violations of domain rules. */
export interface RequestedCreation {
  readonly request: ShipmentRequest;
  readonly fingerprint: string;
  readonly violations: readonly Violation[];
}

/** The answer that the key alone decides: a replay, or 422 for another body. Undefined if the key is free. A pure function. */
export function answerOfKey(
  { record }: Pick<RefusalRows, 'record'>,
  { fingerprint }: Pick<RequestedCreation, 'fingerprint'>,
  now: Instant,
): Result<Created> | undefined {
  if (record === undefined || record.expiresAt <= now) return undefined;
  return record.fingerprint === fingerprint ? ok(replayOf(record)) : refuse('IDEMPOTENCY_KEY_REUSED');
}

/** Finds why a creation was refused. It checks the key first, then domain rules, then conflicts. A pure function. */
export function classifyRefusal(rows: RefusalRows, requested: RequestedCreation, now: Instant): RefusalCause {
  const { request } = requested;
  const known = answerOfKey(rows, requested, now);
  if (known !== undefined) return answer(known);
  const { review, existing, isInactive, ...faults } = faultsOf(rows, request);
  const violations = [...requested.violations, ...faults.violations];
  if (violations.length > 0) return answer(refuse('VALIDATION_FAILED', { violations }));
  if (review !== undefined) return answer(refuse('REGISTRATION_INCOMPLETE', { members: { review } }));
  if (rows.lockUser !== undefined) {
    return answer(refuse('PRICE_LOCK_USED', { members: { existing: presentExisting(rows.lockUser) } }));
  }
  if (existing !== undefined) return answer(refuse('EXTERNAL_REFERENCE_CONFLICT', { members: { existing } }));
  if (isInactive) return answer(refuse('BRANCH_INACTIVE'));
  return { kind: rows.record === undefined ? 'moved_on' : 'expired_key' };
}

function answer(result: Result<Created>): RefusalCause {
  return { kind: 'answer', result };
}

/** Repeats the first response: the stored body, even if the shipment has changed since. */
function replayOf(record: IdempotencyRow): Created {
  const shipment = parseStored<Shipment>(record.response);
  return { isReplay: true, shipment, etag: record.etag, location: record.location, lockId: null };
}

/** Unknown codes and codes of other companies get the same answer, so it does not reveal who has a code. */
function placeViolations(
  { branchCode, pickupLocationCode }: KnownMembers,
  branch: BranchRow | undefined,
  pickupLocation: PickupLocationRow | undefined,
): Violation[] {
  const violations: Violation[] = [];
  if (branchCode !== undefined && branch === undefined)
    violations.push({ field: 'branchCode', code: 'BRANCH_UNKNOWN' });
  if (pickupLocationCode !== undefined && pickupLocation === undefined) {
    violations.push({ field: 'pickupLocationCode', code: 'PICKUP_LOCATION_UNKNOWN' });
  }
  if (branch !== undefined && pickupLocation !== undefined && pickupLocation.branchCode !== branchCode) {
    violations.push({ field: 'pickupLocationCode', code: 'PICKUP_LOCATION_NOT_IN_BRANCH' });
  }
  return violations;
}
