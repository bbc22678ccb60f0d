import type { CommitRequest } from '../../../db/writer.ts';
import type { CollectionInEvent } from '../../contract/cod-event.ts';
import { compareDecimals, literalDecimal } from '../../core/decimal.ts';
import { formatInstant } from '../../core/instant.ts';
import { ok, type Result, refuse, type Violation } from '../../core/result.ts';
import { collectionInsert } from './collection-store.ts';
import { type FactDependencies, factEvent } from './fact.ts';
import type { Command, Transition } from './lifecycle.ts';
import type { ShipmentRow } from './store.ts';
import type { TransitionParts } from './transition.ts';

interface Delivery {
  readonly command: Extract<Command, { name: 'DELIVER' }>;
  readonly transition: Transition;
  readonly made: TransitionParts & Pick<FactDependencies, 'random'>;
}

const ZERO = literalDecimal('0');

/**
 * The unit of a delivery with what the driver has collected. The amount is compared with the version that is delivered: the unit
 * is refused if an amendment was faster, and then the command is decided anew.
 */
export function collectedUnit(
  unit: CommitRequest,
  row: ShipmentRow,
  { command: { driverId, collected }, transition: { next, event }, made }: Delivery,
): Result<CommitRequest> {
  const { id: shipmentId, companyId, codAmount, currency } = row;
  if (compareDecimals(codAmount, ZERO) === 0) return refuseField({ field: 'collected', code: 'FORBIDDEN_FIELD' });
  const { amount, method, reference = null } = collected ?? { amount: codAmount, method: 'CASH' };
  if (compareDecimals(amount, codAmount) !== 0)
    return refuseField({ field: 'collected.amount', code: 'COD_AMOUNT_MISMATCH' });
  const insert = collectionInsert({
    shipmentId,
    companyId,
    amount: codAmount,
    method,
    reference,
    driverId,
    collectedAt: event.occurredAt,
    shipmentVersion: next.version,
  });
  const collection: CollectionInEvent = {
    amount: codAmount,
    currency,
    method,
    reference,
    collectedAt: formatInstant(event.occurredAt),
  };
  const recorded = factEvent(
    made,
    { ...row, ...next },
    { type: 'cod.collected', occurredAt: event.occurredAt, correlationId: made.correlationId, data: { collection } },
  );
  return ok({ ...unit, statements: [...unit.statements, insert, ...recorded] });
}

function refuseField(violation: Violation): Result<never> {
  return refuse('VALIDATION_FAILED', { violations: [violation] });
}
