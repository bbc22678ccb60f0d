import type { Database } from '../../../db/database.ts';
import type { ReadStatement, WriteStatement } from '../../../db/statement.ts';
import type { Writer } from '../../../db/writer.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Clock } from '../../ports/clock.ts';
import { settle } from '../settle.ts';

export interface FleetDependencies {
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: Clock;
}

/** One lost race each; past it the caller may try again himself. */
const ATTEMPTS_MAX = 3;

/** What a row becomes, as a row and as SQL that is refused unless the row is as it was. */
export interface Change<Row> {
  readonly row: Row;
  readonly statements: readonly WriteStatement[];
}

/**
 * Changes a row of the fleet if it still has the version that the operator saw: 404 when there is none, 412 with the
 * current version when somebody else was first. `change` may refuse, or answer `undefined` for nothing to do.
 */
export async function changeRow<Row extends { readonly version: number }>(
  { database, writer }: FleetDependencies,
  { find, seenVersion }: { readonly find: ReadStatement<Row>; readonly seenVersion: number },
  change: (row: Row) => Result<Change<Row> | undefined>,
): Promise<Result<Row>> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const found = await database.read(find);
    if (!found.ok) return unavailable();
    const [row] = found.rows;
    if (row === undefined) return refuse('RESOURCE_NOT_FOUND');
    if (row.version !== seenVersion) return refuse('PRECONDITION_FAILED', { members: { currentVersion: row.version } });
    const changed = change(row);
    if (!changed.ok) return changed;
    if (changed.value === undefined) return ok(row);
    const isCommitted = settle(await writer.commit({ statements: changed.value.statements }));
    if (!isCommitted.ok) return isCommitted;
    if (isCommitted.value) return ok(changed.value.row);
  }
  return unavailable();
}
