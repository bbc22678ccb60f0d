import type { Database } from '../../../db/database.ts';
import type { ReadStatement, WriteStatement } from '../../../db/statement.ts';
import type { Writer } from '../../../db/writer.ts';
import { ok, type Result, refuse } from '../../core/result.ts';
import type { Clock } from '../../ports/clock.ts';
import { changeVersioned } from '../audit/change.ts';
import { readRow } from '../rows.ts';

export interface FleetDependencies {
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: Clock;
}

/** The changed row, and its SQL, which is refused if the row has changed since it was read. */
export interface RowChange<Row> {
  readonly row: Row;
  readonly statements: readonly WriteStatement[];
}

/**
 * Changes a row of the fleet if it still has the version that the operator saw: 404 when there is none, 412 with the
 * current version when it has changed. `change` may refuse, or answer `undefined` for nothing to do.
 */
export function changeRow<Row extends { readonly version: number }>(
  dependencies: FleetDependencies,
  { find, seenVersion }: { readonly find: ReadStatement<Row>; readonly seenVersion: number },
  change: (row: Row) => Result<RowChange<Row> | undefined>,
): Promise<Result<Row>> {
  return changeVersioned<Row, Row>(dependencies, {
    read: () => readRow(dependencies.database, find, 'RESOURCE_NOT_FOUND'),
    decide: (seen) => {
      const { version } = seen;
      if (version !== seenVersion) return refuse('PRECONDITION_FAILED', { members: { currentVersion: version } });
      const changed = change(seen);
      if (!changed.ok) return changed;
      if (changed.value === undefined) return ok({ kind: 'unchanged', value: seen });
      const { row, statements } = changed.value;
      return ok({ kind: 'change', value: row, unit: { statements }, audit: 'unaudited' });
    },
  });
}
