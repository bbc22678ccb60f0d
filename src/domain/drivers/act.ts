import type { Database } from '../../../db/database.ts';
import type { WriteStatement } from '../../../db/statement.ts';
import type { CommitRequest, Writer } from '../../../db/writer.ts';
import type { DriverPrincipal } from '../../access/driver-token.ts';
import { scopeForDriver } from '../../access/require.ts';
import type { DriverActionRequest, DriverShipment, ReportedPosition } from '../../contract/driver.ts';
import { LATE_ACTIONS } from '../../contract/driver-state.ts';
import type { Shipment } from '../../contract/shipment.ts';
import { hasDriver, isTerminal, type ShipmentState } from '../../contract/shipment-state.ts';
import { addSeconds, formatInstant, type Instant } from '../../core/instant.ts';
import { ok, type Refusal, type Result, refuse, unavailable, type Violation } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { type BindDependencies, bindAnswer, findAnswer, fingerprintOf, type KeyClaim } from '../idempotency/once.ts';
import { settle } from '../settle.ts';
import type { Lane } from '../shipments/command.ts';
import type { Command } from '../shipments/lifecycle.ts';
import type { ShipmentRow } from '../shipments/store.ts';
import { amendmentsAcknowledged } from './amendment-store.ts';
import { lateReportInsert, takenFrom } from './late-report-store.ts';
import { type LookBook, type PositionReports, usablePosition } from './positions.ts';
import {
  ARRIVAL_STATES,
  type ArrivalState,
  type Arrived,
  arrivalUpdate,
  assignmentOf,
  onceOfferedTo,
  recipientLooksInsert,
} from './store.ts';
import { type Arrival, acknowledgedIn, presentToDriver, type Sight, VISIBLE_SECONDS } from './view.ts';

export interface ActDependencies extends BindDependencies {
  readonly database: Database;
  readonly writer: Writer;
  readonly lane: Lane;
  readonly positions: PositionReports;
  readonly lookBook: LookBook;
  readonly later: (work: Promise<unknown>) => void;
}

export interface ActOrder extends DriverActionRequest {
  readonly shipmentId: Uuid;
  readonly correlationId: Uuid;
}

type Assignment = ShipmentRow &
  Sight & {
    readonly offerState: string;
    readonly offerExpiresAt: Instant;
    readonly offerEndedAt: Instant | null;
    readonly onDuty: number;
  };

export interface Acted {
  readonly shipment: DriverShipment;
  /** Whether an earlier request with the same `actionId` did the work. */
  readonly isReplayed: boolean;
}

/**
 * Runs an action of a driver on a shipment that the driver has. Another driver’s shipment is refused like an unknown one.
 * The position is stored after the action has succeeded. A repeat with the same `actionId` changes nothing. It is looked up
 * first, because a driver no longer has a shipment that the first request declined or released.
 */
export async function actOnShipment(
  dependencies: ActDependencies,
  driver: DriverPrincipal,
  order: ActOrder,
): Promise<Result<Acted>> {
  const violations = actionViolations(order);
  if (violations.length > 0) return refuse('VALIDATION_FAILED', { violations });
  const claim = await claimOf(order);
  const find = async () => (claim === undefined ? ok(undefined) : findActed(dependencies, driver, { order, claim }));
  const earlier = await find();
  if (!earlier.ok) return earlier;
  if (earlier.value !== undefined) return ok(earlier.value);
  const done = await actNow(dependencies, driver, { order, claim });
  if (done.ok) return ok({ shipment: done.value, isReplayed: false });
  // The action is also refused if a request with the same id was faster.
  const faster = await find();
  if (faster.ok && faster.value !== undefined) return ok(faster.value);
  if (done.code !== 'ACCESS_DENIED') return done;
  const noted = await noteLateReport(dependencies, driver, order);
  return noted.ok ? done : noted;
}

/** A driver who reports something after an operator has taken the shipment from them leaves a trace in its timeline. */
async function noteLateReport(
  { database, writer, clock }: Pick<ActDependencies, 'database' | 'writer' | 'clock'>,
  { driverId }: DriverPrincipal,
  { shipmentId, action: reported, reasonCode }: ActOrder,
): Promise<Result<boolean>> {
  const action = LATE_ACTIONS.find((late) => late === reported);
  if (action === undefined) return ok(false);
  const taken = await database.read(takenFrom(driverId, shipmentId));
  if (!taken.ok) return unavailable();
  if (taken.rows.length === 0) return ok(false);
  const report = { shipmentId, driverId, action, reasonCode: reasonCode ?? null, reportedAt: clock.now() };
  return settle(await writer.commit({ statements: [lateReportInsert(report)] }));
}

interface Claimed<Claim> {
  readonly order: ActOrder;
  readonly claim: Claim;
}

async function claimOf({
  actionId,
  shipmentId,
  action,
  reasonCode,
  position,
  version,
}: ActOrder): Promise<KeyClaim | undefined> {
  if (actionId === undefined) return undefined;
  // A phone may date the same fix again when it repeats the action.
  const fingerprint = await fingerprintOf({
    shipmentId,
    action,
    reasonCode,
    latitude: position?.latitude,
    longitude: position?.longitude,
    ...(version === undefined ? {} : { version }),
  });
  return { operation: 'driver.act', key: actionId, fingerprint };
}

/**
 * The answer to an earlier request with this `actionId`. State and version are those of the first answer. The recipient is
 * read again, so a driver who has lost the shipment since then does not see it.
 */
async function findActed(
  dependencies: ActDependencies,
  driver: DriverPrincipal,
  { order: { shipmentId }, claim }: Claimed<KeyClaim>,
): Promise<Result<Acted | undefined>> {
  const { database, clock } = dependencies;
  const offered = await database.read(onceOfferedTo(driver.driverId, shipmentId));
  if (!offered.ok) return unavailable();
  const [shipment] = offered.rows;
  if (shipment === undefined) return ok(undefined);
  const first = await findAnswer<Pick<Shipment, 'state' | 'version'>>(
    dependencies,
    scopeForDriver(driver, shipment),
    claim,
  );
  if (!first.ok || first.value === undefined) return first.ok ? ok(undefined) : first;
  const { state, version } = first.value.body;
  const found = await database.read(assignmentOf(driver.driverId, shipmentId));
  if (!found.ok) return unavailable();
  const [assignment] = found.rows;
  const now = clock.now();
  const wasVisible = isRecipientVisible(state, now, now);
  const isVisible = assignment !== undefined && isRecipientVisible(assignment.state, assignment.offerEndedAt, now);
  const row = { ...shipment, state, version };
  if (!wasVisible || !isVisible) return ok({ shipment: presentToDriver(row, undefined), isReplayed: true });
  const noted = settle(
    await dependencies.writer.commit({
      statements: [recipientLooksInsert(driver.driverId, [shipmentId], clock.wall.now())],
    }),
  );
  return ok({ shipment: presentToDriver(row, noted.ok && noted.value ? assignment : undefined), isReplayed: true });
}

async function actNow(
  dependencies: ActDependencies,
  driver: DriverPrincipal,
  { order, claim }: Claimed<KeyClaim | undefined>,
): Promise<Result<DriverShipment>> {
  const { database, lane, clock } = dependencies;
  const now = clock.now();
  const found = await database.read(assignmentOf(driver.driverId, order.shipmentId));
  if (!found.ok) return unavailable();
  const [assignment] = found.rows;
  if (assignment === undefined) return refuse('ACCESS_DENIED');
  const command = commandOf(order, driver.driverId);
  const refusal = refusalOf(assignment, order.action, now);
  if (refusal !== undefined) return refusal;
  let row: ShipmentRow = assignment;
  if (command !== undefined) {
    const { shipmentId, correlationId } = order;
    const precondition = { kind: 'any' } as const;
    const commanded = { shipmentId, command, actor: 'DRIVER', precondition, correlationId, claim } as const;
    const done = await lane.execute(scopeForDriver(driver, assignment), commanded);
    if (!done.ok) return done;
    row = done.value;
  }
  // The lane has bound the answer of a command.
  const unbound = command === undefined ? claim : undefined;
  return answerWith(dependencies, driver, { row, assignment, order, claim: unbound });
}

/** Rules that look at more than one member. */
export function actionViolations({ action, reasonCode, position, version }: DriverActionRequest): Violation[] {
  const violations: Violation[] = [];
  if (action === 'FAIL' && reasonCode === undefined) violations.push({ field: 'reasonCode', code: 'REQUIRED' });
  if (action !== 'FAIL' && reasonCode !== undefined) violations.push({ field: 'reasonCode', code: 'FORBIDDEN_FIELD' });
  if (action !== 'ACKNOWLEDGE' && version !== undefined) violations.push({ field: 'version', code: 'FORBIDDEN_FIELD' });
  if (action === 'REPORT_POSITION' && position === undefined) violations.push({ field: 'position', code: 'REQUIRED' });
  return violations;
}

function commandOf({ action, reasonCode }: DriverActionRequest, driverId: Uuid): Command | undefined {
  if (action === 'REPORT_POSITION' || action === 'ARRIVE' || action === 'ACKNOWLEDGE') return undefined;
  if (action !== 'FAIL') return { name: action, driverId };
  if (reasonCode === undefined) throw new Error('A failure without its reason passed the rules');
  return { name: 'FAIL', driverId, reasonCode };
}

/**
 * A driver off duty keeps the current shipments and accepts no more. An expired offer cannot be accepted, even if dispatch
 * has not withdrawn it yet. A driver who has finished a shipment cannot report positions for it, arrives only at the
 * pickup location and at the door, and reads changes only of what they have.
 */
function refusalOf(
  { offerState, offerExpiresAt, onDuty, state }: Assignment,
  action: DriverActionRequest['action'],
  now: Instant,
): Refusal | undefined {
  const isTooLate = action === 'ACCEPT' && (onDuty !== 1 || (offerState === 'OPEN' && offerExpiresAt <= now));
  const isOver = action === 'REPORT_POSITION' && (offerState === 'COMPLETED' || offerState === 'CANCELLED');
  const isNowhere = action === 'ARRIVE' && !isArrivalState(state);
  const isNotTheirs = action === 'ACKNOWLEDGE' && !hasDriver(state);
  return isTooLate || isOver || isNowhere || isNotTheirs
    ? refuse('INVALID_STATE_TRANSITION', { members: { currentState: state } })
    : undefined;
}

interface Work {
  readonly row: ShipmentRow;
  readonly assignment: Assignment;
  readonly order: ActOrder;
  /** To be bound to the answer. */
  readonly claim: KeyClaim | undefined;
}

/**
 * Reports the position, stores the arrival and the record of access in one unit, then shows the shipment. A change of state
 * is committed by now, so if the record cannot be stored, the answer omits the recipient.
 */
async function answerWith(
  dependencies: ActDependencies,
  driver: DriverPrincipal,
  { row, assignment, order: { action, position, version = row.version }, claim }: Work,
): Promise<Result<DriverShipment>> {
  const { writer, clock, lookBook, positions, later } = dependencies;
  const { driverId, shard } = driver;
  const now = clock.now();
  const lookedAt = clock.wall.now();
  const isVisible = isRecipientVisible(row.state, assignment.offerEndedAt, now);
  const arrived = action === 'ARRIVE' ? arrivalIn(row.state, position, now) : undefined;
  const isRead = action === 'ACKNOWLEDGE';
  const statements: WriteStatement[] = [
    ...(isRead ? [amendmentsAcknowledged(row.id, driverId, version, now)] : []),
    ...(arrived === undefined ? [] : [arrivalUpdate(row.id, driverId, arrived)]),
    ...(isVisible && !lookBook.has(driverId, row.id, lookedAt)
      ? [recipientLooksInsert(driverId, [row.id], lookedAt)]
      : []),
  ];
  // REPORT_POSITION, ARRIVE and ACKNOWLEDGE do nothing else, so the driver learns if their position cannot be kept.
  const mustStore = row === assignment;
  const held = position && usablePosition(position, now);
  const isReported = held === undefined || (await positions.report(shard, driverId, held, later));
  if (!isReported && mustStore) return unavailable();
  if (statements.length === 0 && claim === undefined)
    return ok(presentToDriver(row, isVisible ? assignment : undefined));
  const unit: CommitRequest = { statements };
  // What a repeat needs, not the whole shipment: an app reports every few seconds.
  const answer = { status: 200, body: { state: row.state, version: row.version }, headers: {} };
  const scope = scopeForDriver(driver, row);
  const bound = claim === undefined ? unit : await bindAnswer(dependencies, scope, claim, { unit, answer });
  const written = settle(await writer.commit(bound));
  const isWritten = written.ok && written.value;
  if (!isWritten && mustStore) return unavailable();
  if (isWritten && isVisible) lookBook.note(driverId, row.id, lookedAt);
  const seen = isRead ? { ...assignment, amendments: acknowledgedIn(assignment.amendments, version, now) } : assignment;
  return ok(presentToDriver(row, isVisible && isWritten ? sightAfter(seen, arrived) : undefined));
}

function isRecipientVisible(state: ShipmentState, endedAt: Instant | null, now: Instant): boolean {
  return hasDriver(state) || (isTerminal(state) && (endedAt ?? now) > addSeconds(now, -VISIBLE_SECONDS));
}

function isArrivalState(state: ShipmentState): state is ArrivalState {
  return (ARRIVAL_STATES as readonly ShipmentState[]).includes(state);
}

function arrivalIn(state: ShipmentState, position: ReportedPosition | undefined, now: Instant): Arrived | undefined {
  if (!isArrivalState(state)) return undefined;
  const held = position && usablePosition(position, now);
  const arrival: Arrival = {
    arrivedAt: formatInstant(now),
    position: held === undefined ? null : { ...held, positionAt: formatInstant(held.positionAt) },
  };
  return { state, arrival: JSON.stringify(arrival) };
}

/** A repeated arrival keeps the first one. */
function sightAfter(seen: Sight, arrived: Arrived | undefined): Sight {
  if (arrived === undefined) return seen;
  const column = arrived.state === 'ACCEPTED' ? 'pickupArrival' : 'doorArrival';
  return { ...seen, [column]: seen[column] ?? arrived.arrival };
}
