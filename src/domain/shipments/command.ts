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
import { eventAt } from '../events/store.ts';
import { type BindDependencies, bindAnswer, type KeyClaim } from '../idempotency/once.ts';
import { heldShipment } from '../offers/store.ts';
import { readRow } from '../rows.ts';
import { driverBehind } from './driver-effects.ts';
import { type Command, decide, isLoss, type Transition } from './lifecycle.ts';
import type { CaseConfig } from './open-case.ts';
import { type ShipmentRow, shipmentById } from './store.ts';
import { type TransitionParts, transitionUnit } from './transition.ts';
import { shipmentAnswer } from './view.ts';

const amendmentPart = part(() => import('./amendment-unit.ts'));
const collectionPart = part(() => import('./collection.ts'));
const lossPart = part(() => import('./case-of-loss.ts'));
const proofPart = part(() => import('./proof-store.ts'));
const windowPart = part(() => import('./window-agreed.ts'));
const feePart = part(() => import('./cancellation-fee.ts'));
const failurePart = part(() => import('./failure.ts'));

export interface CommandDependencies {
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: CompanyClock;
  readonly random: Random;
  readonly config: CaseConfig;
}

/** What a command with an idempotency key needs in addition. */
export type OrderDependencies = CommandDependencies & BindDependencies;

export interface CommandOrder {
  readonly shipmentId: Uuid;
  readonly command: Command;
  readonly actor: Actor;
  readonly precondition: Precondition;
  readonly correlationId: Uuid;
  /** When the driver took the action: see `takenOf`. */
  readonly takenAt?: Instant | null | undefined;
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

async function decideOn(
  dependencies: OrderDependencies,
  scope: CompanyScope,
  order: CommandOrder,
  row: ShipmentRow,
): Promise<Result<ChangeDecision<ShipmentRow>>> {
  const { clock, random } = dependencies;
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
  const { command, actor, priceLimit } = order;
  // Only while a driver is on the way can a cancellation cost its fee.
  const mayCost = command.name === 'CANCEL' && actor === 'MERCHANT' && isDriverAssigned(row.state);
  const fee = mayCost
    ? await (await feePart()).feeOf(dependencies.database, scope, { row, actor, now: at, priceLimit })
    : ok({ hasFee: false });
  if (!fee.ok) return fee;
  const eventId = random.uuid();
  const { hasFee } = fee.value;
  const unit = await commandUnit(dependencies, scope, { ...order, row, transition, eventId, hasFee });
  if (!unit.ok) return unit;
  const sequence = transition.next.version + 1;
  const value = { ...row, ...transition.next };
  return ok({
    kind: 'change',
    value,
    unit: await bind(unit.value, value),
    // The sequence identifies the entry of the timeline, which does not name the person.
    audit: auditOf({ random, clock }, scope, { action, subject: row.id, at, detail: { sequence, reasonCode } }),
    // Only this command writes an event with this id.
    committed: eventAt(scope, { shipmentId: row.id, sequence, id: eventId }),
  });
}

/** A command that was decided on a row. */
interface Decided
  extends Pick<CommandOrder, 'command' | 'actor' | 'correlationId' | 'takenAt' | 'priceLimit'>,
    Pick<TransitionParts, 'eventId' | 'hasFee'> {
  readonly row: ShipmentRow;
  readonly transition: Transition;
}

/** The unit of a command, with what it brings: the proof, the amount that was collected, and what follows a failure. */
export async function commandUnit(
  dependencies: CommandDependencies,
  scope: CompanyScope,
  order: Decided,
): Promise<Result<CommitRequest>> {
  const { row, command, transition, correlationId } = order;
  const failing = command.name === 'FAIL' || command.name === 'RECALL';
  const failure = failing
    ? await (await failurePart()).planFailure(dependencies, scope, {
        ...order,
        command,
        now: transition.event.occurredAt,
      })
    : ok(undefined);
  if (!failure.ok) return failure;
  const made = { ...dependencies, ...order, failure: failure.value };
  const moved =
    command.name === 'AMEND'
      ? (await amendmentPart()).amendmentUnit(row, command, transition, made)
      : transitionUnit(row, command, transition, made);
  // A shipment without an amount to collect never loads the part.
  const mayCollect = command.name === 'DELIVER' && (row.codAmount !== '0' || command.collected !== undefined);
  const proof = 'proof' in command ? command.proof : undefined;
  const proven = proof === undefined ? moved : (await proofPart()).provenUnit(moved, row, proof);
  if (mayCollect) return (await collectionPart()).collectedUnit(proven, row, { command, transition, made });
  if (command.name === 'ACCEPT' && row.deliveryWindowStart !== null) {
    const { occurredAt } = transition.event;
    const event = { occurredAt, correlationId };
    const agreed = (await windowPart()).windowAgreedEvent(dependencies, { ...row, ...transition.next }, event);
    return ok({ ...proven, statements: [...proven.statements, ...agreed] });
  }
  if (!isLoss(command)) return ok(proven);
  return (await lossPart()).lossUnit(dependencies, proven, { row, command, transition, correlationId });
}
