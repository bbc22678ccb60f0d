import type { Database } from '../../../../db/database.ts';
import { fromBase64 } from '../../../core/base64url.ts';
import { parseInstant } from '../../../core/instant.ts';
import type { Locale } from '../../../core/locale.ts';
import { orThrow } from '../../../core/problem.ts';
import { refuse } from '../../../core/result.ts';
import { parseUuid } from '../../../core/uuid.ts';
import { readProofMedia } from '../../../domain/proof/media.ts';
import { readProof } from '../../../domain/proof/read.ts';
import type { LinkedShipment } from '../../../domain/tracking/linked-shipment.ts';
import type { Exchange } from '../../route-table.ts';
import { formatDay, formatTime } from '../formats.ts';
import { WORDS as TRACKING_WORDS } from '../tracking/words.ts';
import type { HandedOver } from './shown.ts';
import { WORDS } from './words.ts';

/* The photo of a delivery, for the recipient who has signed in by a link that allows it. */

export async function readHandedOver(
  database: Database,
  { link, scope, shipment }: LinkedShipment,
): Promise<HandedOver | undefined> {
  if (shipment.state !== 'DELIVERED' || !link.permissions.includes('PROOF')) return undefined;
  const read = await readProof(database, scope, shipment.id);
  // Most deliveries have no record. The page is worth reading without the photo, too.
  if (!read.ok) return undefined;
  const { media, recordedAt, takenAt } = read.value;
  const at = parseInstant(takenAt ?? recordedAt);
  const photoIds = media
    .filter(({ purpose, availableUntil }) => purpose === 'DELIVERY_PHOTO' && availableUntil !== null)
    .flatMap(({ mediaAssetId }) => parseUuid(mediaAssetId) ?? []);
  return at === undefined || photoIds.length === 0 ? undefined : { at, photoIds };
}

/** One of these photos. Any other id is 404, also that of a signature. */
export async function showPhoto({ services }: Exchange, linked: LinkedShipment, id: string): Promise<Response> {
  const { store, scope, shipment } = linked;
  const handedOver = await readHandedOver(store.database, linked);
  const mediaAssetId = handedOver?.photoIds.find((one) => one === id);
  const found = orThrow(
    mediaAssetId === undefined
      ? refuse('RESOURCE_NOT_FOUND')
      : await readProofMedia({ ...services, ...store }, scope, { shipmentId: shipment.id, mediaAssetId }),
  );
  return new Response(fromBase64(found.base64), {
    headers: {
      'content-type': found.contentType,
      'content-disposition': `attachment; filename="${found.fileName}"`,
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    },
  });
}

export function HandedOverSection({
  handedOver: { at, photoIds },
  locale,
}: {
  readonly handedOver: HandedOver;
  readonly locale: Locale;
}) {
  return (
    <section id="handed-over">
      <h1>{TRACKING_WORDS[locale].handedOver(formatDay(at, locale), formatTime(at, locale))}</h1>
      {photoIds.map((id) => (
        <img key={id} class="wide" src={`?photo=${id}`} alt={WORDS[locale].photo} />
      ))}
    </section>
  );
}
