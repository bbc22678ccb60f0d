import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { REFUSAL_REASONS } from '../../../src/contract/recipient-state.ts';
import { instant, oneOf, uuid } from '../../columns.ts';
import { shipments } from './shipments.ts';

/** What recipients have said about their shipments besides amendments. A shipment whose recipient said nothing has no row. */
export const recipientReplies = sqliteTable('recipient_replies', {
  shipmentId: uuid('shipment_id')
    .primaryKey()
    .references(() => shipments.id),
  companyId: uuid('company_id').notNull(),
  /** When the recipient last confirmed the destination. */
  confirmedAt: instant('confirmed_at'),
  /** When the recipient said that they do not want the shipment. */
  refusedAt: instant('refused_at'),
  refusalReason: oneOf(REFUSAL_REASONS)('refusal_reason'),
  /** In the recipient's own words. Null after the recipient has been forgotten. */
  refusalComment: text('refusal_comment'),
  /** When the recipient last asked to return items. */
  returnAskedAt: instant('return_asked_at'),
  /** Until when the merchant can decide. The end of the wait is derived from it. */
  returnDecideBy: instant('return_decide_by'),
  /** When the merchant did not agree. That it agreed is not stored: it made a return. */
  returnRejectedAt: instant('return_rejected_at'),
  /** JSON of what was asked. Null after the recipient has been forgotten. */
  returnWish: text('return_wish'),
});
