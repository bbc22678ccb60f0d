import type { CommitRequest } from '../../../../db/writer.ts';
import { type CompanyScope, scopeForService } from '../../../access/require.ts';
import { addMillis, addSeconds, type Instant } from '../../../core/instant.ts';
import { ok, type Result } from '../../../core/result.ts';
import type { DueDependencies } from '../../dispatch/due.ts';
import { playedProof } from '../../proof/scenario-proof.ts';
import { readUpTo } from '../../rows.ts';
import { settle } from '../../settle.ts';
import { commandUnit } from '../../shipments/command.ts';
import { type Command, decide } from '../../shipments/lifecycle.ts';
import { recallCommand } from '../../shipments/recall.ts';
import { nextStep, type ScenarioCommand } from './scenario.ts';
import {
  nextScenario,
  type ScenarioAdvance,
  type ScenarioRow,
  scenarioAdvance,
  scenariosDue,
  scenarioUpsert,
} from './store.ts';

/** Shipments in one read, and reads in one run. The next alarm finds the rest. */
const BATCH = 128;
const BATCHES_MAX = 40;
/** How long a refused step waits: something else has changed the shipment, or the driver has no capacity. */
const RETRY_MS = 1000;

export interface ScenarioRun {
  /** Whether a command ran, so that dispatch may have work. */
  readonly hasActed: boolean;
  /** When the next step is due; null if no step waits. */
  readonly next: Instant | null;
}

/**
 * Runs every due step of all companies of the shard, or of one company. A step is one unit: the command of the real lifecycle and the next
 * position of the scenario. So a scenario survives restarts, and two concurrent runs do not run a step twice.
 */
export async function runScenarios(dependencies: DueDependencies): Promise<ScenarioRun | undefined> {
  const { database, clock, reach, companyId } = dependencies;
  let hasActed = false;
  for (let batch = 1; ; batch += 1) {
    const now = clock.now();
    const whose = { reach, companyId, now };
    let next: Instant | null = null;
    const due = await readUpTo(BATCH, async (limit) => {
      const answer = await database.readAll([scenariosDue(whose, limit), nextScenario(whose)] as const);
      if (!answer.ok) return answer;
      const [rows, [first]] = answer.results;
      next = first?.dueAt ?? null;
      return { ok: true, rows };
    });
    if (due === undefined) return undefined;
    if (due.length === 0) return { hasActed, next };
    if (batch > BATCHES_MAX) return { hasActed, next: now };
    const outcomes = await Promise.all(due.map((row) => take(dependencies, row)));
    if (outcomes.includes('unavailable')) return undefined;
    hasActed ||= outcomes.includes('acted');
  }
}

type Outcome = 'acted' | 'rested' | 'unavailable';

async function take(dependencies: DueDependencies, row: ScenarioRow): Promise<Outcome> {
  const { writer, clock } = dependencies;
  const step = nextStep(row, clock.now());
  if (step.kind === 'wait') return rest(dependencies, row, { dueAt: step.until });
  if (step.kind === 'end') return rest(dependencies, row, { dueAt: null, lastError: step.error });
  const unit = await unitOf(dependencies, row, step.command, step.isLast);
  if (unit === undefined) return 'unavailable';
  const settled = settle(await writer.commit(unit));
  if (!settled.ok) return 'unavailable';
  return settled.value ? 'acted' : rest(dependencies, row, { dueAt: addMillis(clock.now(), RETRY_MS) });
}

/** The step without a command. If it is refused, another run has already done it. */
async function rest(
  { writer }: DueDependencies,
  row: ScenarioRow,
  { dueAt, lastError = null }: { readonly dueAt: Instant | null; readonly lastError?: string | null },
): Promise<Outcome> {
  const statement = advanceOf(row, { nextStep: row.step, dueAt, lastError });
  return settle(await writer.commit({ statements: [statement], dueAt: dueAt ?? undefined })).ok
    ? 'rested'
    : 'unavailable';
}

/** Undefined if the database did not answer. */
async function unitOf(
  dependencies: DueDependencies,
  row: ScenarioRow,
  command: ScenarioCommand,
  isLast: boolean,
): Promise<CommitRequest | undefined> {
  const { clock, random } = dependencies;
  const now = clock.now();
  const scope = scopeForService(dependencies.database.id, row.companyId);
  const ordered = await orderOf(dependencies, scope, { row, command, now });
  if (!ordered.ok) return undefined;
  const [given, actor] = ordered.value;
  const order = await provenOrder(row, given, now);
  const decision = decide(row, order, actor, now);
  if (decision.kind !== 'transition') throw new Error(`A scenario's ${command.name} is not legal in ${row.state}`);
  const { transition } = decision;
  const made = { command: order, actor, correlationId: random.uuid(), eventId: random.uuid() };
  const built = await commandUnit(dependencies, scope, { ...made, row, transition });
  if (!built.ok) return undefined;
  const unit = built.value;
  const advance = advanceOf(row, { nextStep: row.step + 1, dueAt: isLast ? null : now, lastError: null });
  const back = { name: 'HAPPY_PATH', stepSeconds: row.stepSeconds, dueAt: now } as const;
  const carriedBack =
    order.name === 'RECALL' ? [scenarioUpsert(scope, { ...back, shipmentId: order.followUp.id })] : [];
  return { ...unit, statements: [...unit.statements, advance, ...carriedBack], dueAt: now };
}

/** The command with what it proves, if it ends the shipment. */
async function provenOrder(row: ScenarioRow, order: Command, now: Instant): Promise<Command> {
  if ((order.name !== 'DELIVER' && order.name !== 'FAIL') || !('driverId' in order)) return order;
  const reasonCode = order.name === 'FAIL' ? order.reasonCode : undefined;
  const hasArrived = row.state === 'OUT_FOR_DELIVERY' && row.name !== 'ATTEMPT_WITHOUT_PROOF';
  const proof = await playedProof(row, {
    reasonCode,
    since: row.stateSince,
    now,
    hasArrived,
    hasWrongPin: row.name === 'WRONG_PIN',
  });
  return { ...order, proof };
}

async function orderOf(
  dependencies: DueDependencies,
  scope: CompanyScope,
  { row, command, now }: { readonly row: ScenarioRow; readonly command: ScenarioCommand; readonly now: Instant },
): Promise<Result<readonly [Command, 'DRIVER' | 'SYSTEM' | 'MERCHANT']>> {
  if (command.name === 'RECALL') {
    const recalled = await recallCommand(dependencies, scope, {
      shipmentId: row.shipmentId,
      reasonCode: 'CUSTOMER_REQUEST',
    });
    return recalled.ok ? ok([recalled.value, 'MERCHANT']) : recalled;
  }
  if (command.name !== 'OFFER') return ok([command, 'DRIVER']);
  const { random, waits } = dependencies;
  const { driverId } = command;
  const expiresAt = addSeconds(now, waits.offerSeconds);
  return ok([{ name: 'OFFER', offerId: random.uuid(), driverId, expiresAt }, 'SYSTEM']);
}

function advanceOf(
  { shipmentId, name, step }: ScenarioRow,
  change: Pick<ScenarioAdvance, 'nextStep' | 'dueAt' | 'lastError'>,
) {
  return scenarioAdvance({ shipmentId, name, step, ...change });
}
