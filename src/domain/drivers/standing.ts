import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import type { DriverPrincipal } from '../../access/driver-token.ts';
import type { DriverStanding, ReportedPosition } from '../../contract/driver.ts';
import { ok, type Result, unavailable } from '../../core/result.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { DriverRow } from '../offers/store.ts';
import { readRow } from '../rows.ts';
import { settle } from '../settle.ts';
import { fleetDriverById } from './fleet-store.ts';
import { commitLeave, type LeaveDependencies } from './leave.ts';
import { type PositionReports, usablePosition } from './positions.ts';
import { dutyUpdate } from './store.ts';

export interface StandingDependencies {
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: CompanyClock;
}

/** What a driver may know of themselves. */
export async function readStanding(
  { database }: Pick<StandingDependencies, 'database'>,
  { driverId }: DriverPrincipal,
): Promise<Result<DriverStanding>> {
  const row = await readDriver(database, driverId);
  return row.ok ? ok(presentStanding(row.value)) : row;
}

/**
 * Puts the driver on or off duty, as the driver wishes; a repeat changes nothing. A driver off duty keeps the current
 * shipments and has no open offers. Undefined if the driver has been blocked since the request was admitted.
 */
export async function changeOwnDuty(
  dependencies: StandingDependencies & LeaveDependencies,
  { driverId }: DriverPrincipal,
  isOnDuty: boolean,
): Promise<Result<DriverStanding | undefined>> {
  const { database, writer, clock } = dependencies;
  const update = dutyUpdate(driverId, isOnDuty, clock.now());
  const changed = isOnDuty
    ? settle(await writer.commit({ statements: [update] }))
    : await commitLeave(dependencies, driverId, async (givenUp) =>
        settle(await writer.commit({ ...givenUp, statements: [update, ...givenUp.statements] })),
      );
  if (!changed.ok) return changed;
  const row = await readDriver(database, driverId);
  if (!row.ok) return row;
  return ok(row.value.status === 'ACTIVE' ? presentStanding(row.value) : undefined);
}

/** Takes a position that belongs to no shipment. One that cannot be used is dropped: the phone can do nothing about it. */
export async function reportPosition(
  {
    positions,
    clock,
    later,
  }: Pick<StandingDependencies, 'clock'> & {
    readonly positions: PositionReports;
    readonly later: (work: Promise<unknown>) => void;
  },
  { driverId, shard }: DriverPrincipal,
  position: ReportedPosition,
): Promise<Result<true>> {
  const held = usablePosition(position, clock.now());
  return held === undefined || (await positions.report(shard, driverId, held, later)) ? ok(true) : unavailable();
}

function readDriver(database: Database, driverId: DriverPrincipal['driverId']): Promise<Result<DriverRow>> {
  return readRow(database, fleetDriverById(driverId), 'ACCESS_DENIED');
}

function presentStanding({
  id: driverId,
  firstName,
  cityCode,
  onDuty,
  activeCount,
  activeMax,
  offDutyReason,
}: DriverRow): DriverStanding {
  return { driverId, firstName, cityCode, onDuty: onDuty === 1, activeCount, activeMax, offDutyReason };
}
