import type { Database } from '../../../db/database.ts';
import type { CommitRequest, Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import { type Actor, isDriverAssigned } from '../../contract/shipment-state.ts';
import type { Deployment } from '../../core/deployment.ts';
import type { Instant } from '../../core/instant.ts';
import { checkPrecondition, type Precondition } from '../../core/precondition.ts';
import { ok, type Refusal, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { dispatchEffects, driverBehind } from '../dispatch/effects.ts';
import { heldBy } from '../dispatch/store.ts';
import { recordTransition } from '../events/record.ts';
import { eventAt, eventInsert } from '../events/store.ts';
import { chargeCancellation } from '../pricing/terms.ts';
import { type Command, decide, type Standing, type Transition } from './lifecycle.ts';
import { type ShipmentRow, shipmentById, standingUpdate } from './store.ts';
import { presentShipment } from './view.ts';

export interface CommandDependencies {
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly random: Random;
  readonly config: { readonly deployment: Deployment };
}

export interface CommandOrder {
  readonly shipmentId: Uuid;
  readonly command: Command;
  readonly actor: Actor;
  readonly precondition: Precondition;
  readonly correlationId: Uuid;
}

/** One lost race each; past it the caller may try again himself. */
const ATTEMPTS_MAX = 3;

/**
 * Runs one command on one shipment of the company: reads it (or takes the row last seen), checks the precondition,
 * decides, and commits if the row is still as it was. A refusal is only ever given on a row fresh from the database.
 */
export async function executeCommand(
  dependencies: CommandDependencies,
  scope: CompanyScope,
  order: CommandOrder,
  lastSeen?: ShipmentRow,
): Promise<Result<ShipmentRow>> {
  let row = lastSeen;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const isFresh = row === undefined;
    if (row === undefined) {
      const found = await readShipment(dependencies.database, scope, order.shipmentId);
      if (!found.ok) return found;
      row = found.value;
    }
    const answer = await attemptOn(dependencies, scope, order, row);
    if (answer !== 'lost' && (answer.ok || isFresh || answer.code === 'SERVICE_UNAVAILABLE')) return answer;
    row = undefined;
  }
  return refuseLost(dependencies.database, order);
}

/**
 * After the last lost race, so nothing was done: 503, but 403 for a driver when the races were lost because the shipment
 * went to somebody else.
 */
async function refuseLost(database: Database, { shipmentId, command }: CommandOrder): Promise<Refusal> {
  const driverId = driverBehind(command);
  if (driverId === undefined) return unavailable();
  const answer = await database.read(heldBy(driverId, shipmentId));
  return answer.ok && answer.rows.length === 0 ? refuse('ACCESS_DENIED') : unavailable();
}

/** One shipment of the company. Unknown and foreign are refused alike. */
export async function readShipment(database: Database, scope: CompanyScope, id: Uuid): Promise<Result<ShipmentRow>> {
  const answer = await database.read(shipmentById(scope, id));
  if (!answer.ok) return unavailable();
  const [row] = answer.rows;
  return row === undefined ? refuse('ACCESS_DENIED') : ok(row);
}

/** The unit of SQL that takes a shipment from one standing to the next, with its event and all that hangs on it. */
export function transitionUnit(
  subject: ShipmentRow,
  command: Command,
  { next, event }: Transition,
  made: { eventId: Uuid; correlationId: Uuid; deployment: Deployment },
): CommitRequest {
  const { id, companyId, version } = subject;
  const { state, approvedAt } = next;
  const now = event.occurredAt;
  const dueAt = dueAfter(command, next, now);
  const update = standingUpdate({ id, companyId, version, nextVersion: next.version, state, approvedAt, dueAt });
  const insert = eventInsert({
    ...event,
    id: made.eventId,
    shipmentId: id,
    companyId,
    sequence: next.version + 1,
    state,
    correlationId: made.correlationId,
  });
  const told = recordTransition(made.deployment, {
    ...made,
    id: made.eventId,
    companyId,
    shipmentId: id,
    type: event.type,
    occurredAt: now,
    previousState: event.previousState,
    data: { shipment: presentShipment({ ...subject, ...next }) },
  });
  const effects = dispatchEffects(id, command, { from: subject.state, to: state }, now);
  const charges = state === 'CANCELLED' ? chargeCancellation(id, isDriverAssigned(subject.state), now) : [];
  const statements = [update, insert, ...told.statements, ...effects, ...charges];
  return { statements, dueAt: dueAt ?? undefined, notices: told.notices };
}

/** When the service itself has to act next: look for a driver at once, take an unanswered offer back in time. */
function dueAfter(command: Command, next: Standing, now: Instant): Instant | null {
  if (command.name === 'OFFER') return command.expiresAt;
  return next.state === 'READY_FOR_DISPATCH' ? now : null;
}

async function attemptOn(
  { database, writer, clock, random, config }: CommandDependencies,
  scope: CompanyScope,
  order: CommandOrder,
  row: ShipmentRow,
): Promise<Result<ShipmentRow> | 'lost'> {
  const mismatch: Refusal | undefined = checkPrecondition(order.precondition, row.version);
  if (mismatch !== undefined) return mismatch;
  const decision = decide(row, order.command, order.actor, clock.now());
  if (decision.kind === 'unchanged') return ok(row);
  if (decision.kind === 'refused') return decision.refusal;
  const { transition } = decision;
  const eventId = random.uuid();
  const made = { eventId, correlationId: order.correlationId, deployment: config.deployment };
  const outcome = await writer.commit(transitionUnit(row, order.command, transition, made));
  if (outcome.status === 'committed') return ok({ ...row, ...transition.next });
  if (outcome.status === 'refused') return 'lost';
  if (outcome.status === 'invalid') throw new Error(`The command's SQL is wrong: ${outcome.message}`);
  if (
    outcome.status === 'unknown' &&
    (await hasEvent(database, scope, { shipmentId: row.id, sequence: transition.next.version + 1, eventId }))
  ) {
    return ok({ ...row, ...transition.next });
  }
  return unavailable();
}

/** After a commit whose end nobody heard: whether our own event stands at its place. */
async function hasEvent(
  database: Database,
  scope: CompanyScope,
  event: { shipmentId: Uuid; sequence: number; eventId: Uuid },
): Promise<boolean> {
  const answer = await database.read(eventAt(scope, event.shipmentId, event.sequence));
  return answer.ok && answer.rows[0]?.id === event.eventId;
}
