import { and, eq, type SQL, sql } from 'drizzle-orm';
import { companySettings } from '../../../db/shard/schema/companies.ts';
import { proofMedia, proofProgress } from '../../../db/shard/schema/delivery-proofs.ts';
import { shipmentEvents } from '../../../db/shard/schema/events.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { check, columnsOf, placeholder, placesOf, queries, read, write } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { ShipmentRow } from '../shipments/store.ts';

/* The SQL of proofs: the record, and what happens before it. */

export type ProgressRow = typeof proofProgress.$inferSelect;
const selectProgress = read(columnsOf(proofProgress), (columns) =>
  queries
    .select(columns)
    .from(proofProgress)
    .where(
      and(
        eq(proofProgress.shipmentId, placeholder('shipmentId')),
        eq(proofProgress.companyId, placeholder('companyId')),
      ),
    ),
);
/** No row as long as nothing has happened. */
export function progressOf(scope: CompanyScope, shipmentId: Uuid) {
  return selectProgress({ companyId: scope.companyId, shipmentId });
}

/** What is known of the PIN that the row is about now; nothing if that was another PIN. */
export function pinProgress(progress: ProgressRow | undefined, pinTag: string): ProgressRow | undefined {
  return progress?.pinTag === pinTag ? progress : undefined;
}

const selectVersionedAt = read({ occurredAt: shipmentEvents.occurredAt }, (columns) =>
  queries
    .select(columns)
    .from(shipmentEvents)
    .where(
      and(
        eq(shipmentEvents.shipmentId, placeholder('shipmentId')),
        eq(shipmentEvents.companyId, placeholder('companyId')),
        eq(shipmentEvents.sequence, placeholder('sequence')),
      ),
    ),
);
/** When the shipment got this version. The sequence of events begins at 1, that of versions at 0. */
export function versionedAt(scope: CompanyScope, { id, version }: Pick<ShipmentRow, 'id' | 'version'>) {
  return selectVersionedAt({ companyId: scope.companyId, shipmentId: id, sequence: version + 1 });
}

/** Wrong tries that one PIN has. */
export const PIN_TRIES_MAX = 5;

const isSamePin = sql`${proofProgress.pinTag} is excluded.pin_tag`;
const orNew = (column: SQL, given: SQL) => sql`coalesce(iif(${isSamePin}, ${column}, null), ${given})`;
const notePin = () =>
  queries
    .insert(proofProgress)
    .values({
      ...placesOf(proofProgress),
      resends: sql`0`,
      releasedAt: sql`null`,
    })
    .onConflictDoUpdate({
      target: proofProgress.shipmentId,
      set: {
        pinTag: sql`excluded.pin_tag`,
        wrongTries: sql`iif(${isSamePin}, ${proofProgress.wrongTries}, 0) + excluded.wrong_tries`,
        verifiedAt: orNew(sql`${proofProgress.verifiedAt}`, sql`excluded.verified_at`),
        seenAt: orNew(sql`${proofProgress.seenAt}`, sql`excluded.seen_at`),
        sentAt: orNew(sql`${proofProgress.sentAt}`, sql`excluded.sent_at`),
        unsentAt: sql`coalesce(excluded.unsent_at, iif(${isSamePin}, ${proofProgress.unsentAt}, null))`,
      },
      setWhere: sql`not (${isSamePin}) or ${proofProgress.wrongTries} < ${sql.raw(String(PIN_TRIES_MAX))}`,
    });
type PinRow = Pick<ProgressRow, 'shipmentId' | 'companyId' | 'pinTag'>;
type PinNote = Omit<ProgressRow, 'resends' | 'releasedAt'>;
const NOTHING = { wrongTries: 0, verifiedAt: null, seenAt: null, sentAt: null, unsentAt: null };
const tryPin = write<PinNote>(notePin(), { mustChange: true });
/**
 * Counts a wrong PIN or notes the right one. The same statement checks that tries are left and refuses the unit if not, so tries at the same
 * time count one by one.
 */
export function pinTried(row: PinRow, isRight: boolean, now: Instant) {
  return tryPin({ ...row, ...NOTHING, wrongTries: isRight ? 0 : 1, verifiedAt: isRight ? now : null });
}

const tellPin = write<PinNote>(notePin());
/** Notes that the recipient has seen the PIN, or what became of a message with it. */
export function pinTold(row: PinRow, what: 'seenAt' | 'sentAt' | 'unsentAt', now: Instant) {
  return tellPin({ ...row, ...NOTHING, [what]: now });
}

const mediaColumns = {
  id: proofMedia.id,
  purpose: proofMedia.purpose,
  state: proofMedia.state,
  objectKey: proofMedia.objectKey,
  sha256: proofMedia.sha256,
  sizeBytes: proofMedia.sizeBytes,
  contentType: proofMedia.contentType,
  recordedAt: proofMedia.recordedAt,
  dueAt: proofMedia.dueAt,
};
export type ProofMediaRow = ReturnType<ReturnType<typeof selectMedia>['decode']>;
const selectMedia = read(mediaColumns, (columns) =>
  queries
    .select(columns)
    .from(proofMedia)
    .where(
      and(eq(proofMedia.shipmentId, placeholder('shipmentId')), eq(proofMedia.companyId, placeholder('companyId'))),
    ),
);
/** The pictures of a shipment, in any state. */
export function mediaOf(scope: CompanyScope, shipmentId: Uuid) {
  return selectMedia({ companyId: scope.companyId, shipmentId });
}

const ofShipment = and(eq(shipments.id, placeholder('shipmentId')), eq(shipments.companyId, placeholder('companyId')));
const selectForgotten = read({ forgottenAt: shipments.forgottenAt }, (columns) =>
  queries.select(columns).from(shipments).where(ofShipment),
);
/** When the recipient of a shipment was forgotten. No row: the company does not have the shipment. */
export function forgottenOf(scope: CompanyScope, shipmentId: Uuid) {
  return selectForgotten({ companyId: scope.companyId, shipmentId });
}

const selectTerms = read({ proofTerms: companySettings.proofTerms }, (columns) =>
  queries
    .select(columns)
    .from(companySettings)
    .where(eq(companySettings.companyId, placeholder('companyId'))),
);
/** What the company asks of its deliveries. No row, or null: the default of the deployment. */
export function proofTermsOfCompany(scope: CompanyScope) {
  return selectTerms({ companyId: scope.companyId });
}

const NO_PIN = {
  ...placesOf(proofProgress),
  pinTag: sql`null`,
  wrongTries: sql`0`,
  verifiedAt: sql`null`,
  seenAt: sql`null`,
  sentAt: sql`null`,
  unsentAt: sql`null`,
};
const isCarried = sql`exists (select 1 from ${shipments} where ${shipments.id} = ${placeholder('shipmentId')} and ${shipments.companyId} = ${placeholder('companyId')}
  and ${shipments.state} in ('PICKED_UP', 'OUT_FOR_DELIVERY'))`;
const checkCarried = check(isCarried);
/** Refuses the unit unless a driver holds the parcel. */
export function carriedCheck(scope: CompanyScope, shipmentId: Uuid) {
  return checkCarried({ companyId: scope.companyId, shipmentId });
}

const release = write(
  queries
    .insert(proofProgress)
    .values({ ...NO_PIN, resends: sql`0`, releasedAt: placeholder('now') })
    .onConflictDoUpdate({ target: proofProgress.shipmentId, set: { releasedAt: sql`excluded.released_at` } }),
);
/** An operator lets the action pass without all that is required. */
export function proofReleased(scope: CompanyScope, shipmentId: Uuid, now: Instant) {
  return release({ companyId: scope.companyId, shipmentId, now });
}

/** Messages with a PIN that a merchant can ask for, for one shipment. */
export const PIN_RESENDS_MAX = 3;
const takeResend = write<Pick<ProgressRow, 'shipmentId' | 'companyId' | 'resends'>>(
  queries
    .insert(proofProgress)
    .values({ ...NO_PIN, resends: sql`1`, releasedAt: sql`null` })
    .onConflictDoUpdate({
      target: proofProgress.shipmentId,
      set: { resends: sql`${proofProgress.resends} + 1` },
      setWhere: eq(proofProgress.resends, placeholder('resends')),
    }),
  { mustChange: true },
);
/** Counts a message that the merchant asks for, after so many. Refuses the unit if another request was faster. */
export function resendTaken(scope: CompanyScope, shipmentId: Uuid, resends: number) {
  return takeResend({ companyId: scope.companyId, shipmentId, resends });
}
const returnResend = write(
  queries
    .update(proofProgress)
    .set({ resends: sql`${proofProgress.resends} - 1` })
    .where(eq(proofProgress.shipmentId, placeholder('shipmentId'))),
);
/** The message could not be sent. */
export function resendReturned(shipmentId: Uuid) {
  return returnResend({ shipmentId });
}
