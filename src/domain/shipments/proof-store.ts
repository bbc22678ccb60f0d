import { and, eq } from 'drizzle-orm';
import { deliveryProofs } from '../../../db/shard/schema/delivery-proofs.ts';
import { columnsOf, placeholder, placesOf, queries, read, writeRow } from '../../../db/statement.ts';
import type { CommitRequest } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Evidence } from '../../contract/proof-state.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { ShipmentRow } from './store.ts';

/* The record of what was proven, as a command brings it. */

/** A record for the unit of its command. Plain data, so that it can be sent to the lane. */
export interface SealedProof {
  readonly evidence: Evidence;
  /** Of `record`, in lower-case hexadecimal. */
  readonly sha256: string;
  /** Canonical JSON. */
  readonly record: string;
}

const insertProof = writeRow(queries.insert(deliveryProofs).values(placesOf(deliveryProofs)));
/** The unit of a delivery or a failure with its record: no state without its proof, and no proof without its state. */
export function provenUnit(
  unit: CommitRequest,
  { id: shipmentId, companyId }: Pick<ShipmentRow, 'id' | 'companyId'>,
  { evidence, sha256, record }: SealedProof,
): CommitRequest {
  const insert = insertProof({ shipmentId, companyId, evidence, sha256, record });
  return { ...unit, statements: [...unit.statements, insert] };
}

const selectProof = read(columnsOf(deliveryProofs), (columns) =>
  queries
    .select(columns)
    .from(deliveryProofs)
    .where(
      and(
        eq(deliveryProofs.shipmentId, placeholder('shipmentId')),
        eq(deliveryProofs.companyId, placeholder('companyId')),
      ),
    ),
);
/** No row without a record. */
export function proofOf(scope: CompanyScope, shipmentId: Uuid) {
  return selectProof({ companyId: scope.companyId, shipmentId });
}
