import type { Reach } from '../../../db/shard/clocks.ts';
import type { ProblemCode } from '../../core/catalogue.ts';
import { addSeconds, type Instant, instantFromMillis, toMillis } from '../../core/instant.ts';
import { Kept } from '../../core/kept.ts';
import type { Result } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { PositionBook } from '../drivers/positions.ts';
import { readUpTo } from '../rows.ts';
import { settle } from '../settle.ts';
import { chooseDefault } from '../shipments/automatic-choice.ts';
import type { CommandDependencies } from '../shipments/command.ts';
import { type Command, decide } from '../shipments/lifecycle.ts';
import type { ChooseDependencies } from '../shipments/resolution-choice.ts';
import type { ShipmentRow } from '../shipments/store.ts';
import { transitionUnit } from '../shipments/transition.ts';
import { type DispatchWaits, nextLook, type PlannedAction, planDispatch } from './plan.ts';
import {
  anyWaiting,
  availableDrivers,
  type DueReach,
  nextDue,
  postponement,
  shipmentsDue,
  shipmentsReady,
  shipmentsWoken,
  waitingByIds,
} from './store.ts';

export interface DueDependencies extends CommandDependencies, Pick<ChooseDependencies, 'directory' | 'addresses'> {
  readonly waits: DispatchWaits;
  readonly metrics: Metrics;
  readonly looks: Looks;
  /** Whose due work is done. The clock is theirs. */
  readonly reach: Reach;
  readonly companyId: Uuid | null;
  readonly positionBook: PositionBook;
}

/** About 100 bytes each. */
const COMPANIES_MAX = 10_000;

/** When the process last looked for drivers of a shard who have become free. A new process looks at all. */
export class Looks {
  lastAt: Instant | undefined;
  nextAt: Instant | undefined;
  readonly #ofCompanies = new Kept<Uuid, Looks>({ entriesMax: COMPANIES_MAX });

  /** The looks for one company, which has its own time. */
  of(companyId: Uuid): Looks {
    return this.#ofCompanies.getOrMake(companyId, () => new Looks());
  }
}

/** Shipments in one read. They are written in a few grouped commits. */
const BATCH = 256;
/** Batches in one run. The next alarm, which is set at once, finds the rest. */
const BATCHES_MAX = 40;

/** Waiting shipments in one look for free drivers. */
const WOKEN_MAX = 1000;
/** A driver counts as free since the last look and this time before it: a commit takes a while. */
const LOOK_OVERLAP_SECONDS = 60;
const LONG_AGO = instantFromMillis(0);

/** Until a default that could not be chosen is tried again. Each try may log an error. */
const DECISION_RETRY_SECONDS = 60;

/** How often one run offers a shipment whose driver turns out to have no free capacity. */
const OFFERS_TRIED_MAX = 3;

/** The state of one run. */
interface Run extends DueDependencies {
  /** How many offers of a shipment were refused. */
  readonly refused: Map<Uuid, number>;
  /** Shipments that could not be processed: see `putAside`. */
  readonly odd: string[];
}

/**
 * Does the due work of one shard or of one company: approvals, offers, expired offers. Two concurrent runs are safe: each unit commits
 * only on the version that it was decided on, so the unit of the slower run is refused.
 * Returns when the next shipment is due, `null` if none waits, `undefined` if the database did not answer. If it had to
 * put shipments aside, it finishes all other work and then rejects.
 */
export async function runDue(dependencies: DueDependencies): Promise<Instant | null | undefined> {
  const { database, clock } = dependencies;
  const run: Run = { ...dependencies, refused: new Map(), odd: [] };
  // What is due next is read with what is due, because a run usually ends with a read that finds nothing due.
  let next: NextWork | undefined;
  for (let batch = 1; batch <= BATCHES_MAX; batch += 1) {
    next = undefined;
    const due = await readUpTo(BATCH, async (limit) => {
      const reach = reachOf(run);
      const answer = await database.readAll([shipmentsDue(reach, limit), nextDue(reach), anyWaiting(reach)] as const);
      if (!answer.ok) return answer;
      const [rows, [first], waiting] = answer.results;
      next = { dueAt: first?.dueAt ?? null, isWaiting: waiting.length > 0 };
      return { ok: true, rows };
    });
    if (due === undefined) return undefined;
    if (due.length === 0) break;
    next = undefined;
    countLateness(run, due);
    const ready = due.filter(({ state }) => state === 'READY_FOR_DISPATCH');
    const others = due.filter(({ state }) => state !== 'READY_FOR_DISPATCH');
    const outcomes = await Promise.all([...others.map((row) => advance(run, row)), dispatchReady(run, ready)]);
    if (outcomes.includes(false)) return undefined;
  }
  const looked = await lookForFreeDrivers(run);
  if (looked === undefined) return undefined;
  if (looked === 'changed' || next === undefined) next = await readNext(run);
  if (run.odd.length > 0) throw new Error(`Put aside: ${run.odd.join(', ')}`);
  if (next === undefined) return undefined;
  const { dueAt, isWaiting } = next;
  const lookAt = isWaiting ? (run.looks.nextAt ?? clock.now()) : null;
  return dueAt !== null && lookAt !== null && lookAt < dueAt ? lookAt : (dueAt ?? lookAt);
}

interface NextWork {
  readonly dueAt: Instant | null;
  /** Whether a shipment waits for a free driver. */
  readonly isWaiting: boolean;
}

async function readNext(run: Run): Promise<NextWork | undefined> {
  const answer = await run.database.readAll([nextDue(reachOf(run)), anyWaiting(reachOf(run))] as const);
  if (!answer.ok) return undefined;
  const [[first], waiting] = answer.results;
  return { dueAt: first?.dueAt ?? null, isWaiting: waiting.length > 0 };
}

function reachOf({ reach, companyId, clock }: DueDependencies): DueReach {
  return { reach, companyId, now: clock.now() };
}

/**
 * Offers shipments that wait for a driver in cities where one has become free since the last look. Who waits is due only at
 * the end of the wait, so that nothing is written while no driver is free. Undefined if the database did not answer.
 */
async function lookForFreeDrivers(run: Run): Promise<'changed' | 'same' | undefined> {
  const { looks, clock, database, waits } = run;
  const now = clock.now();
  if (looks.nextAt !== undefined && now < looks.nextAt) return 'same';
  const since = looks.lastAt === undefined ? LONG_AGO : addSeconds(looks.lastAt, -LOOK_OVERLAP_SECONDS);
  const woken = await readUpTo(WOKEN_MAX, (limit) =>
    database.read(shipmentsWoken({ ...reachOf(run), now }, since, limit)),
  );
  const actions = woken === undefined ? undefined : await planFor(run, woken);
  if (actions === undefined) return undefined;
  // Most go on waiting. Only the rest is read whole.
  const ids = [...actions.values()].filter(({ kind }) => kind !== 'wait').map(({ shipmentId }) => shipmentId);
  const rows = ids.length === 0 ? [] : await readUpTo(ids.length, (limit) => database.read(shipmentsReady(ids, limit)));
  if (rows === undefined || !(await carryOutAll(run, rows, actions))) return undefined;
  looks.lastAt = now;
  looks.nextAt = nextLook(waits, now);
  return rows.length === 0 ? 'same' : 'changed';
}

/** The due time of the first shipment, which has been due for the longest. */
function countLateness({ metrics, database, clock }: Run, [first]: readonly ShipmentRow[]): void {
  if (first?.dueAt == null) return;
  metrics.measure('dispatch_due', [(toMillis(clock.now()) - toMillis(first.dueAt)) / 1000], [database.id]);
}

/** Approves a shipment, withdraws an offer that has expired, or decides on a failed one that nobody has decided on. */
async function advance(run: Run, row: ShipmentRow): Promise<boolean> {
  if (row.state === 'DELIVERY_FAILED') {
    const decided = await chooseDefault(run, row);
    if (!decided.ok) return decideLater(run, row, decided.code);
    return decided.value || putAside(run, row);
  }
  if (row.state !== 'PENDING_APPROVAL' && row.state !== 'OFFERED') return putAside(run, row);
  const command = { name: row.state === 'OFFERED' ? 'EXPIRE_OFFER' : 'APPROVE' } as const;
  const settled = await apply(run, row, command);
  return settled.ok && !settled.value ? putAside(run, row) : settled.ok;
}

/**
 * An action that fails on an unchanged row, or a due row in a state without due work, is a bug or a manual edit. This clears
 * its due time, so that it does not block other shipments, and reports it at the end of the run. If the shipment has just
 * changed, which is the usual case, this statement is refused too.
 */
async function putAside({ writer, odd, metrics }: Run, row: ShipmentRow): Promise<boolean> {
  const { id, state } = row;
  const settled = settle(await writer.commit({ statements: [postponement(row, null)] }));
  if (settled.ok && settled.value) {
    metrics.count('dispatch_put_aside', []);
    odd.push(`shipment ${id}, due in state ${state}`);
  }
  return settled.ok;
}

/**
 * A default that is refused, or that cannot be chosen while the directory is away, must not hold up other shipments. It becomes due again
 * a little later, and is reported at the end of the run.
 */
async function decideLater(run: Run, row: ShipmentRow, code: ProblemCode): Promise<boolean> {
  const dueAt = addSeconds(run.clock.now(), DECISION_RETRY_SECONDS);
  const settled = settle(await run.writer.commit({ statements: [postponement(row, dueAt)], dueAt }));
  if (!settled.ok || !settled.value) return settled.ok;
  // A database that is away is no fault of the shipment.
  if (code !== 'SERVICE_UNAVAILABLE') run.metrics.count('dispatch_put_aside', []);
  run.odd.push(`shipment ${row.id}, not decided: ${code}`);
  return true;
}

async function dispatchReady(run: Run, ready: readonly ShipmentRow[]): Promise<boolean> {
  const actions = await planFor(run, ready);
  return actions !== undefined && carryOutAll(run, ready, actions);
}

type Actions = ReadonlyMap<Uuid, PlannedAction>;

/** The next action for each of these shipments. Undefined if the database did not answer. */
async function planFor(run: Run, ready: readonly Pick<ShipmentRow, 'id'>[]): Promise<Actions | undefined> {
  if (ready.length === 0) return new Map();
  const ids = ready.map(({ id }) => id);
  const answer = await run.database.readAll([waitingByIds(ids), availableDrivers(ids)] as const);
  if (!answer.ok) return undefined;
  const [waiting, stored] = answer.results;
  const drivers = stored.map((driver) => run.positionBook.locate(driver.id, driver));
  const actions = planDispatch(waiting, drivers, run.waits, run.clock.now());
  return new Map(actions.map((action) => [action.shipmentId, action]));
}

async function carryOutAll(run: Run, ready: readonly ShipmentRow[], actions: Actions): Promise<boolean> {
  // A shipment without a dispatch row cannot be offered to a driver.
  const outcomes = await Promise.all(
    ready.map((row) =>
      carryOut(
        run,
        row,
        actions.get(row.id) ?? { kind: 'give_up', shipmentId: row.id, reasonCode: 'NO_SERVICE_LEVEL' },
      ),
    ),
  );
  return !outcomes.includes(false);
}

async function carryOut(run: Run, row: ShipmentRow, action: PlannedAction): Promise<boolean> {
  if (action.kind === 'give_up') {
    const settled = await apply(run, row, { name: 'GIVE_UP', reasonCode: action.reasonCode });
    return settled.ok && !settled.value ? putAside(run, row) : settled.ok;
  }
  if (action.kind === 'wait') return row.dueAt === action.dueAt || lookAgain(run, row, action.dueAt);
  const { driverId, expiresAt } = action;
  const settled = await apply(run, row, { name: 'OFFER', offerId: run.random.uuid(), driverId, expiresAt });
  if (!settled.ok || settled.value) return settled.ok;
  const refusals = (run.refused.get(row.id) ?? 0) + 1;
  run.refused.set(row.id, refusals);
  // Planned again at once, but only a few times, because other shipments are due too.
  return refusals < OFFERS_TRIED_MAX || lookAgain(run, row, nextLook(run.waits, run.clock.now()));
}

async function lookAgain({ writer }: Run, row: ShipmentRow, dueAt: Instant): Promise<boolean> {
  return settle(await writer.commit({ statements: [postponement(row, dueAt)], dueAt })).ok;
}

/** False if the unit was refused. If the outcome is unknown, the shipment is still due. */
async function apply(
  { writer, clock, random, config }: Run,
  row: ShipmentRow,
  command: Command,
): Promise<Result<boolean>> {
  const decision = decide(row, command, 'SYSTEM', clock.now());
  if (decision.kind !== 'transition') throw new Error(`${command.name} is due for a shipment in state ${row.state}`);
  const made = { eventId: random.uuid(), correlationId: random.uuid(), config, clock };
  return settle(await writer.commit(transitionUnit(row, command, decision.transition, made)));
}
