import type { CommitRequest } from '../../../db/writer.ts';
import { ok, type Result, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import { caseNotClosed } from './case-store.ts';
import type { Command, Transition } from './lifecycle.ts';
import { type CaseDependencies, newCase, openingUnit } from './open-case.ts';
import type { ShipmentRow } from './store.ts';

type LossDependencies = Pick<CaseDependencies, 'database' | 'clock' | 'random' | 'config'>;

/**
 * The unit of a failure by which the parcel was lost or damaged, with a case that the service opens, so that somebody owes an answer
 * even if nobody complains. Nothing is added if such a case is there. The unit is refused if one was opened meanwhile, and then the
 * command is decided anew.
 */
export async function lossUnit(
  dependencies: LossDependencies,
  unit: CommitRequest,
  {
    row,
    command: { reasonCode },
    transition: { next, event },
    correlationId,
  }: {
    readonly row: ShipmentRow;
    readonly command: Extract<Command, { name: 'FAIL' }>;
    readonly transition: Transition;
    readonly correlationId: Uuid;
  },
): Promise<Result<CommitRequest>> {
  const kind = reasonCode === 'DAMAGED' ? 'DAMAGED' : 'LOST';
  const found = await dependencies.database.read(caseNotClosed(row, row.id, kind));
  if (!found.ok) return unavailable();
  if (found.rows.length > 0) return ok(unit);
  const shipment = { ...row, ...next };
  const opened = newCase(dependencies, { shipment, kind, openedBy: 'SYSTEM', now: event.occurredAt });
  const opening = openingUnit(dependencies, { shipment, row: opened, correlationId });
  return ok({ ...unit, statements: [...unit.statements, ...opening.statements] });
}
