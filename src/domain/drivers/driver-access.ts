import type { CommitRequest } from '../../../db/writer.ts';
import type { SessionsEndReason } from '../../contract/driver-state.ts';
import { toE164 } from '../../core/phone.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { commitChange } from '../audit/change.ts';
import { identityHmacOf } from '../challenges/code.ts';
import { challengesEnd } from '../challenges/store.ts';
import type { DriverRow } from '../offers/store.ts';
import { readRow } from '../rows.ts';
import { settle } from '../settle.ts';
import { type DriverDependencies, leaving, phoneInUse, type SeenDriver } from './fleet.ts';
import { auditOfFleet, changeRow } from './fleet-change.ts';
import {
  driverPhoneByPhone,
  driverPhoneDelete,
  driverPhoneInsert,
  driverPhoneUpdate,
  fleetDriverById,
} from './fleet-store.ts';
import { commitLeave } from './leave.ts';
import { driverSessionsDelete, dutyUpdate } from './store.ts';

/* How a driver gets in: the phone that signs in, and the sessions. */

export interface PhoneDependencies extends DriverDependencies {
  readonly config: DriverDependencies['config'] & { readonly credentialKey: string };
}

/**
 * Changes the phone that a driver signs in with, ends the driver's sessions and open codes, and puts the driver
 * off duty. The directory changes first:
 * from then on the old phone gets no code. A retry completes an interrupted request. 422 if the phone is in use, and for a
 * sandbox's driver.
 */
export async function changeDriverPhone(
  dependencies: PhoneDependencies,
  seen: SeenDriver,
  spelling: string,
): Promise<Result<DriverRow>> {
  const { clock, database } = dependencies;
  const { driverId, version } = seen;
  const found = await readRow(database, fleetDriverById(driverId), 'RESOURCE_NOT_FOUND');
  if (!found.ok) return found;
  const before = found.value;
  if (before.version !== version) return refuse('PRECONDITION_FAILED', { members: { currentVersion: before.version } });
  if (before.companyId !== null) {
    const limit = 'not the driver of a sandbox';
    return refuse('VALIDATION_FAILED', { violations: [{ field: 'driverId', code: 'NOT_IN_ENUM', limit }] });
  }
  const phone = toE164(spelling);
  const moved = await movePhone(dependencies, before, phone);
  if (!moved.ok) return moved;
  const order = { find: fleetDriverById(driverId), seenVersion: version, action: 'driver.phone_changed' };
  const result = await changeRow(dependencies, { ...order, subject: driverId }, (row) => {
    const changed = { ...row, phone, onDuty: 0, updatedAt: clock.now(), version: row.version + 1 };
    return leaving(dependencies, changed, [driverPhoneUpdate(changed), driverSessionsDelete(driverId)]);
  });
  dependencies.driverSessions.deleteOf(driverId);
  return result;
}

/** Registers the new phone and removes the old one, in one unit of the directory. */
async function movePhone(
  { directory, database, clock, config }: PhoneDependencies,
  { id: driverId, phone: oldPhone }: DriverRow,
  phone: string,
): Promise<Result<true>> {
  if (phone === oldPhone) return ok(true);
  const known = await directory.database.read(driverPhoneByPhone(phone));
  if (!known.ok) return unavailable();
  const [holder] = known.rows;
  if (holder !== undefined && holder.driverId !== driverId) return phoneInUse();
  const now = clock.now();
  const subject = await identityHmacOf(config.credentialKey, oldPhone);
  const committed = settle(
    await directory.writer.commit({
      statements: [
        ...(holder === undefined ? [driverPhoneInsert({ phone, driverId, shard: database.id, createdAt: now })] : []),
        driverPhoneDelete(oldPhone, driverId),
        challengesEnd('DRIVER_SIGN_IN', subject, now),
      ],
    }),
  );
  if (!committed.ok) return committed;
  return committed.value ? ok(true) : phoneInUse();
}

/**
 * Ends all sessions of a driver. The driver may sign in again; a blocked driver may not. With a lost phone the driver goes
 * off duty: nobody would see an offer.
 */
export async function endDriverSessions(
  dependencies: DriverDependencies,
  { driverId, reasonCode }: { readonly driverId: Uuid; readonly reasonCode: SessionsEndReason },
): Promise<Result<DriverRow>> {
  const found = await readRow(dependencies.database, fleetDriverById(driverId), 'RESOURCE_NOT_FOUND');
  if (!found.ok) return found;
  const at = dependencies.clock.now();
  const details = { action: 'driver.sessions_ended', subject: driverId, at, detail: { reasonCode } };
  const isLost = reasonCode === 'PHONE_LOST';
  const own = [driverSessionsDelete(driverId), ...(isLost ? [dutyUpdate(driverId, false, at)] : [])];
  const end = ({ statements, ...unit }: CommitRequest) =>
    commitChange(dependencies, {
      unit: { ...unit, statements: [...own, ...statements] },
      audit: auditOfFleet(dependencies, details),
    });
  const made = isLost ? await commitLeave(dependencies, driverId, end) : await end({ statements: [] });
  if (!made.ok) return made;
  if (!made.value) throw new Error('The end of sessions was refused');
  dependencies.driverSessions.deleteOf(driverId);
  return isLost ? readRow(dependencies.database, fleetDriverById(driverId), 'RESOURCE_NOT_FOUND') : found;
}
