import type { Database } from '../../../db/database.ts';
import type { WriteStatement } from '../../../db/statement.ts';
import type { Writer } from '../../../db/writer.ts';
import type { DriverSessions } from '../../access/driver-token.ts';
import type { DriverChanges, DriverRequest } from '../../contract/fleet.ts';
import { toE164 } from '../../core/phone.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { commitChange } from '../audit/change.ts';
import type { DriverRow } from '../offers/store.ts';
import { settle } from '../settle.ts';
import { auditOfFleet, changeRow, type FleetChange, type FleetDependencies } from './fleet-change.ts';
import {
  type DriverPhoneRow,
  driverInsert,
  driverPhoneByPhone,
  driverPhoneInsert,
  driverUpdate,
  fleetDriverById,
  idleMark,
} from './fleet-store.ts';
import { type LeaveDependencies, offersGivenUp } from './leave.ts';
import { driverSessionsDelete } from './store.ts';

export interface DriverDependencies extends FleetDependencies, LeaveDependencies {
  readonly directory: { readonly database: Database; readonly writer: Writer };
  readonly driverSessions: DriverSessions;
}

/** A driver, and the version that the operator saw. */
export interface SeenDriver {
  readonly driverId: Uuid;
  readonly version: number;
}

/**
 * Adds a driver to a shard, off duty. The phone is registered in the directory first, because only one driver in all
 * shards may have it. A retry completes an interrupted request. 422 if the phone is in use.
 */
export async function createDriver(
  dependencies: DriverDependencies,
  request: DriverRequest,
): Promise<Result<DriverRow>> {
  const { database, clock, random } = dependencies;
  const now = clock.now();
  const phone = toE164(request.phone);
  const registered = await registerPhone(dependencies, {
    phone,
    driverId: random.uuid(),
    shard: database.id,
    createdAt: now,
  });
  if (!registered.ok) return registered;
  const row: DriverRow = {
    ...request,
    id: registered.value,
    phone,
    companyId: null,
    capabilities: JSON.stringify(request.capabilities),
    status: 'ACTIVE',
    onDuty: 0,
    activeCount: 0,
    latitude: null,
    longitude: null,
    positionAt: null,
    idleSince: now,
    missedOffers: 0,
    seenAt: null,
    offDutyReason: null,
    createdAt: now,
    updatedAt: now,
    version: 0,
  };
  const made = await commitChange(dependencies, {
    unit: { statements: [driverInsert(row)] },
    audit: auditOfFleet(dependencies, { action: 'driver.created', subject: row.id, at: now, detail: { version: 0 } }),
  });
  if (!made.ok) return made;
  return made.value ? ok(row) : phoneInUse();
}

/**
 * Changes the terms of a driver. A driver who becomes INACTIVE is blocked: their sessions end, they go off duty, and
 * operators find the current shipments in the queue `strandedGoods`.
 */
export async function updateDriver(
  dependencies: DriverDependencies,
  seen: SeenDriver,
  changes: DriverChanges,
): Promise<Result<DriverRow>> {
  const { clock } = dependencies;
  const changed = await changeRow(dependencies, orderOf('driver.updated', seen), async (before) => {
    const status = changes.status ?? before.status;
    const row: DriverRow = {
      ...before,
      firstName: changes.firstName ?? before.firstName,
      vehicleType: changes.vehicleType ?? before.vehicleType,
      capabilities: changes.capabilities === undefined ? before.capabilities : JSON.stringify(changes.capabilities),
      weightKilogramsMax: changes.weightKilogramsMax ?? before.weightKilogramsMax,
      lengthCentimetresMax: changes.lengthCentimetresMax ?? before.lengthCentimetresMax,
      cityCode: changes.cityCode ?? before.cityCode,
      activeMax: changes.activeMax ?? before.activeMax,
      status,
      onDuty: status === 'ACTIVE' ? before.onDuty : 0,
      updatedAt: clock.now(),
      version: before.version + 1,
    };
    if (row.activeMax < before.activeMax && row.activeMax < before.activeCount) {
      // The value becomes valid once enough of the active shipments have ended.
      return refuse('VALIDATION_FAILED', {
        violations: [{ field: 'activeMax', code: 'OUT_OF_RANGE', limit: `at least ${before.activeCount}` }],
      });
    }
    const isBlocked = status === 'INACTIVE' && before.status !== 'INACTIVE';
    const statements = [driverUpdate(row), ...(isBlocked ? [driverSessionsDelete(row.id)] : [])];
    return before.onDuty === row.onDuty ? ok({ row, statements }) : leaving(dependencies, row, statements);
  });
  if (changed.ok && changed.value.status !== 'ACTIVE') dependencies.driverSessions.deleteOf(seen.driverId);
  return changed;
}

/** Puts a driver on or off duty. A driver off duty has no offers and keeps the current shipments. */
export function setDriverDuty(
  dependencies: DriverDependencies,
  seen: SeenDriver,
  isOnDuty: boolean,
): Promise<Result<DriverRow>> {
  const { clock } = dependencies;
  const action = isOnDuty ? 'driver.on_duty' : 'driver.off_duty';
  return changeRow(dependencies, orderOf(action, seen), async (before) => {
    if (isOnDuty && before.status !== 'ACTIVE') {
      return refuse('INVALID_STATE_TRANSITION', { members: { currentState: before.status } });
    }
    const onDuty = isOnDuty ? 1 : 0;
    if (before.onDuty === onDuty) return ok(undefined);
    const now = clock.now();
    const row: DriverRow = { ...before, onDuty, offDutyReason: null, updatedAt: now, version: before.version + 1 };
    if (!isOnDuty) return leaving(dependencies, row, [driverUpdate(row)]);
    return ok({ row: { ...row, idleSince: now }, statements: [driverUpdate(row), idleMark(row.id, now)] });
  });
}

function orderOf(action: string, { driverId, version }: SeenDriver) {
  return { find: fleetDriverById(driverId), seenVersion: version, action, subject: driverId };
}

/** The change of a driver who goes off duty, with the end of the open offers. */
export async function leaving(
  dependencies: LeaveDependencies,
  row: DriverRow,
  statements: readonly WriteStatement[],
): Promise<Result<FleetChange<DriverRow>>> {
  const givenUp = await offersGivenUp(dependencies, row.id);
  if (!givenUp.ok) return givenUp;
  return ok({ ...givenUp.value, row, statements: [...statements, ...givenUp.value.statements] });
}

/** The driver id of the phone in the directory: the given one, or that of an interrupted creation. */
async function registerPhone({ directory }: DriverDependencies, row: DriverPhoneRow): Promise<Result<Uuid>> {
  const isCommitted = settle(await directory.writer.commit({ statements: [driverPhoneInsert(row)] }));
  if (!isCommitted.ok) return isCommitted;
  if (isCommitted.value) return ok(row.driverId);
  const known = await directory.database.read(driverPhoneByPhone(row.phone));
  if (!known.ok) return unavailable();
  const [registered] = known.rows;
  // The shard's unique keys find out whether a driver with that id exists.
  return registered?.shard === row.shard ? ok(registered.driverId) : phoneInUse();
}

/** 422: a phone belongs to one driver in all shards. */
export function phoneInUse(): Result<never> {
  return refuse('VALIDATION_FAILED', { violations: [{ field: 'phone', code: 'DUPLICATE_ITEM' }] });
}
