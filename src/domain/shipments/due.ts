import { formatInstant, type Instant } from '../../core/instant.ts';
import { type CommandDependencies, transitionUnit } from './command.ts';
import { decide } from './lifecycle.ts';
import { nextDue, shipmentsDue } from './store.ts';

/** How many shipments are read at once; they go into a few grouped commits. */
const BATCH = 256;
/** Batches in one run. What is left is found by the next alarm, which is set at once. */
const BATCHES_MAX = 40;

/**
 * Approves what is due on one shard. Safe to run twice at once: each approval commits only on the version it was
 * decided on, and the loser's unit is refused.
 * Answers when the next shipment falls due, `null` when none waits, `undefined` when the database did not answer.
 */
export async function runDue(dependencies: CommandDependencies): Promise<Instant | null | undefined> {
  for (let batch = 1; batch <= BATCHES_MAX; batch += 1) {
    const due = await dependencies.database.read(shipmentsDue(dependencies.clock.now(), BATCH));
    if (!due.ok) return undefined;
    if (due.rows.length === 0) break;
    const outcomes = await Promise.all(due.rows.map((row) => approve(dependencies, row)));
    if (outcomes.includes(false)) return undefined;
  }
  const next = await dependencies.database.read(nextDue());
  return next.ok ? (next.rows[0]?.dueAt ?? null) : undefined;
}

/** False when the database did not take it: it is still due. */
async function approve(
  { writer, clock, random }: CommandDependencies,
  row: Parameters<typeof transitionUnit>[0] & { readonly dueAt: Instant | null },
): Promise<boolean> {
  const decision = decide(row, { name: 'APPROVE' }, 'SYSTEM', clock.now());
  if (decision.kind !== 'transition') {
    throw new Error(
      `A shipment in state ${row.state} is due at ${row.dueAt === null ? 'no time' : formatInstant(row.dueAt)}`,
    );
  }
  const made = { eventId: random.uuid(), correlationId: random.uuid() };
  const outcome = await writer.commit(transitionUnit(row, decision.transition, made));
  return outcome.status === 'committed' || outcome.status === 'refused';
}
