import { and, eq, sql } from 'drizzle-orm';
import { recipientReplies } from '../../../db/shard/schema/recipient-replies.ts';
import { columnsOf, placeholder, queries, read, write } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';

/* The SQL of what a recipient has said, as far as it depends on the address. */

interface Replied {
  readonly id: Uuid;
  readonly companyId: Uuid;
}
const ofShipment = and(
  eq(recipientReplies.shipmentId, placeholder('id')),
  eq(recipientReplies.companyId, placeholder('companyId')),
);

export type ReplyRow = typeof recipientReplies.$inferSelect;

const selectReply = read(columnsOf(recipientReplies), (columns) =>
  queries.select(columns).from(recipientReplies).where(ofShipment),
);
/** What the recipient of a shipment has said; no row as long as that is nothing. */
export function replyOf(scope: CompanyScope, shipmentId: Uuid) {
  return selectReply({ companyId: scope.companyId, id: shipmentId });
}

const insertConfirmation = write(
  queries
    .insert(recipientReplies)
    .values({
      shipmentId: placeholder('id'),
      companyId: placeholder('companyId'),
      confirmedAt: placeholder('now'),
      refusedAt: null,
      refusalReason: null,
      refusalComment: null,
    })
    .onConflictDoUpdate({ target: recipientReplies.shipmentId, set: { confirmedAt: sql`excluded.confirmed_at` } }),
);
/** The recipient has confirmed the address that the unit makes. */
export function confirmationInsert({ id, companyId, now }: Replied & { readonly now: Instant }) {
  return insertConfirmation({ id, companyId, now });
}

const clearConfirmation = write(queries.update(recipientReplies).set({ confirmedAt: null }).where(ofShipment));
/** Somebody else has changed the address: the recipient is asked again. */
export function confirmationCleared({ id, companyId }: Replied) {
  return clearConfirmation({ id, companyId });
}

const deleteReply = write(queries.delete(recipientReplies).where(ofShipment));
/** The shipment has another recipient, who has said nothing yet. */
export function replyDelete({ id, companyId }: Replied) {
  return deleteReply({ id, companyId });
}
