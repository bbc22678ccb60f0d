import type { WriteStatement } from '../../db/statement.ts';
import { type CompanyScope, scopeForService } from '../access/require.ts';
import { addMillis, type Instant } from '../core/instant.ts';
import { type ClockBook, clockAt, keptWriter } from '../domain/clocks/company-clock.ts';
import { Looks } from '../domain/dispatch/due.ts';
import {
  advanceEnded,
  clockStood,
  dueThings,
  type MovedRow,
  movedCompanies,
  type SeenAdvance,
  sendingEndpoints,
} from '../domain/sandbox/clock/store.ts';
import { settle } from '../domain/settle.ts';
import type { NextDue } from '../ports/alarm.ts';
import { logError } from '../ports/log.ts';
import type { Config } from './config.ts';
import type { WakeEndpoint } from './delivery-bell.ts';
import { earlierDue, type RunDependencies, runCompanies } from './run-shard.ts';

export interface ClockRunDependencies extends Omit<RunDependencies, 'config'> {
  readonly config: RunDependencies['config'] & Pick<Config, 'webhookTerms'>;
  readonly clockBook: ClockBook;
  readonly monotonicMs: () => number;
  readonly wakeEndpoint: WakeEndpoint;
}

/** Instants that an advance plays in one run, and the time that it takes at most: other companies wait for the end of the run. */
const INSTANTS_MAX = 500;
const PLAY_MS_MAX = 250;
/** The pause before the next look at an instant, while deliveries are sent or another run plays it. */
const AGAIN_MS = 50;
/** Companies whose work is done at the same time. */
const COMPANIES_AT_ONCE = 8;
/** Things of one instant that are looked at. */
const DUE_MAX = 50;

/**
 * Does the due work of the companies whose clocks do not show the real time, and plays the advances. Returns when the next of
 * it is due in real time: `null` if nothing is, `undefined` if the database did not answer.
 */
export async function runMovedClocks(dependencies: ClockRunDependencies): Promise<NextDue> {
  const { database, clock } = dependencies;
  const answer = await database.read(movedCompanies(clock.now()));
  if (!answer.ok) return undefined;
  const rows = [...answer.rows];
  let next: NextDue = null;
  const runSome = async () => {
    for (let row = rows.shift(); row !== undefined; row = rows.shift()) {
      const due = row.target === null ? runCompany(dependencies, row) : playAdvance(dependencies, row, row.target);
      // The error of one company must not stop the clocks of others.
      const dueAt = await due.catch((error: unknown) => {
        logError({ database: database.id, error: String(error) });
        return undefined;
      });
      next = earlierDue(next, dueAt);
    }
  };
  await Promise.all(Array.from({ length: COMPANIES_AT_ONCE }, runSome));
  return next;
}

/** A company whose clock runs ahead of the real time. */
async function runCompany(dependencies: ClockRunDependencies, row: MovedRow): Promise<NextDue> {
  const { clock: wall, looks } = dependencies;
  const { companyId, shipmentDueAt, scenarioDueAt } = row;
  const clock = clockAt(wall, row);
  const writer = keptWriter(dependencies, clock);
  const first = earlierDue(shipmentDueAt, scenarioDueAt);
  const own = looks.of(companyId);
  const isDue = first != null && first <= clock.now();
  const looksAt = row.hasWaiting === 1 ? (own.nextAt ?? clock.now()) : null;
  const hasToLook = looksAt !== null && looksAt <= clock.now();
  const next =
    isDue || hasToLook
      ? await runCompanies({ ...dependencies, writer, clock, looks: own, reach: 'one', companyId })
      : earlierDue(first, looksAt);
  return next == null ? next : clock.wallAt(next);
}

/**
 * Plays an advance from its stored position: runs what is due at this instant, stops the clock at the next instant at which
 * something is due, and so on to the target. So all work runs at its own instant and in order. The position is
 * stored, so an advance continues after a restart.
 */
async function playAdvance(dependencies: ClockRunDependencies, row: MovedRow, target: Instant): Promise<NextDue> {
  const { clock: wall, monotonicMs } = dependencies;
  // Until then the clock runs.
  if (row.startsAt !== null && row.startsAt > wall.now())
    return earlierDue(row.startsAt, await runCompany(dependencies, row));
  const scope = scopeForService(dependencies.database.id, row.companyId);
  const terms = dependencies.config.webhookTerms;
  const startedMs = monotonicMs();
  let seenAt = row.standsAt;
  for (let played = 0; played < INSTANTS_MAX && monotonicMs() - startedMs < PLAY_MS_MAX; played += 1) {
    // It may be later than the target by now. The clock then stops for a moment and does not go back.
    const standsAt = seenAt ?? clockAt(wall, row).now();
    if (seenAt === null) {
      const begun = await store(dependencies, clockStood(scope, { target, seenAt, terms }, standsAt));
      if (begun !== 'stored') return begun;
    }
    const next = await playInstant(dependencies, row, { standsAt, target });
    if (typeof next !== 'object') return next;
    const seen = { target, seenAt: standsAt, terms };
    if (next.at === null) return endAdvance(dependencies, scope, seen);
    const moved = await store(dependencies, clockStood(scope, seen, next.at));
    if (moved !== 'stored') return moved;
    seenAt = next.at;
  }
  return wall.now();
}

/** When to look again if it was refused, because another run was faster or more work is due at this instant. */
async function store({ writer, clock }: ClockRunDependencies, statement: WriteStatement): Promise<'stored' | NextDue> {
  const stored = settle(await writer.commit({ statements: [statement] }));
  if (!stored.ok) return undefined;
  return stored.value ? 'stored' : addMillis(clock.now(), AGAIN_MS);
}

/** Runs what is due at an instant. Returns the next instant up to the target, or when to continue with this one. */
async function playInstant(
  dependencies: ClockRunDependencies,
  { companyId, offset }: MovedRow,
  { standsAt, target }: { readonly standsAt: Instant; readonly target: Instant },
): Promise<{ readonly at: Instant | null } | Instant | undefined> {
  const { database, clock: wall, config, wakeEndpoint } = dependencies;
  const clock = clockAt(wall, { companyId, offset, standsAt });
  const writer = keptWriter(dependencies, clock);
  const run = await runCompanies({ ...dependencies, writer, clock, looks: new Looks(), reach: 'one', companyId });
  if (run === undefined) return undefined;
  const scope = scopeForService(database.id, companyId);
  const order = { now: standsAt, terms: config.webhookTerms, what: null, hasLinks: false, limit: DUE_MAX };
  const due = await database.read(dueThings(scope, order));
  if (!due.ok) return undefined;
  const late = due.rows.filter(({ at }) => at <= standsAt);
  if (late.length > 0) {
    const endpoints = new Set(late.flatMap(({ endpointId }) => endpointId ?? []));
    await Promise.all([...endpoints].map((id) => wakeEndpoint(id)));
    return addMillis(wall.now(), AGAIN_MS);
  }
  const [first] = due.rows;
  return { at: first !== undefined && first.at <= target ? first.at : null };
}

/** Lets the clock run from the target, and wakes the queues, whose alarms were set for another time. */
async function endAdvance(
  dependencies: ClockRunDependencies,
  scope: CompanyScope,
  seen: SeenAdvance,
): Promise<NextDue> {
  const { database, clock: wall, clockBook, wakeEndpoint } = dependencies;
  const sending = await database.read(sendingEndpoints(scope));
  if (!sending.ok) return undefined;
  const ended = await store(dependencies, advanceEnded(scope, seen, seen.target - wall.now()));
  clockBook.forget(database.id);
  if (ended !== 'stored') return ended;
  await Promise.all(sending.rows.map(({ id }) => wakeEndpoint(id)));
  return wall.now();
}
