import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { MediaContent, StoredMediaAsset } from '../../contract/media-asset.ts';
import { toBase64 } from '../../core/base64url.ts';
import { formatInstant } from '../../core/instant.ts';
import { withoutMetadata } from '../../core/picture.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import { type Documents, storageUnavailable } from '../../ports/documents.ts';
import type { Random } from '../../ports/random.ts';
import { auditOf, commitChange } from '../audit/change.ts';
import { type Page, type PageDependencies, type PageRequest, positionOf, readPage } from '../page.ts';
import { readRow } from '../rows.ts';
import { shipmentByReference } from '../shipments/store.ts';
import { expiredById, type ListedMediaRow, mediaPage, readyById, removalStatements } from './store.ts';

/* Pictures that a company has uploaded: only the company itself sees, reads and removes them. */

/** READY pictures, newest first. */
export function listMedia(
  dependencies: PageDependencies,
  scope: CompanyScope,
  { limit, cursor, externalReference }: PageRequest & { readonly externalReference?: string | undefined },
): Promise<Result<Page<StoredMediaAsset>>> {
  return readPage(
    dependencies,
    { limit, cursor },
    {
      binding: ['media assets', scope.companyId, externalReference, 'createdAt desc'],
      select: (after, rows) => mediaPage(scope, externalReference, positionOf(after), rows),
      positionOf: (row) => [String(row.createdAt), row.id],
      present: presentMedia,
    },
  );
}

function presentMedia({ id, createdAt, ...row }: ListedMediaRow): StoredMediaAsset {
  const fixed = { state: 'READY', purpose: 'SHIPMENT_CREATION_EVIDENCE' } as const;
  return { mediaAssetId: id, ...fixed, ...row, createdAt: formatInstant(createdAt) };
}

const EXTENSIONS = { 'image/jpeg': 'jpg', 'image/png': 'png' } as const;

/** The bytes of a READY picture. One that was stored with metadata is read without it. */
export async function readMedia(
  { database, documents }: { readonly database: Database; readonly documents: Pick<Documents, 'read'> },
  scope: CompanyScope,
  id: Uuid,
): Promise<Result<MediaContent>> {
  const found = await readRow(database, readyById(scope, id), 'RESOURCE_NOT_FOUND');
  if (!found.ok) return found;
  const { objectKey, contentType } = found.value;
  const bytes = await documents.read(objectKey);
  if (bytes === 'missing') return refuse('RESOURCE_NOT_FOUND');
  if (bytes === 'unavailable') return storageUnavailable();
  return ok({
    fileName: `picture-${id}.${EXTENSIONS[contentType]}`,
    contentType,
    base64: toBase64(withoutMetadata(bytes, contentType)),
  });
}

interface RemovalDependencies {
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: CompanyClock;
  readonly random: Random;
}

/** Removes a READY picture that no shipment refers to. The sweep deletes its bytes within minutes. */
export async function removeMedia(
  dependencies: RemovalDependencies,
  scope: CompanyScope,
  id: Uuid,
): Promise<Result<undefined>> {
  const { database, clock } = dependencies;
  const found = await readRow(database, readyById(scope, id), 'RESOURCE_NOT_FOUND');
  if (!found.ok) return found;
  const { externalReference } = found.value;
  const removed = await commitChange(dependencies, {
    unit: { statements: removalStatements(scope, found.value, clock.wall.now()) },
    audit: auditOf(dependencies, scope, {
      action: 'media_asset.deleted',
      subject: id,
      at: clock.now(),
      detail: { externalReference },
    }),
    committed: expiredById(scope, id),
  });
  if (!removed.ok) return removed;
  if (removed.value) return ok(undefined);
  const shipment = await database.read(shipmentByReference(scope, externalReference));
  if (!shipment.ok) return unavailable();
  return refuse(shipment.rows.length > 0 ? 'INVALID_STATE_TRANSITION' : 'RESOURCE_NOT_FOUND');
}
