import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import { isOfType } from '../../contract/file-type.ts';
import type { MediaAsset } from '../../contract/media-asset.ts';
import { MEDIA_ASSETS_MAX, type MediaContentType } from '../../contract/media-asset-state.ts';
import { sha256Hex } from '../../core/crypto.ts';
import { addSeconds } from '../../core/instant.ts';
import { MEDIA_WAITING_DAYS } from '../../core/limits.ts';
import { withoutMetadata } from '../../core/picture.ts';
import { ok, type Refusal, type Result, refuse, unavailable } from '../../core/result.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import { type Documents, newObjectKey, storageUnavailable } from '../../ports/documents.ts';
import type { Random } from '../../ports/random.ts';
import { auditOf, commitChange } from '../audit/change.ts';
import { type Bind, unbound } from '../idempotency/once.ts';
import { settle } from '../settle.ts';
import { presentExisting } from '../shipments/create-refusal.ts';
import { shipmentByReference } from '../shipments/store.ts';
import { readyById, readyOfReference, readyStatements, uploadingInsert } from './store.ts';

/*
 * Promise: a READY picture can be read from the object store. A reference has at most ten, and the event of the shipment
 * with this reference lists all of them. The row is written before the bytes, so that the sweep finds pictures that never
 * became READY. A picture becomes READY only while the reference has no shipment.
 */

export interface MediaUploadDependencies {
  readonly database: Database;
  readonly writer: Writer;
  readonly documents: Pick<Documents, 'put'>;
  readonly clock: CompanyClock;
  readonly random: Random;
}

export interface MediaUpload {
  readonly externalReference: string;
  readonly sortOrder: number;
  readonly contentType: MediaContentType;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** An upload takes seconds. A picture that is not READY after an hour never will be. */
const UPLOADING_SECONDS = 3600;

/** Stores a picture, without its metadata, for the shipment that will have this reference. */
export async function uploadMedia(
  dependencies: MediaUploadDependencies,
  scope: CompanyScope,
  { externalReference, sortOrder, contentType, bytes: uploaded }: MediaUpload,
  bind: Bind<MediaAsset> = unbound,
): Promise<Result<MediaAsset>> {
  const { database, writer, documents, clock, random } = dependencies;
  if (!isOfType(uploaded, contentType)) return refuse('DOCUMENT_CONTENT_MISMATCH');
  const bytes = withoutMetadata(uploaded, contentType);
  const [id, objectKey, createdAt] = [random.uuid(), newObjectKey(random), clock.now()];
  const file = { objectKey, sha256: await sha256Hex(bytes), sizeBytes: bytes.length, contentType };
  const row = {
    id,
    externalReference,
    sortOrder,
    ...file,
    createdAt,
    dueAt: addSeconds(clock.wall.now(), UPLOADING_SECONDS),
  };
  const noted = settle(await writer.commit({ statements: [uploadingInsert(scope, row, MEDIA_ASSETS_MAX)] }));
  if (!noted.ok) return noted;
  if (!noted.value) return explain(database, scope, externalReference);
  if ((await documents.put(objectKey, { bytes, contentType })) !== 'stored') return storageUnavailable();
  const waitingSeconds = MEDIA_WAITING_DAYS * 24 * 3600;
  const waiting = { dueAt: addSeconds(clock.wall.now(), waitingSeconds), max: MEDIA_ASSETS_MAX };
  const asset = { mediaAssetId: id, state: 'READY', purpose: 'SHIPMENT_CREATION_EVIDENCE', sortOrder } as const;
  const ready = await commitChange(dependencies, {
    unit: await bind({ statements: readyStatements(scope, row, waiting) }, asset),
    audit: auditOf(dependencies, scope, {
      action: 'media_asset.uploaded',
      subject: id,
      at: clock.now(),
      detail: { externalReference },
    }),
    committed: readyById(scope, id),
  });
  if (!ready.ok) return ready;
  if (!ready.value) return explain(database, scope, externalReference);
  return ok(asset);
}

/** Why the picture was refused: the reference already has its shipment or the largest number of pictures. */
async function explain(database: Database, scope: CompanyScope, externalReference: string): Promise<Refusal> {
  const reads = [shipmentByReference(scope, externalReference), readyOfReference(scope, externalReference)] as const;
  const answer = await database.readAll(reads);
  if (!answer.ok) return unavailable();
  const [[shipment], [ready]] = answer.results;
  if (shipment !== undefined) {
    return refuse('EXTERNAL_REFERENCE_CONFLICT', { members: { existing: presentExisting(shipment) } });
  }
  // The sweep may have removed a picture meanwhile.
  if ((ready?.count ?? 0) < MEDIA_ASSETS_MAX) return unavailable();
  const violation = { field: 'externalReference', code: 'TOO_MANY_ITEMS', limit: String(MEDIA_ASSETS_MAX) } as const;
  return refuse('VALIDATION_FAILED', { violations: [violation] });
}
