import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import { isOfType } from '../../contract/file-type.ts';
import type { MediaContent } from '../../contract/media-asset.ts';
import type { MediaContentType } from '../../contract/media-asset-state.ts';
import type { StoredProofMedia } from '../../contract/proof.ts';
import { PROOF_MEDIA_MAX, type ProofMediaPurpose } from '../../contract/proof-state.ts';
import { isCarried } from '../../contract/shipment-state.ts';
import { toBase64 } from '../../core/base64url.ts';
import { sha256Hex } from '../../core/crypto.ts';
import { addSeconds } from '../../core/instant.ts';
import { PROOF_MEDIA_KEPT_DAYS, PROOF_MEDIA_PIXELS_MAX } from '../../core/limits.ts';
import { sizeOfPicture, withoutMetadata } from '../../core/picture.ts';
import { ok, type Result, refuse, unavailable, type Violation } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import { type Documents, newObjectKey, storageUnavailable } from '../../ports/documents.ts';
import type { Random } from '../../ports/random.ts';
import { settle } from '../settle.ts';
import type { ShipmentRow } from '../shipments/store.ts';
import { readyUpdate, uploadingInsert } from './media-store.ts';
import { forgottenOf, mediaOf } from './store.ts';

/*
 * Pictures of a delivery. The row is written before the bytes, so that the sweep finds what was never stored; a picture is READY only when
 * its bytes can be read.
 */

export interface ProofUploadDependencies {
  readonly database: Database;
  readonly writer: Writer;
  /** The object store, as it is for the company: a sandbox may have asked for faults. */
  readonly documents: Pick<Documents, 'put'>;
  readonly clock: CompanyClock;
  readonly random: Random;
  readonly config: { readonly recipientRetentionDays: number };
}

export interface ProofUpload {
  readonly shipment: Pick<ShipmentRow, 'id' | 'state'>;
  readonly driverId: Uuid;
  readonly purpose: ProofMediaPurpose;
  readonly contentType: MediaContentType;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** An upload takes seconds. A picture that is not READY after an hour never will be. */
const UPLOADING_SECONDS = 3600;

/**
 * Stores a picture of a shipment that its driver takes, without its metadata, once for the same content and purpose. 409 before the pickup and after the
 * end, 422 for what is no picture or too large a one, and for more than ten.
 */
export async function uploadProofMedia(
  dependencies: ProofUploadDependencies,
  scope: CompanyScope,
  { shipment, driverId, purpose, contentType, bytes: uploaded }: ProofUpload,
): Promise<Result<StoredProofMedia & { readonly isNew: boolean }>> {
  const { database, writer, documents, clock, random, config } = dependencies;
  const { id: shipmentId, state: currentState } = shipment;
  if (!isCarried(currentState)) return refuse('INVALID_STATE_TRANSITION', { members: { currentState } });
  if (!isOfType(uploaded, contentType)) return refuse('DOCUMENT_CONTENT_MISMATCH');
  const bytes = withoutMetadata(uploaded, contentType);
  const size = sizeOfPicture(bytes, contentType);
  if (size === undefined || size.width === 0 || size.height === 0) return refuse('DOCUMENT_CONTENT_MISMATCH');
  if (Math.max(size.width, size.height) > PROOF_MEDIA_PIXELS_MAX)
    return refuseContent({
      field: 'content',
      code: 'OUT_OF_RANGE',
      limit: `at most ${PROOF_MEDIA_PIXELS_MAX} pixels a side`,
    });
  const sha256 = await sha256Hex(bytes);
  const now = clock.wall.now();
  const row = {
    id: random.uuid(),
    shipmentId,
    driverId,
    purpose,
    sha256,
    contentType,
    objectKey: newObjectKey(random),
    sizeBytes: bytes.length,
    recordedAt: clock.now(),
    dueAt: addSeconds(now, UPLOADING_SECONDS),
  };
  const noted = settle(await writer.commit({ statements: [uploadingInsert(scope, row)] }));
  if (!noted.ok) return noted;
  const find = async () => {
    const listed = await database.read(mediaOf(scope, shipmentId));
    return listed.ok ? ok(listed.rows.find((one) => one.sha256 === sha256 && one.purpose === purpose)) : unavailable();
  };
  const found = await find();
  if (!found.ok) return found;
  const kept = found.value;
  if (kept === undefined)
    return refuseContent({ field: 'content', code: 'TOO_MANY_ITEMS', limit: String(PROOF_MEDIA_MAX) });
  const stored = { mediaAssetId: kept.id, sha256 };
  if (kept.state === 'READY') return ok({ ...stored, isNew: false });
  // The sweep removes an earlier upload that did not get this far, and then its row: the next try is a new one.
  if (kept.state === 'EXPIRED') return unavailable();
  // Also the bytes of an earlier upload that did not get this far.
  if ((await documents.put(kept.objectKey, { bytes, contentType })) !== 'stored') return storageUnavailable();
  const days = Math.min(PROOF_MEDIA_KEPT_DAYS, config.recipientRetentionDays);
  const ready = settle(
    await writer.commit({ statements: [readyUpdate(scope, kept.id, addSeconds(now, days * 24 * 3600))] }),
  );
  if (!ready.ok) return ready;
  if (ready.value) return ok({ ...stored, isNew: kept.id === row.id });
  // The same picture at the same time has made it READY, or the sweep was faster.
  const later = await find();
  if (!later.ok) return later;
  return later.value?.state === 'READY' ? ok({ ...stored, isNew: false }) : unavailable();
}

function refuseContent(violation: Violation) {
  return refuse('VALIDATION_FAILED', { violations: [violation] });
}

const EXTENSIONS = { 'image/jpeg': 'jpg', 'image/png': 'png' } as const;

/** The bytes of a picture, with their hash. 404 once it is deleted. */
export async function readProofMedia(
  { database, documents }: { readonly database: Database; readonly documents: Pick<Documents, 'read'> },
  scope: CompanyScope,
  { shipmentId, mediaAssetId }: { readonly shipmentId: Uuid; readonly mediaAssetId: Uuid },
): Promise<Result<MediaContent & { readonly sha256: string }>> {
  const read = await database.readAll([forgottenOf(scope, shipmentId), mediaOf(scope, shipmentId)] as const);
  if (!read.ok) return unavailable();
  const [[shipment], pictures] = read.results;
  if (shipment === undefined) return refuse('ACCESS_DENIED');
  const found = pictures.find(({ id, state }) => id === mediaAssetId && state === 'READY');
  if (found === undefined) return refuse('RESOURCE_NOT_FOUND');
  const { objectKey, contentType, sha256 } = found;
  const bytes = await documents.read(objectKey);
  if (bytes === 'missing') return refuse('RESOURCE_NOT_FOUND');
  if (bytes === 'unavailable') return storageUnavailable();
  const fileName = `proof-${mediaAssetId}.${EXTENSIONS[contentType]}`;
  return ok({ fileName, contentType, base64: toBase64(bytes), sha256 });
}
