import type { Database } from '../../../db/database.ts';
import type { ReadStatement, WriteStatement } from '../../../db/statement.ts';
import type { Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Instant } from '../../core/instant.ts';
import { checkPrecondition, type Precondition } from '../../core/precondition.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { type Actor, type AuditEntry, shardAuditById, shardAuditInsert } from '../audit/store.ts';
import { settleKept } from '../settle.ts';

export interface PlaceDependencies {
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly random: Random;
}

/** One lost race each; past it the caller may try again himself. */
const ATTEMPTS_MAX = 3;

/** A change as SQL, and what the audit says of it. */
export interface PlaceChange extends Omit<AuditEntry, 'id'> {
  readonly actor: Actor;
  readonly statement: WriteStatement;
}

/** Commits a change with its entry, in one unit of the shard: true, or false when its SQL refused it. */
export async function commitChange(
  { database, writer, random }: PlaceDependencies,
  scope: CompanyScope,
  { actor, statement, ...facts }: PlaceChange,
): Promise<Result<boolean>> {
  const entry = { id: random.uuid(), ...facts };
  const outcome = await writer.commit({ statements: [statement, shardAuditInsert(scope, actor, entry)] });
  return settleKept(outcome, database, shardAuditById(scope, entry.id));
}

interface Versioned {
  readonly version: number;
  readonly updatedAt: Instant;
}

/** What is asked of a place that is there. */
export interface PlaceOrder<Row extends Versioned> {
  readonly find: ReadStatement<Row>;
  readonly precondition: Precondition;
  readonly actor: Actor;
  readonly action: string;
  readonly subject: string;
  /** Members that are to have other values. */
  readonly changes: Partial<Row>;
  readonly update: (row: Row) => WriteStatement;
}

/**
 * Changes a place if it has the version that the caller saw: 404 when there is none, 412 with the current version when
 * somebody else was first. What changes nothing is not written and raises no version.
 */
export async function changePlace<Row extends Versioned>(
  dependencies: PlaceDependencies,
  scope: CompanyScope,
  { find, precondition, changes, update, ...audit }: PlaceOrder<Row>,
): Promise<Result<Row>> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const found = await dependencies.database.read(find);
    if (!found.ok) return unavailable();
    const [row] = found.rows;
    if (row === undefined) return refuse('RESOURCE_NOT_FOUND');
    const stale = checkPrecondition(precondition, row.version);
    if (stale !== undefined) return stale;
    const members = differing(row, changes);
    if (members.length === 0) return ok(row);
    const at = dependencies.clock.now();
    const next: Row = { ...row, ...changes, updatedAt: at, version: row.version + 1 };
    const detail = { version: next.version, members: members.join(' ') };
    const committed = await commitChange(dependencies, scope, { ...audit, at, detail, statement: update(next) });
    if (!committed.ok) return committed;
    if (committed.value) return ok(next);
  }
  return unavailable();
}

function differing<Row extends object>(row: Row, changes: Partial<Row>): string[] {
  const before = new Map<string, unknown>(Object.entries(row));
  return Object.entries(changes).flatMap(([name, value]) => (before.get(name) === value ? [] : [name]));
}
