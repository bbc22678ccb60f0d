import type { Database } from '../../../db/database.ts';
import type { ReadStatement, WriteStatement } from '../../../db/statement.ts';
import type { Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Instant } from '../../core/instant.ts';
import { checkPrecondition, type Precondition } from '../../core/precondition.ts';
import { ok, type Result } from '../../core/result.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { auditOf, changedMembers, changeVersioned } from '../audit/change.ts';
import { readRow } from '../rows.ts';

export interface PlaceDependencies {
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: CompanyClock;
  readonly random: Random;
}

interface Versioned {
  readonly version: number;
  readonly updatedAt: Instant;
}

/** A change of an existing place. */
export interface PlaceOrder<Row extends Versioned> {
  readonly find: ReadStatement<Row>;
  readonly precondition: Precondition;
  readonly action: string;
  readonly subject: string;
  /** The members to change, with their new values. */
  readonly changes: Partial<Row>;
  readonly update: (row: Row) => WriteStatement;
}

/**
 * Changes a place if it has the version that the caller saw: 404 if it does not exist, 412 with the current version if
 * another writer was first. A change without effect is not written and does not raise the version.
 */
export function changePlace<Row extends Versioned>(
  dependencies: PlaceDependencies,
  scope: CompanyScope,
  { find, precondition, changes, update, ...note }: PlaceOrder<Row>,
): Promise<Result<Row>> {
  return changeVersioned<Row, Row>(dependencies, {
    read: () => readRow(dependencies.database, find, 'RESOURCE_NOT_FOUND'),
    decide: (row) => {
      const stale = checkPrecondition(precondition, row.version);
      if (stale !== undefined) return stale;
      const members = changedMembers(row, changes);
      if (members.length === 0) return ok({ kind: 'unchanged', value: row });
      const at = dependencies.clock.now();
      const value: Row = { ...row, ...changes, updatedAt: at, version: row.version + 1 };
      const detail = { version: value.version, members: members.join(' ') };
      const audit = auditOf(dependencies, scope, { ...note, at, detail });
      return ok({ kind: 'change', value, unit: { statements: [update(value)] }, audit });
    },
  });
}
