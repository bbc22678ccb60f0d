import type { Database } from '../../../db/database.ts';
import type { ReadStatement, WriteStatement } from '../../../db/statement.ts';
import type { CommitRequest, Writer } from '../../../db/writer.ts';
import type { AuditActor } from '../../access/principal.ts';
import type { CompanyScope } from '../../access/require.ts';
import { ok, type Refusal, type Result, unavailable } from '../../core/result.ts';
import type { Clock, CompanyClock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { settle, settleKept } from '../settle.ts';
import { type AuditEntry, auditById, auditInsert } from './store.ts';

interface ChangeDependencies {
  readonly database: Database;
  readonly writer: Writer;
}

/** The audit entry of a change. It is committed with the change or not at all. */
interface AuditNote extends AuditEntry {
  /** Undefined for a change that belongs to no company. */
  readonly scope: CompanyScope | undefined;
  readonly actor: AuditActor;
}

export type Audit = AuditNote | 'unaudited';

/**
 * The entry of a change for a company. `unaudited` if a driver, the service or a program of the
 * company makes the change.
 */
export function auditOf(
  { random, clock }: { readonly random: Random; readonly clock: Clock | CompanyClock },
  scope: CompanyScope,
  details: EntryDetails,
): Audit {
  const { actor } = scope;
  if (actor === undefined) return 'unaudited';
  // The audit has the real time, also for a company whose clock is ahead.
  const at = 'wall' in clock ? clock.wallAt(details.at) : details.at;
  return { id: random.uuid(), scope, actor, ...details, at };
}
export type EntryDetails = Omit<AuditEntry, 'id'>;

/** The members of `changes` that differ from those of `row`, for the detail of an entry: names without values. */
export function changedMembers(row: object, changes: object): string[] {
  const before = new Map<string, unknown>(Object.entries(row));
  return Object.entries(changes).flatMap(([name, value]) => (before.get(name) === value ? [] : [name]));
}

/** One unit of SQL in a database, with its audit entry. */
export interface AuditedChange {
  readonly unit: CommitRequest;
  /**
   * Required, so that each change states it: `auditOf` for a change of a company, an operator's entry, or
   * `'unaudited'`.
   */
  readonly audit: Audit;
  /**
   * A read that returns a row if the unit is committed. Without it and without an entry, an unknown outcome stays
   * unknown.
   */
  readonly committed?: ReadStatement<unknown>;
}

/** The decision about a row: no change, or `value` after the unit is committed. */
export type ChangeDecision<Value> =
  | { readonly kind: 'unchanged'; readonly value: Value }
  | ({ readonly kind: 'change'; readonly value: Value } & AuditedChange);

export interface VersionedChange<Seen, Value> {
  readonly read: () => Promise<Result<Seen>>;
  /** Checks preconditions and rules. The SQL of its unit must be refused if the row has changed since it was read. */
  readonly decide: (seen: Seen) => Result<ChangeDecision<Value>> | Promise<Result<ChangeDecision<Value>>>;
  /** A cached row, which saves a read. A refusal is never based on it. */
  readonly lastSeen?: Seen | undefined;
  /** The refusal when every attempt lost to another writer. Nothing was changed. */
  readonly refuseLost?: () => Promise<Refusal>;
}

/** An attempt fails if another writer changes the row first. After the last attempt the client may retry. */
const ATTEMPTS_MAX = 3;

/** Reads a row, decides and commits. If another writer changes the row in between, it retries. */
export async function changeVersioned<Seen, Value>(
  dependencies: ChangeDependencies,
  { read, decide, lastSeen, refuseLost }: VersionedChange<Seen, Value>,
): Promise<Result<Value>> {
  let seen = lastSeen;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const found: Result<Seen> = seen === undefined ? await read() : ok(seen);
    if (!found.ok) return found;
    const isFresh = seen === undefined;
    seen = undefined;
    const decided = await decide(found.value);
    if (!decided.ok) {
      if (isFresh) return decided;
      continue;
    }
    const { value } = decided;
    if (value.kind === 'unchanged') return ok(value.value);
    const settled = await commitChange(dependencies, value);
    if (!settled.ok) return settled;
    if (settled.value) return ok(value.value);
  }
  return (await refuseLost?.()) ?? unavailable();
}

/** Commits a change with its audit entry. Returns false if SQL refused the unit. */
export async function commitChange(
  { database, writer }: ChangeDependencies,
  { unit, audit, committed }: AuditedChange,
): Promise<Result<boolean>> {
  if (audit === 'unaudited') {
    const outcome = await writer.commit(unit);
    return committed === undefined ? settle(outcome) : settleKept(outcome, database, committed);
  }
  const outcome = await writer.commit({ ...unit, statements: [...unit.statements, entryStatement(audit)] });
  return settleKept(outcome, database, committed ?? auditById(audit.scope, audit.id));
}

/** The entry as a statement, for the unit that makes the change. */
export function entryStatement({ scope, actor, ...entry }: AuditNote): WriteStatement {
  return auditInsert(scope, actor, entry);
}
