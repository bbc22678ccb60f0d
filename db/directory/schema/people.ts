import { check, index, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { ROLES } from '../../../src/contract/person-role.ts';
import { instant, isOneOf, oneOf, uuid } from '../../columns.ts';
import { companies } from './companies.ts';

/** People of merchants, and operators. Codes are sent to `email` and `mobile`; `signInIdentifiers` maps an identifier to its person. */
export const people = sqliteTable('people', {
  id: uuid().primaryKey(),
  fullName: text('full_name').notNull(),
  /** In lower case. Empty if the person lost it to another person who proved it. */
  email: text().notNull(),
  /** E.164, or empty like `email`. */
  mobile: text().notNull(),
  createdAt: instant('created_at').notNull(),
  /** Until then the person may not change credentials, webhooks and people, because an identifier was changed; null if none was. */
  heldUntil: instant('held_until'),
});

/**
 * The person of each e-mail address or mobile. It signs the person in only if a code has proved it. The first person to
 * prove it keeps it; a person who only entered it loses it.
 */
export const signInIdentifiers = sqliteTable(
  'sign_in_identifiers',
  {
    /** An address in lower case, or E.164. */
    identifier: text().primaryKey(),
    personId: uuid('person_id')
      .notNull()
      .references(() => people.id),
    /** When a code that was sent to it proved that it belongs to the person; null if it was only entered. */
    provedAt: instant('proved_at'),
    /**
     * In a sandbox: when the person answered a code that the response had shown. It signs in, but another person can
     * take it by proving it.
     */
    shownAt: instant('shown_at'),
  },
  (table) => [
    // Removing a person.
    index('sign_in_identifiers_person_id').on(table.personId),
  ],
);

export const companyMembers = sqliteTable(
  'company_members',
  {
    companyId: uuid('company_id')
      .notNull()
      .references(() => companies.id),
    personId: uuid('person_id')
      .notNull()
      .references(() => people.id),
    role: oneOf(ROLES)().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.personId] }),
    check('company_members_role', isOneOf(table.role, ROLES)),
    // A person belongs to one company, so a session does not need to choose one.
    uniqueIndex('company_members_person_id').on(table.personId),
  ],
);

/** People who run the deployment. An operator belongs to no company. */
export const operators = sqliteTable('operators', {
  personId: uuid('person_id')
    .primaryKey()
    .references(() => people.id),
  createdAt: instant('created_at').notNull(),
});

/**
 * Recoveries that operators began for people without either factor, and that nobody has stopped. The sweep carries out a due one
 * and deletes its row.
 */
export const recoveries = sqliteTable(
  'recoveries',
  {
    id: uuid().primaryKey(),
    personId: uuid('person_id')
      .notNull()
      .references(() => people.id),
    /** The identifiers that the person gets. In lower case. */
    email: text().notNull(),
    /** E.164. */
    mobile: text().notNull(),
    /** SHA-256 of the token that stops it, in base64url. */
    stopTokenHash: text('stop_token_hash').notNull(),
    reason: text().notNull(),
    /** The operator, and the request. The audit names both when it is carried out. */
    begunBy: uuid('begun_by').notNull(),
    requestId: uuid('request_id').notNull(),
    dueAt: instant('due_at').notNull(),
  },
  (table) => [
    // One at a time.
    uniqueIndex('recoveries_person_id').on(table.personId),
    // The link in the message.
    uniqueIndex('recoveries_stop_token_hash').on(table.stopTokenHash),
    // Sweep.
    index('recoveries_due_at').on(table.dueAt),
  ],
);
