import type { Database } from '../../../db/database.ts';
import type { CommitRequest, Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import { type Actor, isDriverAssigned } from '../../contract/shipment-state.ts';
import type { Decimal } from '../../core/decimal.ts';
import type { Instant } from '../../core/instant.ts';
import { part } from '../../core/part.ts';
import { checkPrecondition, type Precondition } from '../../core/precondition.ts';
import { ok, type Refusal, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { auditOf, type ChangeDecision, changeVersioned } from '../audit/change.ts';
import type { EventConfig } from '../events/record.ts';
import { acceptanceOf, eventAt } from '../events/store.ts';
import { type BindDependencies, bindAnswer, type KeyClaim } from '../idempotency/once.ts';
import { heldShipment } from '../offers/store.ts';
import { cancellationPrice, cancellationRule, costsFee } from '../pricing/cancellation.ts';
import { refuseAbove } from '../pricing/price-limit.ts';
import { termsOf } from '../pricing/store.ts';
import { readRow } from '../rows.ts';
import { driverBehind } from './driver-effects.ts';
import { type Command, decide } from './lifecycle.ts';
import { type ShipmentRow, shipmentById } from './store.ts';
import { transitionUnit } from './transition.ts';
import { shipmentAnswer } from './view.ts';

const amendmentPart = part(() => import('./amendment-unit.ts'));

export interface CommandDependencies {
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: CompanyClock;
  readonly random: Random;
  readonly config: EventConfig;
}

/** What a command with an idempotency key needs in addition. */
export type OrderDependencies = CommandDependencies & BindDependencies;

export interface CommandOrder {
  readonly shipmentId: Uuid;
  readonly command: Command;
  readonly actor: Actor;
  readonly precondition: Precondition;
  readonly correlationId: Uuid;
  /** The most that a cancellation may cost, with VAT. */
  readonly priceLimit?: Decimal | undefined;
  /** The idempotency key of the request. */
  readonly claim?: KeyClaim | undefined;
}

/** Queues the commands on one shipment, so that they do not compete in the database. */
export interface Lane {
  execute(scope: CompanyScope, order: CommandOrder): Promise<Result<ShipmentRow>>;
}

/**
 * Runs one command on one shipment of the company: reads it (or takes `lastSeen`), checks the precondition, decides, and
 * commits if the row has not changed since.
 */
export function executeCommand(
  dependencies: OrderDependencies,
  scope: CompanyScope,
  order: CommandOrder,
  lastSeen?: ShipmentRow,
): Promise<Result<ShipmentRow>> {
  const { database } = dependencies;
  return changeVersioned<ShipmentRow, ShipmentRow>(dependencies, {
    lastSeen,
    read: () => readShipment(database, scope, order.shipmentId),
    decide: (row) => decideOn(dependencies, scope, order, row),
    refuseLost: () => refuseLost(database, order),
  });
}

/**
 * The refusal after the last lost attempt, when nothing was changed: 503, or 403 for a driver if another driver has the
 * shipment by now.
 */
async function refuseLost(database: Database, { shipmentId, command }: CommandOrder): Promise<Refusal> {
  const driverId = driverBehind(command);
  if (driverId === undefined) return unavailable();
  const answer = await database.read(heldShipment(driverId, shipmentId));
  return answer.ok && answer.rows.length === 0 ? refuse('ACCESS_DENIED') : unavailable();
}

/** One shipment of the company. An unknown shipment and one of another company get the same refusal. */
export function readShipment(database: Database, scope: CompanyScope, id: Uuid): Promise<Result<ShipmentRow>> {
  return readRow(database, shipmentById(scope, id), 'ACCESS_DENIED');
}

/** Whether a cancellation at `now` costs the fee; a refusal if that is above the limit. Only while a driver is on the way it can, so only then is anything read. */
async function feeOf(
  database: Database,
  scope: CompanyScope,
  { row, order, now }: { readonly row: ShipmentRow; readonly order: CommandOrder; readonly now: Instant },
): Promise<Result<{ readonly hasFee: boolean }>> {
  const { id, state, pickupWindowEnd } = row;
  const { command, actor } = order;
  if (command.name !== 'CANCEL' || actor !== 'MERCHANT' || !isDriverAssigned(state)) return ok({ hasFee: false });
  const found = await database.readAll([termsOf(scope, id), acceptanceOf(scope, id)] as const);
  if (!found.ok) return unavailable();
  const [[terms], [acceptance]] = found.results;
  if (terms === undefined) return refuse('ACCESS_DENIED');
  const rule = cancellationRule({ state, pickupWindowEnd, acceptedAt: acceptance?.occurredAt }, terms, { actor, now });
  return refuseAbove(order.priceLimit, cancellationPrice(rule, terms)) ?? ok({ hasFee: costsFee(rule) });
}

async function decideOn(
  dependencies: OrderDependencies,
  scope: CompanyScope,
  order: CommandOrder,
  row: ShipmentRow,
): Promise<Result<ChangeDecision<ShipmentRow>>> {
  const { clock, random, config } = dependencies;
  const { claim } = order;
  const bind = async (unit: CommitRequest, value: ShipmentRow) =>
    claim === undefined ? unit : bindAnswer(dependencies, scope, claim, { unit, answer: shipmentAnswer(value) });
  const isOperator = order.actor === 'OPERATOR';
  const mismatch = checkPrecondition(order.precondition, row.version);
  if (mismatch !== undefined && !isOperator) return mismatch;
  const decision = decide(row, order.command, order.actor, clock.now());
  if (decision.kind === 'unchanged') {
    if (claim === undefined) return ok({ kind: 'unchanged', value: row });
    return ok({ kind: 'change', value: row, unit: await bind({ statements: [] }, row), audit: 'unaudited' });
  }
  if (decision.kind === 'refused') return decision.refusal;
  // An operator learns first whether the command still makes sense in the state that somebody else has led to.
  if (mismatch !== undefined) return { ...mismatch, members: { ...mismatch.members, currentState: row.state } };
  const { transition } = decision;
  const { type: action, occurredAt: at, reasonCode } = transition.event;
  const fee = await feeOf(dependencies.database, scope, { row, order, now: at });
  if (!fee.ok) return fee;
  const { hasFee } = fee.value;
  const { command, correlationId } = order;
  const made = { eventId: random.uuid(), correlationId, config, clock, hasFee };
  const sequence = transition.next.version + 1;
  const isAmended = command.name === 'AMEND' || row.amendmentCount > 0;
  const unitOf = isAmended ? (await amendmentPart()).amendedUnit : transitionUnit;
  const value = { ...row, ...transition.next, ...(command.name === 'AMEND' ? command.amendment.row : {}) };
  return ok({
    kind: 'change',
    value,
    unit: await bind(unitOf(row, command, transition, made), value),
    // The sequence identifies the entry of the timeline, which does not name the person.
    audit: auditOf({ random, clock }, scope, { action, subject: row.id, at, detail: { sequence, reasonCode } }),
    // Only this command writes an event with this id.
    committed: eventAt(scope, { shipmentId: row.id, sequence, id: made.eventId }),
  });
}
