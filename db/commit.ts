import {
  allOf,
  type BatchReply,
  type Condition,
  type Connection,
  IN_TRANSACTION,
  inTransactionAfter,
  isOk,
  not,
  type Step,
  type StepError,
  sendBatch,
  stepOf,
} from './hrana.ts';
import { mergeUnits, type Part, splitPart } from './merge.ts';
import type { SqlValue, WriteStatement } from './statement.ts';

/*
 * Promise: many units of work become one transaction, and each is answered for itself. A unit is all there or not at
 * all; it is called committed only when its savepoint was released and the COMMIT around it succeeded; and a group
 * whose end was not heard is never called failed.
 *
 * It is one batch of SQL. Conditions keep a step from running when the one before it did not succeed, or when the
 * transaction is gone.
 */

/** Statements that stand or fall together. */
export interface Unit {
  readonly statements: readonly WriteStatement[];
  /** Keeps the unit out of merged statements; see `mergeUnits`. */
  readonly isApart?: boolean | undefined;
}

/**
 * - `committed`: durable.
 * - `refused`: a constraint or a `mustChange` said no; nothing of the unit was kept. `constraint` is SQLite's message.
 * - `invalid`: a statement is wrong (no such column, …): a bug. Nothing of the unit was kept.
 * - `unavailable`: nothing of the unit was kept; it may be tried again. With reason `failed` the database gave an error
 *   that no rule here knows: trying again at once would probably fail again.
 * - `unknown`: it may or may not have been, or may yet be, committed. Read back before answering anybody.
 */
export type UnitOutcome =
  | { readonly status: 'committed' }
  | { readonly status: 'refused'; readonly constraint: string }
  | { readonly status: 'invalid'; readonly message: string }
  | { readonly status: 'unavailable'; readonly reason: (typeof UNAVAILABLE_REASONS)[number] }
  | { readonly status: 'unknown' };
/** `moving`: its company is on its way to another shard. To try again at once helps nobody. */
export const UNAVAILABLE_REASONS = [
  'busy',
  'overloaded',
  'not_durable',
  'queue_full',
  'deadline',
  'moving',
  'failed',
] as const;

/** What the triggers say that refuse changes of a company that is moving. */
export const MOVING = 'company is moving';

export interface WriteConnection extends Connection {
  /** Makes each group check that a commit reaches the disk: `PRAGMA synchronous` of at least FULL. */
  readonly requireDurable: boolean;
}

/**
 * Commits a group in one request; units of one kind are written together. If one of them is refused, nothing of the
 * merged statements is kept, and a second request finds which unit it was. Answers one outcome for each unit, in their
 * order, and never rejects.
 */
export async function commitGroup(
  connection: WriteConnection,
  units: readonly Unit[],
  timeoutMs: number,
): Promise<UnitOutcome[]> {
  const outcomes: UnitOutcome[] = units.map(() => ({ status: 'unknown' }));
  const commit = async (parts: readonly Part[]): Promise<Part[]> => {
    const answers = await commitParts(connection, parts, timeoutMs);
    return parts.filter((part, index) => {
      const { outcome, fallback } = answers[index] ?? NOT_KNOWN;
      if (part.units.length > 1 && fallback === undefined && isCausedByOne(outcome)) return true;
      for (const [at, unit] of part.units.entries()) outcomes[unit] = fallback?.[at] ?? outcome;
      return false;
    });
  };
  const refused = await commit(mergeUnits(units));
  if (refused.length > 0) await commit(refused.flatMap((part) => splitPart(units, part)));
  return outcomes;
}

/** Of a part, and of each of its units if they ran by themselves. */
interface PartOutcome {
  readonly outcome: UnitOutcome;
  readonly fallback?: readonly UnitOutcome[];
}
const NOT_KNOWN: PartOutcome = { outcome: { status: 'unknown' } };

/** One unit of a merged part may have caused this outcome, so the others deserve a try without it. */
function isCausedByOne(outcome: UnitOutcome): boolean {
  if (outcome.status === 'unavailable') return outcome.reason === 'moving' || outcome.reason === 'failed';
  return outcome.status === 'refused' || outcome.status === 'invalid';
}

async function commitParts(
  connection: WriteConnection,
  parts: readonly Part[],
  timeoutMs: number,
): Promise<PartOutcome[]> {
  const layout = layOut(parts, connection.requireDurable);
  const reply = await sendBatch(connection, layout.steps, timeoutMs);
  if (reply.status === 'answered') {
    for (const message of unknownErrors(reply)) connection.report(message, 'statement');
    return readOutcomes(layout, reply);
  }
  const outcome: UnitOutcome =
    reply.status === 'overloaded' ? { status: 'unavailable', reason: 'overloaded' } : { status: 'unknown' };
  return parts.map(() => ({ outcome }));
}

interface Layout {
  readonly steps: readonly Step[];
  readonly durable: number | undefined;
  readonly begin: number;
  readonly commit: number;
  readonly units: readonly UnitSteps[];
}
/** Of a unit, or of several that are written together: `first` to `last` are the unit's own statements with their guards; `release` ends its savepoint. */
interface UnitSteps {
  readonly first: number;
  readonly last: number;
  readonly release: number;
  readonly fallback: readonly UnitSteps[];
}

/** No row touched is no error to SQLite. This makes it one: `json()` of text that is not JSON fails the step. */
const mustChange = (rows: number) => `SELECT json(CASE WHEN changes() >= ${rows} THEN '1' ELSE 'no row changed' END)`;
/** 2 is FULL: the write-ahead log is synced at each commit. sqld forgets the setting when it restarts. */
const MUST_BE_DURABLE =
  "SELECT json(CASE WHEN synchronous >= 2 THEN '1' ELSE 'not durable' END) FROM pragma_synchronous";

function layOut(parts: readonly Part[], requireDurable: boolean): Layout {
  const steps: Step[] = [];
  const add = (sql: string, condition?: Condition, args: readonly SqlValue[] = []): number =>
    steps.push(stepOf(sql, args, false, condition)) - 1;
  const durable = requireDurable ? add(MUST_BE_DURABLE) : undefined;
  const begin = add('BEGIN IMMEDIATE', durable === undefined ? undefined : isOk(durable));
  const layPart = (part: Part, condition: Condition): UnitSteps => {
    const savepoint = add('SAVEPOINT unit', condition);
    let last = savepoint;
    for (const { sql, args, changesMin } of part.statements) {
      last = add(sql, inTransactionAfter(last), args);
      if (changesMin > 0) last = add(mustChange(changesMin), inTransactionAfter(last));
    }
    add('ROLLBACK TO unit', allOf(isOk(savepoint), not(isOk(last)), IN_TRANSACTION));
    const release = add('RELEASE unit', inTransactionAfter(savepoint));
    const onRefusal = allOf(isOk(release), not(isOk(last)), IN_TRANSACTION);
    const fallback = (part.fallback ?? []).map((single) => layPart(single, onRefusal));
    return { first: savepoint + 1, last, release, fallback };
  };
  const units = parts.map((part) => layPart(part, inTransactionAfter(begin)));
  const commit = add('COMMIT', inTransactionAfter(begin));
  add('ROLLBACK', allOf(isOk(begin), not(isOk(commit)), IN_TRANSACTION));
  return { steps, durable, begin, commit, units };
}

type Answered = Extract<BatchReply, { status: 'answered' }>;

function readOutcomes(layout: Layout, answer: Answered): PartOutcome[] {
  const succeeded = (step: number) => answer.results[step] !== null && answer.errors[step] === null;
  const all = (outcome: UnitOutcome) => layout.units.map(() => ({ outcome }));
  if (layout.durable !== undefined && !succeeded(layout.durable))
    return all({ status: 'unavailable', reason: 'not_durable' });
  if (!succeeded(layout.begin)) return all({ status: 'unavailable', reason: 'busy' });
  const read = (unit: UnitSteps): UnitOutcome => {
    for (let step = unit.first; step <= unit.last; step += 1) {
      const error = answer.errors[step];
      if (error !== null && error !== undefined) return outcomeOfError(error);
    }
    if (succeeded(layout.commit) && succeeded(unit.last) && succeeded(unit.release)) return { status: 'committed' };
    // A COMMIT that failed may have reached the disk; one that was skipped had no transaction left to commit.
    return answer.errors[layout.commit] === null ? { status: 'unavailable', reason: 'busy' } : { status: 'unknown' };
  };
  return layout.units.map((unit) => {
    const outcome = read(unit);
    return unit.fallback.length > 0 && isCausedByOne(outcome)
      ? { outcome, fallback: unit.fallback.map(read) }
      : { outcome };
  });
}

const CONSTRAINT = /constraint failed|malformed JSON/i;
const BUG = /no such|syntax error|has no column|datatype mismatch/i;
const BUSY = /busy|locked|interrupted|timed.?out|not durable|cannot (?:commit|rollback)/i;

/** Sorts by SQLite's text: sqld gives every constraint, and `json()`'s failure, the same or no code. */
function outcomeOfError({ message }: StepError): UnitOutcome {
  if (message.includes(MOVING)) return { status: 'unavailable', reason: 'moving' };
  if (CONSTRAINT.test(message)) return { status: 'refused', constraint: message };
  if (BUG.test(message)) return { status: 'invalid', message };
  return { status: 'unavailable', reason: BUSY.test(message) ? 'busy' : 'failed' };
}

/** Errors that no rule knows. Their units answer 503, and the log tells the operator what the database said. */
function unknownErrors({ errors }: Answered): string[] {
  const messages = errors.flatMap((error) => error?.message ?? []);
  return [...new Set(messages)].filter(
    (message) => !message.includes(MOVING) && ![CONSTRAINT, BUG, BUSY].some((known) => known.test(message)),
  );
}
