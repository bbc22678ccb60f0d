import {
  allOf,
  type BatchReply,
  type BatchStep,
  type Condition,
  type Connection,
  IN_TRANSACTION,
  inTransactionAfter,
  isOk,
  not,
  type StepError,
  sendBatch,
  stepOf,
} from './hrana.ts';
import { type DatabaseIdentity, IS_NAMED, identityStep, isMismatch, mismatchOf, nameOf } from './identity.ts';
import { mergeUnits, type Part, splitPart } from './merge.ts';
import type { SqlValue, WriteStatement } from './statement.ts';

/*
 * Promise: many units of work become one transaction, and each unit gets its own outcome. The database keeps all of a
 * unit or nothing of it. A unit is `committed` only if its savepoint was released and the COMMIT around it succeeded.
 * If the result of a commit is not known, the outcome is `unknown`, never a failure.
 *
 * The transaction is one batch of SQL. Each step has a condition: it runs only if the step before it succeeded and the
 * transaction is still open.
 */

/** Statements that are committed together or not at all. */
export interface Unit {
  readonly statements: readonly WriteStatement[];
  /** Keeps the unit out of merged statements; see `mergeUnits`. */
  readonly isApart?: boolean | undefined;
}

/**
 * - `committed`: durable.
 * - `refused`: a constraint or a `mustChange` failed; nothing of the unit was kept. `constraint` is SQLite's message.
 * - `invalid`: a statement is wrong (no such column, …): a bug. Nothing of the unit was kept.
 * - `unavailable`: nothing of the unit was kept; the caller may retry. With reason `failed` the database gave an error
 *   that no rule here knows: an immediate retry would probably fail again.
 * - `unknown`: the unit may have been committed, or may still be. Look it up in the database before answering.
 */
export type UnitOutcome =
  | { readonly status: 'committed' }
  | { readonly status: 'refused'; readonly constraint: string }
  | { readonly status: 'invalid'; readonly message: string }
  | { readonly status: 'unavailable'; readonly reason: (typeof UNAVAILABLE_REASONS)[number] }
  | { readonly status: 'unknown' };
/** `moving`: its company is moving to another shard, which takes longer than a retry would wait. */
export const UNAVAILABLE_REASONS = [
  'busy',
  'overloaded',
  'not_durable',
  'wrong_database',
  'queue_full',
  'deadline',
  'moving',
  'failed',
] as const;

/** The message of the triggers that refuse changes of a company while it moves. */
export const MOVING = 'company is moving';

export interface WriteConnection extends Connection {
  /** Who the database must be. Without it, nobody asks. */
  readonly identity?: DatabaseIdentity | undefined;
  /** Makes each group check that a commit reaches the disk: `PRAGMA synchronous` of at least FULL. */
  readonly requireDurable: boolean;
  /** Told true after a commit, and false after a failure that is neither of the units nor of a moment: a full disk. */
  readonly noteWritable?: (isWritable: boolean) => void;
  /** Told what the statements of committed units wake. */
  readonly wake?: ((ids: readonly string[]) => void) | undefined;
}

/**
 * Commits a group in one request; units with the same SQL are merged. If one of them is refused, nothing of the merged
 * statements is kept, and a second request finds the refused unit. Returns one outcome for each unit, in their order,
 * and never rejects.
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

/** The outcome of a part, and in `fallback` the outcome of each unit if the units ran separately. */
interface PartOutcome {
  readonly outcome: UnitOutcome;
  readonly fallback?: readonly UnitOutcome[];
}
const NOT_KNOWN: PartOutcome = { outcome: { status: 'unknown' } };

/** Whether a single unit of a merged part may have caused this outcome, so that each is retried alone. */
function isCausedByOne(outcome: UnitOutcome): boolean {
  if (outcome.status === 'unavailable') return outcome.reason === 'moving' || outcome.reason === 'failed';
  return outcome.status === 'refused' || outcome.status === 'invalid';
}

function hasCommitted({ outcome, fallback }: PartOutcome): boolean {
  return [outcome, ...(fallback ?? [])].some(({ status }) => status === 'committed');
}

async function commitParts(
  connection: WriteConnection,
  parts: readonly Part[],
  timeoutMs: number,
): Promise<PartOutcome[]> {
  const layout = layOut(parts, connection);
  const reply = await sendBatch(connection, layout.steps, timeoutMs);
  if (reply.status === 'answered') {
    const failures = unknownErrors(reply);
    for (const message of failures) connection.report(message, 'statement');
    const outcomes = readOutcomes(layout, reply, connection);
    const woken = wokenBy(layout, outcomes, reply);
    if (woken.length > 0) connection.wake?.(woken);
    if (outcomes.some(hasCommitted)) connection.noteWritable?.(true);
    else if (failures.length > 0) connection.noteWritable?.(false);
    return outcomes;
  }
  const outcome: UnitOutcome =
    reply.status === 'overloaded' ? { status: 'unavailable', reason: 'overloaded' } : { status: 'unknown' };
  return parts.map(() => ({ outcome }));
}

interface Layout {
  readonly steps: readonly BatchStep[];
  readonly isGuarded: boolean;
  readonly begin: number;
  readonly commit: number;
  readonly units: readonly UnitSteps[];
}
/** Positions of the steps of one part: `first` to `last` are its statements and their checks; `release` ends its savepoint. */
interface UnitSteps {
  readonly first: number;
  readonly last: number;
  readonly release: number;
  /** Those of the statements whose rows name what to wake. */
  readonly waking: readonly number[];
  readonly fallback: readonly UnitSteps[];
}

/** SQLite reports no error when no row changes. This makes it one: `json()` of text that is not JSON fails the step. */
const mustChange = (rows: number) => `SELECT json(CASE WHEN changes() >= ${rows} THEN '1' ELSE 'no row changed' END)`;
/** 2 is FULL: the write-ahead log is synced at each commit. sqld forgets the setting when it restarts. */
const IS_DURABLE = '(SELECT synchronous FROM pragma_synchronous) >= 2';
const GUARD = 0;

/** The first step fails in a database that must take nothing. The second one then reads its name. */
function guardOf({ requireDurable, identity }: WriteConnection): BatchStep[] {
  const conditions = [...(identity === undefined ? [] : [IS_NAMED]), ...(requireDurable ? [IS_DURABLE] : [])];
  if (conditions.length === 0) return [];
  const sql = `SELECT json(CASE WHEN ${conditions.join(' AND ')} THEN '1' ELSE 'refused' END)`;
  if (identity === undefined) return [stepOf(sql, [], false)];
  return [stepOf(sql, [nameOf(identity)], false), identityStep(not(isOk(GUARD)))];
}

function layOut(parts: readonly Part[], connection: WriteConnection): Layout {
  const steps = guardOf(connection);
  const isGuarded = steps.length > 0;
  const add = (sql: string, condition?: Condition, args: readonly SqlValue[] = [], wantsRows = false): number =>
    steps.push(stepOf(sql, args, wantsRows, condition)) - 1;
  const begin = add('BEGIN IMMEDIATE', isGuarded ? isOk(GUARD) : undefined);
  const layPart = (part: Part, condition: Condition): UnitSteps => {
    const savepoint = add('SAVEPOINT unit', condition);
    let last = savepoint;
    const waking: number[] = [];
    for (const { sql, args, changesMin, wakes } of part.statements) {
      last = add(sql, inTransactionAfter(last), args, wakes);
      if (wakes === true) waking.push(last);
      if (changesMin > 0) last = add(mustChange(changesMin), inTransactionAfter(last));
    }
    add('ROLLBACK TO unit', allOf(isOk(savepoint), not(isOk(last)), IN_TRANSACTION));
    const release = add('RELEASE unit', inTransactionAfter(savepoint));
    const onRefusal = allOf(isOk(release), not(isOk(last)), IN_TRANSACTION);
    const fallback = (part.fallback ?? []).map((single) => layPart(single, onRefusal));
    return { first: savepoint + 1, last, release, waking, fallback };
  };
  const units = parts.map((part) => layPart(part, inTransactionAfter(begin)));
  const commit = add('COMMIT', inTransactionAfter(begin));
  add('ROLLBACK', allOf(isOk(begin), not(isOk(commit)), IN_TRANSACTION));
  return { steps, isGuarded, begin, commit, units };
}

type Answered = Extract<BatchReply, { status: 'answered' }>;

/** Why the guard failed. */
function refusalOf({ identity, report }: WriteConnection, answer: Answered): (typeof UNAVAILABLE_REASONS)[number] {
  if (!isMismatch(answer.errors[GUARD])) return 'busy';
  const mismatch = identity && mismatchOf(identity, answer, GUARD + 1);
  if (mismatch === undefined) return 'not_durable';
  report(mismatch, 'wrong_database');
  return 'wrong_database';
}

function readOutcomes(layout: Layout, answer: Answered, connection: WriteConnection): PartOutcome[] {
  const succeeded = (step: number) => answer.results[step] !== null && answer.errors[step] === null;
  const all = (outcome: UnitOutcome) => layout.units.map(() => ({ outcome }));
  if (layout.isGuarded && !succeeded(GUARD))
    return all({ status: 'unavailable', reason: refusalOf(connection, answer) });
  if (!succeeded(layout.begin)) return all({ status: 'unavailable', reason: 'busy' });
  const read = (unit: UnitSteps): UnitOutcome => {
    for (let step = unit.first; step <= unit.last; step += 1) {
      const error = answer.errors[step];
      if (error !== null && error !== undefined) return outcomeOfError(error);
    }
    if (succeeded(layout.commit) && succeeded(unit.last) && succeeded(unit.release)) return { status: 'committed' };
    // A failed COMMIT may have reached the disk. A skipped COMMIT means that the transaction was already rolled back.
    return answer.errors[layout.commit] === null ? { status: 'unavailable', reason: 'busy' } : { status: 'unknown' };
  };
  return layout.units.map((unit) => {
    const outcome = read(unit);
    return unit.fallback.length > 0 && isCausedByOne(outcome)
      ? { outcome, fallback: unit.fallback.map(read) }
      : { outcome };
  });
}

/** What the statements of committed units wake, each once. */
function wokenBy({ units }: Layout, outcomes: readonly PartOutcome[], { results }: Answered): string[] {
  const ofUnit = ({ waking }: UnitSteps, outcome: UnitOutcome | undefined) =>
    outcome?.status === 'committed' ? waking.flatMap((step) => results[step]?.rows ?? []) : [];
  const rows = units.flatMap((unit, at) => {
    const { outcome, fallback = [] } = outcomes[at] ?? NOT_KNOWN;
    return [...ofUnit(unit, outcome), ...unit.fallback.flatMap((single, index) => ofUnit(single, fallback[index]))];
  });
  return [...new Set(rows.flatMap(([id]) => (id?.type === 'text' ? [id.value] : [])))];
}

const CONSTRAINT = /constraint failed|malformed JSON/i;
const BUG = /no such|syntax error|has no column|datatype mismatch/i;
/** `Operation was blocked` is no lock: the operator has blocked the writes, and a retry fails too. */
const BUSY = /busy|(?<!b)locked|interrupted|timed.?out|not durable|cannot (?:commit|rollback)/i;

/** Reads SQLite's message, because sqld gives the same code, or none, for every constraint and for a failed `json()`. */
function outcomeOfError({ message }: StepError): UnitOutcome {
  if (message.includes(MOVING)) return { status: 'unavailable', reason: 'moving' };
  if (CONSTRAINT.test(message)) return { status: 'refused', constraint: message };
  if (BUG.test(message)) return { status: 'invalid', message };
  return { status: 'unavailable', reason: BUSY.test(message) ? 'busy' : 'failed' };
}

/** Errors that no rule here knows. Requests with these units get 503, so the operator needs the message in the log. */
function unknownErrors({ errors }: Answered): string[] {
  const messages = errors.flatMap((error) => error?.message ?? []);
  return [...new Set(messages)].filter(
    (message) => !message.includes(MOVING) && ![CONSTRAINT, BUG, BUSY].some((known) => known.test(message)),
  );
}
