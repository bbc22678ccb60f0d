import type { Database } from '../../../db/database.ts';
import type { ReadStatement } from '../../../db/statement.ts';
import type { CommitRequest, Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import { ok, type Refusal, type Result, unavailable } from '../../core/result.ts';
import { settle, settleKept } from '../settle.ts';
import { type Actor, type AuditEntry, shardAuditById, shardAuditInsert } from './store.ts';

interface ChangeDependencies {
  readonly database: Database;
  readonly writer: Writer;
}

/** The audit entry of a change in a company's shard. It is committed in the same unit as the change. */
export interface AuditNote extends AuditEntry {
  readonly scope: CompanyScope;
  readonly actor: Actor;
}

/** One unit of SQL in the shard, and its audit entry. */
export interface Change {
  readonly unit: CommitRequest;
  /** Required if a person, an operator or one of their programs acts. Each change states it explicitly. */
  readonly audit: AuditNote | 'unaudited';
  /** A read that returns a row if the unit is committed. Without it and without an entry, an unknown outcome stays unknown. */
  readonly committed?: ReadStatement<unknown>;
}

/** The decision about a row: no change, or `value` after the unit is committed. */
export type Decision<Value> =
  | { readonly kind: 'unchanged'; readonly value: Value }
  | ({ readonly kind: 'change'; readonly value: Value } & Change);

export interface VersionedChange<Seen, Value> {
  readonly read: () => Promise<Result<Seen>>;
  /** Checks preconditions and rules. The SQL of its unit must be refused if the row has changed since it was read. */
  readonly decide: (seen: Seen) => Result<Decision<Value>> | Promise<Result<Decision<Value>>>;
  /** A cached row, which saves a read. A refusal is never based on it. */
  readonly lastSeen?: Seen | undefined;
  /** The refusal if every try lost against another writer. Nothing was changed. */
  readonly refuseLost?: () => Promise<Refusal>;
}

/** A try fails if another writer changes the row first. After the last try the client may retry. */
const ATTEMPTS_MAX = 3;

/** Reads a row, decides and commits. If another writer changed the row in between, it tries again. */
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

/** Commits a change with its audit entry: true, or false when SQL refused the unit. */
export async function commitChange(
  { database, writer }: ChangeDependencies,
  { unit, audit, committed }: Change,
): Promise<Result<boolean>> {
  if (audit === 'unaudited') {
    const outcome = await writer.commit(unit);
    return committed === undefined ? settle(outcome) : settleKept(outcome, database, committed);
  }
  const { scope, actor, ...entry } = audit;
  const statements = [...unit.statements, shardAuditInsert(scope, actor, entry)];
  const outcome = await writer.commit({ ...unit, statements });
  return settleKept(outcome, database, committed ?? shardAuditById(scope, entry.id));
}
