import { check, index, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { ROLES } from '../../../src/contract/person-role.ts';
import { instant, isOneOf, oneOf, uuid } from '../../columns.ts';
import { companies } from './companies.ts';

/** People of merchants. Codes go to `email` and `mobile`; `signInIdentifiers` says whom an identifier signs in. */
export const people = sqliteTable('people', {
  id: uuid().primaryKey(),
  fullName: text('full_name').notNull(),
  /** In lower case. */
  email: text().notNull(),
  /** E.164. */
  mobile: text().notNull(),
  createdAt: instant('created_at').notNull(),
});

/** Whom an e-mail address or a mobile signs in. The first to prove one keeps it. */
export const signInIdentifiers = sqliteTable(
  'sign_in_identifiers',
  {
    /** An address in lower case, or E.164. */
    identifier: text().primaryKey(),
    personId: uuid('person_id')
      .notNull()
      .references(() => people.id),
    /** When a code proved that it belongs to the person; null if it was only entered. */
    provedAt: instant('proved_at'),
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
    // A person belongs to one company: a session needs no choice of one.
    uniqueIndex('company_members_person_id').on(table.personId),
  ],
);
