import type { Database } from '../../../db/database.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Proof, ProofDocument } from '../../contract/proof.ts';
import { formatInstant } from '../../core/instant.ts';
import { parseStored } from '../../core/json.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyNames } from '../companies/company.ts';
import { proofOf } from '../shipments/proof-store.ts';
import { readWaybills } from '../shipments/waybill.ts';
import type { ProofRecord } from './prepare.ts';
import { forgottenOf, mediaOf } from './store.ts';

/** What was proven of a shipment's delivery or failure. 404 as long as there is no record. */
export async function readProof(database: Database, scope: CompanyScope, shipmentId: Uuid): Promise<Result<Proof>> {
  const read = await database.readAll([
    forgottenOf(scope, shipmentId),
    proofOf(scope, shipmentId),
    mediaOf(scope, shipmentId),
  ] as const);
  if (!read.ok) return unavailable();
  const [[shipment], [row], pictures] = read.results;
  if (shipment === undefined) return refuse('ACCESS_DENIED');
  if (row === undefined) return refuse('RESOURCE_NOT_FOUND');
  const { shipmentId: _shipment, ...record } = parseStored<ProofRecord>(row.record);
  return ok({
    ...record,
    required: [...record.required],
    media: record.media.map((picture) => {
      const kept = pictures.find(({ id, state }) => id === picture.mediaAssetId && state === 'READY');
      return { ...picture, availableUntil: kept === undefined ? null : formatInstant(kept.dueAt) };
    }),
    sha256: row.sha256,
    record: shipment.forgottenAt === null ? row.record : null,
  });
}

/** The content of the printed page. */
export async function readProofDocument(
  dependencies: {
    readonly database: Database;
    readonly directory: { readonly database: Database };
    readonly companyNames: CompanyNames;
  },
  scope: CompanyScope,
  shipmentId: Uuid,
): Promise<Result<Omit<ProofDocument, 'locale'>>> {
  const [proof, read] = await Promise.all([
    readProof(dependencies.database, scope, shipmentId),
    readWaybills(dependencies, scope, [shipmentId]),
  ]);
  if (!proof.ok) return proof;
  if (!read.ok) return read;
  const { merchantName, shipments } = read.value;
  const [shipment] = shipments;
  if (shipment === undefined) return refuse('ACCESS_DENIED');
  const { shipmentNumber, externalReference, recipientName, destination } = shipment;
  return ok({ merchantName, shipmentNumber, externalReference, recipientName, destination, proof: proof.value });
}
