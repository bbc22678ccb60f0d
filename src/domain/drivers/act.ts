import type { Database } from '../../../db/database.ts';
import type { WriteStatement } from '../../../db/statement.ts';
import type { Writer } from '../../../db/writer.ts';
import type { DriverPrincipal } from '../../access/driver-token.ts';
import { scopeForDriver } from '../../access/require.ts';
import type { DriverActionRequest, DriverShipment, ReportedPosition } from '../../contract/driver.ts';
import { hasDriver, isTerminal } from '../../contract/shipment-state.ts';
import { addSeconds, type Instant } from '../../core/instant.ts';
import { ok, type Refusal, type Result, refuse, unavailable, type Violation } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Clock } from '../../ports/clock.ts';
import { settle } from '../settle.ts';
import type { Lane } from '../shipments/command.ts';
import type { Command } from '../shipments/lifecycle.ts';
import type { ShipmentRow } from '../shipments/store.ts';
import { assignmentOf, positionUpdate, recipientLooksInsert } from './store.ts';
import { presentToDriver, VISIBLE_SECONDS } from './view.ts';

export interface ActDependencies {
  readonly database: Database;
  readonly writer: Writer;
  readonly lane: Lane;
  readonly clock: Clock;
}

export interface ActOrder extends DriverActionRequest {
  readonly shipmentId: Uuid;
  readonly correlationId: Uuid;
}

type Assignment = ShipmentRow & {
  readonly offerState: string;
  readonly offerExpiresAt: Instant;
  readonly offerEndedAt: Instant | null;
  readonly onDuty: number;
};

/** Clocks of phones differ by less; a position from further ahead is an error. */
const CLOCK_TOLERANCE_SECONDS = 10;

/**
 * Runs an action of a driver on a shipment that the driver has. Another driver’s shipment is refused like an unknown one.
 * The position is stored after the action has succeeded.
 */
export async function actOnShipment(
  dependencies: ActDependencies,
  driver: DriverPrincipal,
  order: ActOrder,
): Promise<Result<DriverShipment>> {
  const { database, lane, clock } = dependencies;
  const now = clock.now();
  const violations = actionViolations(order, now);
  if (violations.length > 0) return refuse('VALIDATION_FAILED', { violations });
  const found = await database.read(assignmentOf(driver.driverId, order.shipmentId));
  if (!found.ok) return unavailable();
  const [assignment] = found.rows;
  if (assignment === undefined) return refuse('ACCESS_DENIED');
  const command = commandOf(order, driver.driverId);
  const refusal = refusalOf(assignment, command, now);
  if (refusal !== undefined) return refusal;
  let row: ShipmentRow = assignment;
  if (command !== undefined) {
    const { shipmentId, correlationId } = order;
    const commanded = { shipmentId, command, actor: 'DRIVER', precondition: { kind: 'any' }, correlationId } as const;
    const done = await lane.execute(scopeForDriver(driver, assignment), commanded);
    if (!done.ok) return done;
    row = done.value;
  }
  return answerWith(dependencies, driver, { row, assignment, position: order.position });
}

/** Rules that look at more than one member. */
export function actionViolations({ action, reasonCode, position }: DriverActionRequest, now: Instant): Violation[] {
  const violations: Violation[] = [];
  if (action === 'FAIL' && reasonCode === undefined) violations.push({ field: 'reasonCode', code: 'REQUIRED' });
  if (action !== 'FAIL' && reasonCode !== undefined) violations.push({ field: 'reasonCode', code: 'FORBIDDEN_FIELD' });
  if (action === 'REPORT_POSITION' && position === undefined) violations.push({ field: 'position', code: 'REQUIRED' });
  if (position?.recordedAt !== undefined && position.recordedAt > addSeconds(now, CLOCK_TOLERANCE_SECONDS)) {
    violations.push({ field: 'position.recordedAt', code: 'OUT_OF_RANGE', limit: 'not in the future' });
  }
  return violations;
}

function commandOf({ action, reasonCode }: DriverActionRequest, driverId: Uuid): Command | undefined {
  if (action === 'REPORT_POSITION') return undefined;
  if (action !== 'FAIL') return { name: action, driverId };
  if (reasonCode === undefined) throw new Error('A failure without its reason passed the rules');
  return { name: 'FAIL', driverId, reasonCode };
}

/**
 * A driver off duty keeps the current shipments and accepts no more. An expired offer cannot be accepted, even if dispatch
 * has not withdrawn it yet. A driver who has finished a shipment cannot report positions for it.
 */
function refusalOf(
  { offerState, offerExpiresAt, onDuty, state }: Assignment,
  command: Command | undefined,
  now: Instant,
): Refusal | undefined {
  const isTooLate = command?.name === 'ACCEPT' && (onDuty !== 1 || (offerState === 'OPEN' && offerExpiresAt <= now));
  const isOver = command === undefined && (offerState === 'COMPLETED' || offerState === 'CANCELLED');
  return isTooLate || isOver ? refuse('INVALID_STATE_TRANSITION', { members: { currentState: state } }) : undefined;
}

/**
 * Stores the position and the record of access in one unit, then shows the shipment. The action is committed by now, so if
 * the record cannot be stored, the answer omits the recipient.
 */
async function answerWith(
  { writer, clock }: ActDependencies,
  { driverId }: DriverPrincipal,
  { row, assignment, position }: { row: ShipmentRow; assignment: Assignment; position: ReportedPosition | undefined },
): Promise<Result<DriverShipment>> {
  const now = clock.now();
  const endedAt = assignment.offerEndedAt ?? now;
  const isVisible = hasDriver(row.state) || (isTerminal(row.state) && endedAt > addSeconds(now, -VISIBLE_SECONDS));
  const statements: WriteStatement[] = [
    ...(position === undefined ? [] : [positionUpdate(driverId, heldPosition(position, now))]),
    ...(isVisible ? [recipientLooksInsert(driverId, [row.id], now)] : []),
  ];
  if (statements.length === 0) return ok(presentToDriver(row, false));
  const written = settle(await writer.commit({ statements }));
  const isWritten = written.ok && written.value;
  // REPORT_POSITION does nothing else, so the driver has to learn that the position was not stored.
  if (!isWritten && row === assignment) return unavailable();
  return ok(presentToDriver(row, isVisible && isWritten));
}

function heldPosition({ latitude, longitude, recordedAt }: ReportedPosition, now: Instant) {
  return { latitude, longitude, positionAt: recordedAt === undefined || recordedAt > now ? now : recordedAt };
}
