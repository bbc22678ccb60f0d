import type { Database } from '../../../db/database.ts';
import type { CommitRequest } from '../../../db/writer.ts';
import type { Deployment } from '../../core/deployment.ts';
import { ok, type Result, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Random } from '../../ports/random.ts';
import type { ClockBook } from '../clocks/company-clock.ts';
import { clockKept } from '../clocks/store.ts';
import { decide } from '../shipments/lifecycle.ts';
import type { ShipmentRow } from '../shipments/store.ts';
import { transitionUnit } from '../shipments/transition.ts';
import { noOpenOffers, openOffersOf } from './store.ts';

/*
 * Promise: a driver who is off duty has no open offer. The unit that puts the driver off duty also ends the open offers, and
 * it is refused if another one was made meanwhile. Dispatch makes no offer to a driver who is off duty.
 */

export interface LeaveDependencies {
  readonly database: Database;
  readonly clockBook: ClockBook;
  readonly random: Random;
  readonly config: { readonly deployment: Deployment };
}

const ATTEMPTS_MAX = 3;

/** Commits a unit that also ends the driver's open offers. If an offer changes meanwhile, it tries again. */
export async function commitLeave(
  dependencies: LeaveDependencies,
  driverId: Uuid,
  commit: (givenUp: CommitRequest) => Promise<Result<boolean>>,
): Promise<Result<true>> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const givenUp = await offersGivenUp(dependencies, driverId);
    if (!givenUp.ok) return givenUp;
    const done = await commit(givenUp.value);
    if (!done.ok) return done;
    if (done.value) return ok(true);
  }
  return unavailable();
}

/** The part of a unit that ends a driver's open offers as declined, which does not count as a refusal. */
export async function offersGivenUp(dependencies: LeaveDependencies, driverId: Uuid): Promise<Result<CommitRequest>> {
  const offered = await dependencies.database.read(openOffersOf(driverId));
  if (!offered.ok) return unavailable();
  const units: CommitRequest[] = [];
  for (const row of offered.rows) {
    const unit = await declineUnit(dependencies, row, driverId);
    if (!unit.ok) return unit;
    units.push(unit.value);
  }
  const dueAts = units.flatMap(({ dueAt }) => (dueAt === undefined ? [] : [dueAt]));
  return ok({
    statements: [...units.flatMap(({ statements }) => statements), noOpenOffers(driverId)],
    dueAt: dueAts.toSorted((first, second) => Number(first - second))[0],
  });
}

async function declineUnit(
  { database, clockBook, random, config }: LeaveDependencies,
  row: ShipmentRow,
  driverId: Uuid,
): Promise<Result<CommitRequest>> {
  const clock = await clockBook.clockOf(database, row.companyId);
  if (!clock.ok) return clock;
  const command = { name: 'DECLINE', driverId, isRefusal: false } as const;
  const decision = decide(row, command, 'DRIVER', clock.value.now());
  if (decision.kind !== 'transition') throw new Error(`A shipment in state ${row.state} has an open offer`);
  const made = {
    eventId: random.uuid(),
    correlationId: random.uuid(),
    config,
    clock: clock.value,
  };
  const unit = transitionUnit(row, command, decision.transition, made);
  const { stored } = clock.value;
  if (stored === undefined) return ok(unit);
  const dueAt = unit.dueAt === undefined ? undefined : clock.value.wallAt(unit.dueAt);
  return ok({ ...unit, statements: [clockKept(stored), ...unit.statements], dueAt });
}
