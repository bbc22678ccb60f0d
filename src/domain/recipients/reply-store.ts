import { and, eq, sql } from 'drizzle-orm';
import { companySettings } from '../../../db/shard/schema/companies.ts';
import { recipientReplies } from '../../../db/shard/schema/recipient-replies.ts';
import { shipments } from '../../../db/shard/schema/shipments.ts';
import { placeholder, queries, read, write } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Decimal } from '../../core/decimal.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { ReplyRow } from '../addresses/confirmation-store.ts';
import type { ShipmentRow } from '../shipments/store.ts';

/* The SQL of what recipients say, and of what their changes may cost. */

const upsertConfirmation = write(
  queries
    .insert(recipientReplies)
    .select(
      sql`select ${shipments.id}, ${shipments.companyId}, ${placeholder('now')}, null, null, null, null, null, null, null from ${shipments}
        where ${shipments.id} = ${placeholder('shipmentId')} and ${shipments.companyId} = ${placeholder('companyId')} and ${shipments.version} = ${placeholder('version')}`,
    )
    .onConflictDoUpdate({ target: recipientReplies.shipmentId, set: { confirmedAt: sql`excluded.confirmed_at` } }),
  { mustChange: true },
);
/** The recipient has confirmed the destination of this version of the shipment. Refuses the unit if it has another one. */
export function confirmationUpsert(
  scope: CompanyScope,
  { shipmentId, version, now }: { readonly shipmentId: Uuid; readonly version: number; readonly now: Instant },
) {
  return upsertConfirmation({ companyId: scope.companyId, shipmentId, version, now });
}

const upsertRefusal = write(
  queries
    .insert(recipientReplies)
    .select(
      sql`select ${shipments.id}, ${shipments.companyId}, null, ${placeholder('now')}, ${placeholder('reasonCode')}, ${placeholder('comment')}, null, null, null, null from ${shipments}
        where ${shipments.id} = ${placeholder('shipmentId')} and ${shipments.companyId} = ${placeholder('companyId')} and ${shipments.version} = ${placeholder('version')}`,
    )
    .onConflictDoUpdate({
      target: recipientReplies.shipmentId,
      set: {
        refusedAt: sql`excluded.refused_at`,
        refusalReason: sql`excluded.refusal_reason`,
        refusalComment: sql`excluded.refusal_comment`,
      },
      setWhere: sql`${recipientReplies.refusedAt} is null`,
    }),
  { mustChange: true },
);
/** The recipient does not want this version of the shipment. Refuses the unit if it has another one, or if they have said so before. */
export function refusalUpsert(
  scope: CompanyScope,
  { id: shipmentId, version }: Pick<ShipmentRow, 'id' | 'version'>,
  refusal: {
    readonly now: Instant;
    readonly reasonCode: NonNullable<ReplyRow['refusalReason']>;
    readonly comment: string | null;
  },
) {
  return upsertRefusal({ companyId: scope.companyId, shipmentId, version, ...refusal });
}

const upsertReturn = write(
  queries
    .insert(recipientReplies)
    .select(
      sql`select ${shipments.id}, ${shipments.companyId}, null, null, null, null, ${placeholder('now')}, ${placeholder('decideBy')}, null, ${placeholder('wish')} from ${shipments}
        where ${shipments.id} = ${placeholder('shipmentId')} and ${shipments.companyId} = ${placeholder('companyId')} and ${shipments.forgottenAt} is null`,
    )
    .onConflictDoUpdate({
      target: recipientReplies.shipmentId,
      set: {
        returnAskedAt: sql`excluded.return_asked_at`,
        returnDecideBy: sql`excluded.return_decide_by`,
        returnRejectedAt: null,
        returnWish: sql`excluded.return_wish`,
      },
      setWhere: sql`${recipientReplies.returnAskedAt} is ${placeholder('earlierAt')}`,
    }),
  { mustChange: true },
);
/** The recipient asks for a return. Refuses the unit if they have asked since `earlierAt`, or if they were forgotten. */
export function returnRequestUpsert(
  scope: CompanyScope,
  shipmentId: Uuid,
  request: {
    readonly now: Instant;
    readonly decideBy: Instant;
    readonly earlierAt: Instant | null;
    /** JSON. */
    readonly wish: string;
  },
) {
  return upsertReturn({ companyId: scope.companyId, shipmentId, ...request });
}

const selectAsked = read({ askedAt: recipientReplies.returnAskedAt }, (columns) =>
  queries
    .select(columns)
    .from(recipientReplies)
    .where(
      and(
        eq(recipientReplies.shipmentId, placeholder('shipmentId')),
        eq(recipientReplies.companyId, placeholder('companyId')),
        eq(recipientReplies.returnAskedAt, placeholder('now')),
        eq(recipientReplies.returnWish, placeholder('wish')),
      ),
    ),
);
/** A row if this is the request that was kept, for a unit whose outcome is unknown. */
export function returnAsked(
  scope: CompanyScope,
  shipmentId: Uuid,
  request: { readonly now: Instant; readonly wish: string },
) {
  return selectAsked({ companyId: scope.companyId, shipmentId, ...request });
}

const rejectReturn = write(
  queries
    .update(recipientReplies)
    .set({ returnRejectedAt: sql`${placeholder('now')}` })
    .where(
      sql`${recipientReplies.shipmentId} = ${placeholder('shipmentId')} and ${recipientReplies.companyId} = ${placeholder('companyId')}
        and ${recipientReplies.returnAskedAt} = ${placeholder('askedAt')} and ${recipientReplies.returnRejectedAt} is null`,
    ),
  { mustChange: true },
);
/** Refuses the unit if that request was rejected before, or if another one was made. */
export function returnRejection(
  scope: CompanyScope,
  shipmentId: Uuid,
  rejection: { readonly now: Instant; readonly askedAt: Instant },
) {
  return rejectReturn({ companyId: scope.companyId, shipmentId, ...rejection });
}

const selectLimit = read({ limit: companySettings.recipientAmendmentLimit }, (columns) =>
  queries
    .select(columns)
    .from(companySettings)
    .where(eq(companySettings.companyId, placeholder('companyId'))),
);
/** The most that a recipient's change may cost the company without its decision. No row, or null: nothing. */
export function recipientLimitOf(scope: CompanyScope) {
  return selectLimit({ companyId: scope.companyId });
}

const upsertLimit = write(
  queries
    .insert(companySettings)
    .values({
      companyId: placeholder('companyId'),
      approvalPolicy: sql`'AUTOMATIC'`,
      recipientAmendmentLimit: placeholder('limit'),
    })
    .onConflictDoUpdate({
      target: companySettings.companyId,
      set: { recipientAmendmentLimit: sql`excluded.recipient_amendment_limit` },
    }),
);
export function recipientLimitUpsert(scope: CompanyScope, limit: Decimal) {
  return upsertLimit({ companyId: scope.companyId, limit });
}
