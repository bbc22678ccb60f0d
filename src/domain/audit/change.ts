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

/** What a company's audit says of a change in its shard. The entry is committed with the change or not at all. */
export interface AuditNote extends AuditEntry {
  readonly scope: CompanyScope;
  readonly actor: Actor;
}

/** One unit of SQL in the shard, and what the audit says of it. */
export interface Change {
  readonly unit: CommitRequest;
  /** An entry when a person, an operator or a program of theirs acts. Whoever adds a change has to choose. */
  readonly audit: AuditNote | 'unaudited';
  /** Answers a row once the unit is committed; without it and without an entry, an unknown outcome stays unknown. */
  readonly committed?: ReadStatement<unknown>;
}

/** What becomes of a row that was read: nothing, or `value` once the unit is committed. */
export type Decision<Value> =
  | { readonly kind: 'unchanged'; readonly value: Value }
  | ({ readonly kind: 'change'; readonly value: Value } & Change);

export interface VersionedChange<Seen, Value> {
  readonly read: () => Promise<Result<Seen>>;
  /** Checks preconditions and rules. Its unit must be refused by SQL unless the row is still as it was seen. */
  readonly decide: (seen: Seen) => Result<Decision<Value>> | Promise<Result<Decision<Value>>>;
  /** The row as this process last saw it. It saves a read, and no refusal is given on it. */
  readonly lastSeen?: Seen | undefined;
  /** The answer after the last lost race, when nothing was done. */
  readonly refuseLost?: () => Promise<Refusal>;
}

/** Each try loses one race against another writer. After the last one the client may retry. */
const ATTEMPTS_MAX = 3;

/** Reads a row, decides, and commits unless another writer changed the row in between: then it tries again. */
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
