import type { Database } from '../../../../db/database.ts';
import type { Writer } from '../../../../db/writer.ts';
import type { CompanyScope } from '../../../access/require.ts';
import { CLOCK_ENTRIES, type ClockEntry, type SandboxAdvance, type SandboxClock } from '../../../contract/sandbox.ts';
import { addMillis, addSeconds, formatInstant, type Instant } from '../../../core/instant.ts';
import { ok, type Result, refuse, unavailable, type Violation } from '../../../core/result.ts';
import type { WebhookTerms } from '../../../core/webhook-terms.ts';
import type { Clock, CompanyClock } from '../../../ports/clock.ts';
import { CLOCKS_KEPT_MS, type ClockBook, clockAt, realClock } from '../../clocks/company-clock.ts';
import { settle } from '../../settle.ts';
import { advanceBegun, type DueRow, dueThings, sandboxClockOf } from './store.ts';

export interface ClockDependencies {
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: CompanyClock;
  readonly clockBook: ClockBook;
  readonly config: { readonly webhookTerms: WebhookTerms };
}

/** Exactly one of the members is given. */
export interface AdvanceOrder {
  readonly seconds?: number | undefined;
  readonly to?: Instant | undefined;
  readonly untilNext?: true | ClockEntry | undefined;
}

/** What is listed of the future. */
const LISTED_MAX = 10;
/** How far a clock may be ahead of the real time. */
const AHEAD_DAYS_MAX = 365;

/** The company’s clock, and what the service does next. Before the bootstrap it shows the real time. */
export async function readClock(
  { database, clock: { wall }, config }: ClockDependencies,
  scope: CompanyScope,
): Promise<Result<SandboxClock>> {
  const found = await readSandbox(database, wall, scope);
  if (!found.ok) return found;
  const { clock, row } = found.value;
  const now = clock.now();
  const order = { now, terms: config.webhookTerms, what: null, hasLinks: true, limit: LISTED_MAX };
  const due = await database.read(dueThings(scope, order));
  if (!due.ok) return unavailable();
  const target = row?.target ?? null;
  return ok({
    now: formatInstant(now),
    offsetSeconds: Math.max(0, clock.offsetSeconds()),
    state: target === null ? 'READY' : 'ADVANCING',
    target: target === null ? null : formatInstant(target),
    nextDue: due.rows.map(({ at, what, shipmentId }) => ({ at: formatInstant(at), what: entryOf(what), shipmentId })),
  });
}

/**
 * Begins an advance, which the alarm of the shard's writer then plays. It waits until processes have read the clock again. The
 * commit of a request that began earlier is then refused, unless this is the company's first advance.
 */
export async function advanceClock(
  { database, writer, clock: { wall }, clockBook, config }: ClockDependencies,
  scope: CompanyScope,
  order: AdvanceOrder,
): Promise<Result<SandboxAdvance>> {
  const faults = faultsOf(order);
  if (faults.length > 0) return refuse('VALIDATION_FAILED', { violations: faults });
  const found = await readSandbox(database, wall, scope);
  if (!found.ok) return found;
  const { clock, row } = found.value;
  if (row === undefined) return refuse('SANDBOX_NOT_READY');
  if (row.target !== null) return refuse('CLOCK_ADVANCING');
  const now = clock.now();
  const { untilNext } = order;
  let first: DueRow | undefined;
  if (untilNext !== undefined) {
    const what = untilNext === true ? null : untilNext;
    const due = await database.read(
      dueThings(scope, { now, terms: config.webhookTerms, what, hasLinks: true, limit: 1 }),
    );
    if (!due.ok) return unavailable();
    [first] = due.rows;
  }
  const aimed = targetOf(order, now, first);
  if (!aimed.ok) return aimed;
  const target = aimed.value;
  const startsAt = addMillis(wall.now(), CLOCKS_KEPT_MS);
  if (target > addSeconds(wall.now(), AHEAD_DAYS_MAX * 24 * 3600))
    return outOfRange(order, `at most ${AHEAD_DAYS_MAX} days ahead of the real time`);
  const begun = settle(
    await writer.commit({ statements: [advanceBegun(scope, { target, startsAt })], dueAt: wall.now() }),
  );
  clockBook.forget(database.id);
  if (!begun.ok) return begun;
  return begun.value ? ok({ state: 'ADVANCING', target: formatInstant(target) }) : refuse('CLOCK_ADVANCING');
}

async function readSandbox(database: Database, wall: Clock, scope: CompanyScope) {
  const found = await database.read(sandboxClockOf(scope));
  if (!found.ok) return unavailable();
  const [row] = found.rows;
  return ok({ row, clock: row === undefined ? realClock(wall) : clockAt(wall, row) });
}

const MEMBERS = ['seconds', 'to', 'untilNext'] as const;

function faultsOf(order: AdvanceOrder): Violation[] {
  const given = MEMBERS.filter((member) => order[member] !== undefined);
  if (given.length === 0) return [{ field: 'seconds', code: 'REQUIRED' }];
  return given.slice(1).map((field) => ({ field, code: 'FORBIDDEN_FIELD' }));
}

function targetOf(order: AdvanceOrder, now: Instant, first: DueRow | undefined): Result<Instant> {
  const { seconds, to } = order;
  if (seconds !== undefined) return ok(addSeconds(now, seconds));
  if (to !== undefined) return to > now ? ok(to) : outOfRange(order, 'later than the clock of the sandbox');
  if (first === undefined) return outOfRange(order, 'something that is due');
  return ok(first.at > now ? first.at : now);
}

function outOfRange(order: AdvanceOrder, limit: string) {
  const field = MEMBERS.find((member) => order[member] !== undefined) ?? 'seconds';
  return refuse('VALIDATION_FAILED', { violations: [{ field, code: 'OUT_OF_RANGE', limit }] });
}

/** The kind of a due thing, as SQL has written it. */
function entryOf(what: string): ClockEntry {
  const entry = CLOCK_ENTRIES.find((known) => known === what);
  if (entry === undefined) throw new Error(`Unknown kind of due work: ${what}`);
  return entry;
}
