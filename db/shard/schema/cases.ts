import { type SQL, sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import {
  CASE_AUTHORS,
  CASE_KINDS,
  CASE_OPENERS,
  CASE_OUTCOMES,
  CASE_STATES,
  OWED_STATES,
} from '../../../src/contract/case-state.ts';
import { count, instant, oneOf, uuid } from '../../columns.ts';
import { shipments } from './shipments.ts';

/** Whether an answer is owed. A query that contains this text uses the index of them. */
export const IS_OWED: SQL = sql.raw(`state in (${OWED_STATES.map((state) => `'${state}'`).join(', ')})`);

/** Complaints about shipments. A shipment that nobody complains of has no row. */
export const cases = sqliteTable(
  'cases',
  {
    id: uuid().primaryKey(),
    companyId: uuid('company_id').notNull(),
    shipmentId: uuid('shipment_id')
      .notNull()
      .references(() => shipments.id),
    number: text().notNull(),
    kind: oneOf(CASE_KINDS)().notNull(),
    openedBy: oneOf(CASE_OPENERS)('opened_by').notNull(),
    state: oneOf(CASE_STATES)().notNull(),
    outcome: oneOf(CASE_OUTCOMES)(),
    answerBy: instant('answer_by').notNull(),
    answeredAt: instant('answered_at'),
    /** The operator or the program that answered first. Another one decides a dispute. */
    answeredBy: text('answered_by'),
    /** JSON of CaseEvidence, and its SHA-256, as they were at the first answer. */
    evidence: text(),
    evidenceSha256: text('evidence_sha256'),
    /** Descriptions, messages and answers. */
    messageCount: count('message_count').notNull(),
    createdAt: instant('created_at').notNull(),
    closedAt: instant('closed_at'),
    version: count().notNull(),
  },
  (table) => [
    // One that is not closed for each kind, however many requests come at once.
    uniqueIndex('cases_not_closed').on(table.shipmentId, table.kind).where(sql`${table.state} <> 'CLOSED'`),
    // Those of a shipment.
    index('cases_of_shipment').on(table.shipmentId, table.createdAt),
    // Listing: newest first within a company, also those in one state.
    index('cases_newest').on(table.companyId, table.createdAt, table.id),
    index('cases_in_state').on(table.companyId, table.state, table.createdAt, table.id),
    // The operators' queue: what is owed first.
    index('cases_owed').on(table.answerBy, table.id).where(IS_OWED),
  ],
);

/** What was written in cases. A case that the service opened has none at first. */
export const caseMessages = sqliteTable(
  'case_messages',
  {
    caseId: uuid('case_id').notNull(),
    /** From 1, in order. */
    number: count().notNull(),
    companyId: uuid('company_id').notNull(),
    shipmentId: uuid('shipment_id')
      .notNull()
      .references(() => shipments.id),
    author: oneOf(CASE_AUTHORS)().notNull(),
    /** Null after the recipient has been forgotten. */
    text: text(),
    /** JSON array of ids of the shipment's pictures; null without one. */
    pictures: text(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.caseId, table.number] }),
    // Forgetting a recipient.
    index('case_messages_of_shipment').on(table.shipmentId),
  ],
);
