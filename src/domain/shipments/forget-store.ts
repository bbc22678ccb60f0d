import { and, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { PastRows } from '../../../db/past-rows.ts';
import { isAtHome } from '../../../db/shard/moving.ts';
import { caseMessages } from '../../../db/shard/schema/cases.ts';
import { codCollections } from '../../../db/shard/schema/cod-collections.ts';
import { deliveryProofs, proofMedia } from '../../../db/shard/schema/delivery-proofs.ts';
import { offers } from '../../../db/shard/schema/dispatch.ts';
import { recipientLooks } from '../../../db/shard/schema/driver-access.ts';
import { mediaAssets } from '../../../db/shard/schema/media-assets.ts';
import { nationalAddresses } from '../../../db/shard/schema/national-addresses.ts';
import { recipientReplies } from '../../../db/shard/schema/recipient-replies.ts';
import { followUps } from '../../../db/shard/schema/resolutions.ts';
import { shipmentAmendments } from '../../../db/shard/schema/shipment-amendments.ts';
import { shipmentMetadata } from '../../../db/shard/schema/shipment-metadata.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { shipmentTerms } from '../../../db/shard/schema/terms.ts';
import { placeholder, queries, read, write } from '../../../db/statement.ts';
import type { Instant } from '../../core/instant.ts';
import { FORGOTTEN_PHONE, FORGOTTEN_TEXT } from '../../core/phone.ts';
import type { Uuid } from '../../core/uuid.ts';

/*
 * The SQL that deletes the personal data of recipients. The shipment stays, with its version and its charges: it only loses
 * who received it, and where to within about a kilometre.
 */

/** In the printed form of decimals: two digits after the point, without zeros at the end. */
const rounded = (path: string, place: typeof shipments.destination | typeof shipments.pickup = shipments.destination) =>
  sql`rtrim(rtrim(printf('%.2f', round(json_extract(${place}, ${sql.raw(`'${path}'`)}), 2) + 0.0), '0'), '.')`;

/** A return begins at the recipient's door. */
const isReturn = (id: SQL) =>
  sql`exists (select 1 from ${followUps} where ${followUps.shipmentId} = ${id} and ${followUps.kind} = 'RETURN')`;

/** Deletes the personal data of `chosen` shipments, in one unit. The shipments come last, because `chosen` may depend on their mark. */
function compileForgetting(chosen: SQL) {
  return [
    // The line of the route ends at the recipient's door.
    write(queries.update(shipmentTerms).set({ geometry: '' }).where(sql`${shipmentTerms.shipmentId} in ${chosen}`)),
    // There the driver arrived, with a position.
    write(
      queries
        .update(offers)
        .set({ doorArrival: null })
        .where(sql`${offers.shipmentId} in ${chosen} and ${offers.doorArrival} is not null`),
    ),
    write(
      queries
        .update(offers)
        .set({ pickupArrival: null })
        .where(
          sql`${offers.shipmentId} in ${chosen} and ${offers.pickupArrival} is not null and ${isReturn(sql`${offers.shipmentId}`)}`,
        ),
    ),
    // A short code is a door.
    write(
      queries
        .update(nationalAddresses)
        .set({ shortAddress: null, found: null, distanceMeters: null, checkDueAt: null })
        .where(sql`${nationalAddresses.shipmentId} in ${chosen}`),
    ),
    // What it was before and became: names, phones and pins.
    write(
      queries
        .update(shipmentAmendments)
        .set({ before: '{}', after: '{}' })
        .where(sql`${shipmentAmendments.shipmentId} in ${chosen}`),
    ),
    write(
      queries
        .update(recipientReplies)
        .set({ refusalComment: null, returnWish: null })
        .where(
          sql`${recipientReplies.shipmentId} in ${chosen} and coalesce(${recipientReplies.refusalComment}, ${recipientReplies.returnWish}) is not null`,
        ),
    ),
    write(
      queries
        .update(codCollections)
        .set({ reference: null })
        .where(sql`${codCollections.shipmentId} in ${chosen} and ${codCollections.reference} is not null`),
    ),
    write(
      queries
        .update(caseMessages)
        .set({ text: null })
        .where(sql`${caseMessages.shipmentId} in ${chosen} and ${caseMessages.text} is not null`),
    ),
    // Who signed, and where the driver stood. The hash stays that of the record as it was written.
    write(
      queries
        .update(deliveryProofs)
        .set({ record: sql`json_set(${deliveryProofs.record}, '$.signedBy', null, '$.place', null)` })
        .where(sql`${deliveryProofs.shipmentId} in ${chosen}`),
    ),
    // The sweep deletes their objects and then their rows.
    write(
      queries
        .update(proofMedia)
        .set({ state: 'EXPIRED', dueAt: sql`${placeholder('now')}` })
        .where(sql`${proofMedia.shipmentId} in ${chosen}`),
    ),
    // Merchants may write names there.
    write(queries.delete(shipmentMetadata).where(sql`${shipmentMetadata.shipmentId} in ${chosen}`)),
    write(queries.delete(recipientLooks).where(sql`${recipientLooks.shipmentId} in ${chosen}`)),
    // The sweep of pictures deletes their objects and then their rows.
    write(
      queries
        .update(mediaAssets)
        .set({ state: 'EXPIRED', dueAt: sql`${placeholder('now')}` })
        .where(sql`state = 'READY' and (${mediaAssets.companyId}, ${mediaAssets.externalReference}) in
          (select ${shipments.companyId}, ${shipments.externalReference} from ${shipments} where ${shipments.id} in ${chosen})`),
    ),
    write(
      queries
        .update(shipments)
        .set({
          recipientName: FORGOTTEN_TEXT,
          recipientFoldedName: FORGOTTEN_TEXT,
          recipientPhone: FORGOTTEN_PHONE,
          alternateContactName: null,
          alternateContactPhone: null,
          destination: sql`json_set(${shipments.destination}, '$.addressLine', ${FORGOTTEN_TEXT},
            '$.latitude', ${rounded('$.latitude')}, '$.longitude', ${rounded('$.longitude')})`,
          pickup: sql`case when ${isReturn(sql`${shipments.id}`)}
            then json_set(${shipments.pickup}, '$.addressLine', ${FORGOTTEN_TEXT},
              '$.latitude', ${rounded('$.latitude', shipments.pickup)}, '$.longitude', ${rounded('$.longitude', shipments.pickup)})
            else ${shipments.pickup} end`,
          place: null,
          instructions: null,
          // When somebody is at home.
          deliveryWindowStart: null,
          deliveryWindowEnd: null,
          windowStatus: null,
          forgottenAt: sql`${placeholder('now')}`,
        })
        .where(sql`${shipments.id} in ${chosen}`),
    ),
  ];
}

/** Shipments in one unit, which holds the write lock: 250 with all their rows take about 20 ms. */
const AT_ONCE = 250;
const isPast = and(
  isNotNull(shipments.endedAt),
  isNull(shipments.forgottenAt),
  lt(shipments.endedAt, placeholder('before')),
  isAtHome(shipments.companyId),
);
const past = sql`(select ${shipments.id} from ${shipments} where ${isPast}
  order by ${shipments.endedAt}, ${shipments.id} limit ${sql.raw(String(AT_ONCE))})`;
const selectPast = read({ shipmentId: shipments.id }, (columns) =>
  queries.select(columns).from(shipments).where(isPast).limit(1),
);
const forgetPast = compileForgetting(past);
/** Shipments that ended before an instant and whose recipient is still known. For the sweep only. */
export function rememberedRecipients(before: Instant, now: Instant): PastRows {
  return { some: selectPast({ before }), deletion: () => forgetPast.map((statement) => statement({ before, now })) };
}

const forgetChosen = compileForgetting(sql`(select value from json_each(${placeholder('ids')}))`);
/** Deletes the personal data of these ended shipments. For a person's request. */
export function recipientsForgotten(shipmentIds: readonly Uuid[], now: Instant) {
  return forgetChosen.map((statement) => statement({ ids: JSON.stringify(shipmentIds), now }));
}
