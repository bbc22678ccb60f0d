import type { Instant } from '../../core/instant.ts';
import { readUpTo } from '../read-up-to.ts';
import { type CommandDependencies, transitionUnit } from '../shipments/command.ts';
import { type Command, decide } from '../shipments/lifecycle.ts';
import type { ShipmentRow } from '../shipments/store.ts';
import { availableDrivers, nextDue, postponement, shipmentsDue, waitingByIds } from './due/store.ts';
import { type DispatchWaits, planDispatch, type Step } from './plan.ts';

export interface DueDependencies extends CommandDependencies {
  readonly waits: DispatchWaits;
}

/** How many shipments are read at once; they go into a few grouped commits. */
const BATCH = 256;
/** Batches in one run. What is left is found by the next alarm, which is set at once. */
const BATCHES_MAX = 40;

/**
 * Does what is due on one shard: approvals, offers, offers that nobody answered. Safe to run twice at once: each step
 * commits only on the version it was decided on, and the loser's unit is refused.
 * Answers when the next shipment falls due, `null` when none waits, `undefined` when the database did not answer.
 */
export async function runDue(dependencies: DueDependencies): Promise<Instant | null | undefined> {
  const { database, clock } = dependencies;
  for (let batch = 1; batch <= BATCHES_MAX; batch += 1) {
    const due = await readUpTo(BATCH, (limit) => database.read(shipmentsDue(clock.now(), limit)));
    if (due === undefined) return undefined;
    if (due.length === 0) break;
    const ready = due.filter(({ state }) => state === 'READY_FOR_DISPATCH');
    const others = due.filter(({ state }) => state !== 'READY_FOR_DISPATCH');
    const outcomes = await Promise.all([
      ...others.map((row) => advance(dependencies, row)),
      dispatchReady(dependencies, ready),
    ]);
    if (outcomes.includes(false)) return undefined;
  }
  const next = await database.read(nextDue());
  return next.ok ? (next.rows[0]?.dueAt ?? null) : undefined;
}

/** Approves, or takes back an offer that nobody answered in time. */
function advance(dependencies: DueDependencies, row: ShipmentRow): Promise<boolean> {
  if (row.state === 'PENDING_APPROVAL') return apply(dependencies, row, { name: 'APPROVE' });
  if (row.state === 'OFFERED') return apply(dependencies, row, { name: 'EXPIRE_OFFER' });
  return putAside(dependencies, row);
}

/**
 * Nothing is due in this state: a bug, or a hand at the database. Left due the row would be found for ever and hold up
 * all that comes after it; so it is put aside first, and told then.
 */
async function putAside({ writer }: DueDependencies, { id, state, version }: ShipmentRow): Promise<never> {
  await writer.commit({ statements: [postponement(id, version, null)] });
  throw new Error(`Shipment ${id} was due in state ${state}, in which nothing is`);
}

async function dispatchReady(dependencies: DueDependencies, ready: readonly ShipmentRow[]): Promise<boolean> {
  if (ready.length === 0) return true;
  const ids = ready.map(({ id }) => id);
  const answer = await dependencies.database.readAll([waitingByIds(ids), availableDrivers(ids)] as const);
  if (!answer.ok) return false;
  const [waiting, drivers] = answer.results;
  const steps = planDispatch(waiting, drivers, dependencies.waits, dependencies.clock.now());
  const stepOf = new Map(steps.map((step) => [step.shipmentId, step]));
  // A shipment of which dispatch knows nothing can be given to nobody.
  const outcomes = await Promise.all(
    ready.map((row) => take(dependencies, row, stepOf.get(row.id) ?? { kind: 'give_up', shipmentId: row.id })),
  );
  return !outcomes.includes(false);
}

async function take(dependencies: DueDependencies, row: ShipmentRow, step: Step): Promise<boolean> {
  if (step.kind === 'give_up') return apply(dependencies, row, { name: 'GIVE_UP' });
  if (step.kind === 'offer') {
    const { driverId, expiresAt } = step;
    return apply(dependencies, row, { name: 'OFFER', offerId: dependencies.random.uuid(), driverId, expiresAt });
  }
  const request = { statements: [postponement(row.id, row.version, step.dueAt)], dueAt: step.dueAt };
  return isSettled(await dependencies.writer.commit(request));
}

async function apply(
  { writer, clock, random, config }: DueDependencies,
  row: ShipmentRow,
  command: Command,
): Promise<boolean> {
  const decision = decide(row, command, 'SYSTEM', clock.now());
  if (decision.kind !== 'transition') throw new Error(`${command.name} is due for a shipment in state ${row.state}`);
  const made = { eventId: random.uuid(), correlationId: random.uuid(), deployment: config.deployment };
  return isSettled(await writer.commit(transitionUnit(row, command, decision.transition, made)));
}

/** Whether the database has taken it or refused it. If neither, it is still due. */
function isSettled(outcome: { readonly status: string }): boolean {
  if (outcome.status === 'invalid') throw new Error('The SQL of dispatch is wrong');
  return outcome.status === 'committed' || outcome.status === 'refused';
}
