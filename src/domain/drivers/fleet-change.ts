import type { Database } from '../../../db/database.ts';
import type { ReadStatement } from '../../../db/statement.ts';
import type { CommitRequest, Writer } from '../../../db/writer.ts';
import type { AuditActor } from '../../access/principal.ts';
import type { Instant } from '../../core/instant.ts';
import { ok, type Result, refuse } from '../../core/result.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { type Audit, changedMembers, changeVersioned, type EntryDetails } from '../audit/change.ts';
import { readRow } from '../rows.ts';

export interface FleetDependencies {
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly random: Random;
  /** The operator or the operator's program that makes the change. */
  readonly actor: AuditActor;
}

/** The entry of a change to the fleet, which belongs to no company. */
export function auditOfFleet(
  { random, actor }: Pick<FleetDependencies, 'random' | 'actor'>,
  details: EntryDetails,
): Audit {
  return { id: random.uuid(), scope: undefined, actor, ...details };
}

/** The changed row, and its SQL, which is refused if the row has changed since it was read. */
export interface FleetChange<Row> extends CommitRequest {
  readonly row: Row;
}

interface FleetOrder<Row> {
  readonly find: ReadStatement<Row>;
  readonly seenVersion: number;
  readonly action: string;
  readonly subject: string;
}

/**
 * Changes a row of the fleet if it still has the version that the operator saw: 404 if it does not exist, 412 with the
 * current version if it has changed. `change` may refuse, or return `undefined` if there is nothing to change.
 */
export function changeRow<Row extends { readonly version: number; readonly updatedAt: Instant }>(
  dependencies: FleetDependencies,
  { find, seenVersion, ...named }: FleetOrder<Row>,
  change: (row: Row) => Result<FleetChange<Row> | undefined> | Promise<Result<FleetChange<Row> | undefined>>,
): Promise<Result<Row>> {
  return changeVersioned<Row, Row>(dependencies, {
    read: () => readRow(dependencies.database, find, 'RESOURCE_NOT_FOUND'),
    decide: async (seen) => {
      const { version } = seen;
      if (version !== seenVersion) return refuse('PRECONDITION_FAILED', { members: { currentVersion: version } });
      const changed = await change(seen);
      if (!changed.ok) return changed;
      if (changed.value === undefined) return ok({ kind: 'unchanged', value: seen });
      const { row, ...unit } = changed.value;
      const { version: next, updatedAt: at, ...members } = row;
      const detail = { version: next, members: changedMembers(seen, members).join(' ') };
      const audit = auditOfFleet(dependencies, { ...named, at, detail });
      return ok({ kind: 'change', value: row, unit, audit });
    },
  });
}
