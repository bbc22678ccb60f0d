import { and, asc, eq, ne, or, sql } from 'drizzle-orm';
import { challenges } from '../../../db/directory/schema/challenges.ts';
import { companyMembers, people, recoveries, signInIdentifiers } from '../../../db/directory/schema/people.ts';
import { registrations } from '../../../db/directory/schema/registrations.ts';
import { sessions } from '../../../db/directory/schema/sessions.ts';
import { placeholder, queries, read, type WriteStatement, write } from '../../../db/statement.ts';
import type { CompanyScope } from '../../access/require.ts';
import type { Role } from '../../contract/person-role.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import { canSignIn } from './identifier-store.ts';

/* The SQL of a company's people, in the directory. */

/** A company has a few people; this many fit into one response of the server. */
const PEOPLE_MAX = 500;

const memberColumns = {
  personId: people.id,
  fullName: people.fullName,
  email: people.email,
  mobile: people.mobile,
  role: companyMembers.role,
  createdAt: companyMembers.createdAt,
  // Only its type: 1 or 0.
  hasAccepted: challenges.attempts,
};
const selectMembers = read(memberColumns, (columns) =>
  queries
    .select({ ...columns, hasAccepted: canSignIn(sql`${people.id}`).as('has_accepted') })
    .from(companyMembers)
    .innerJoin(people, eq(people.id, companyMembers.personId))
    .where(eq(companyMembers.companyId, placeholder('companyId')))
    .orderBy(asc(companyMembers.createdAt), asc(people.id))
    .limit(PEOPLE_MAX),
);
export type MemberRow = ReturnType<ReturnType<typeof selectMembers>['decode']>;
/** The people of the company, oldest first. */
export function membersOf(scope: CompanyScope) {
  return selectMembers({ companyId: scope.companyId });
}

const insertMember = write(
  queries.insert(companyMembers).select(
    sql`select ${placeholder('companyId')}, ${placeholder('personId')}, ${placeholder('role')}, ${placeholder('createdAt')}
      where (select count(*) from company_members where company_id = ${placeholder('companyId')}) < ${placeholder('max')}`,
  ),
  { mustChange: true },
);
const insertPerson = write(
  queries.insert(people).values({
    id: placeholder('personId'),
    fullName: placeholder('fullName'),
    email: placeholder('email'),
    mobile: placeholder('mobile'),
    createdAt: placeholder('createdAt'),
  }),
);
const insertIdentifier = write(
  queries
    .insert(signInIdentifiers)
    .values({ identifier: placeholder('identifier'), personId: placeholder('personId'), provedAt: null, shownAt: null })
    .onConflictDoNothing(),
);
export interface NewMember {
  readonly personId: Uuid;
  readonly fullName: string;
  readonly email: string;
  readonly mobile: string;
  readonly role: Role;
  readonly createdAt: Instant;
}
/**
 * A new person of the company. Their identifiers do not sign anyone in yet; one that another person holds stays with
 * that person.
 */
export function memberInsertion(scope: CompanyScope, member: NewMember): WriteStatement[] {
  const { companyId } = scope;
  const { personId, fullName, email, mobile, role, createdAt } = member;
  return [
    insertPerson({ personId, fullName, email, mobile, createdAt }),
    insertMember({ companyId, personId, role, createdAt, max: PEOPLE_MAX }),
    insertIdentifier({ identifier: email, personId }),
    insertIdentifier({ identifier: mobile, personId }),
  ];
}

const ofMember = and(
  eq(companyMembers.companyId, placeholder('companyId')),
  eq(companyMembers.personId, placeholder('personId')),
);
/** An owner can be removed or demoted only if another owner can sign in. One who has not accepted the invitation does not count. */
const isNotLastOwner = or(
  ne(companyMembers.role, 'OWNER'),
  sql`exists (select 1 from company_members o where o.company_id = ${placeholder('companyId')} and o.role = 'OWNER'
    and o.person_id <> ${placeholder('personId')} and ${canSignIn(sql`o.person_id`)})`,
);

const updateRole = write(
  queries
    .update(companyMembers)
    .set({ role: sql`${placeholder('role')}` })
    .where(and(ofMember, or(isNotLastOwner, sql`${placeholder('role')} = 'OWNER'`))),
  { mustChange: true },
);
/** Changes a person's role. Refuses the unit for the last owner and for a person who is not in the company. */
export function roleUpdate(scope: CompanyScope, personId: Uuid, role: Role) {
  return updateRole({ companyId: scope.companyId, personId, role });
}

const deleteMember = write(queries.delete(companyMembers).where(and(ofMember, isNotLastOwner)), { mustChange: true });
const forgetPerson = [
  write(queries.delete(recoveries).where(eq(recoveries.personId, placeholder('personId')))),
  write(queries.delete(sessions).where(eq(sessions.personId, placeholder('personId')))),
  write(queries.delete(challenges).where(eq(challenges.personId, placeholder('personId')))),
  write(queries.delete(signInIdentifiers).where(eq(signInIdentifiers.personId, placeholder('personId')))),
  // The company's registration stays, without the person's data.
  write(
    queries
      .update(registrations)
      .set({ email: '', mobile: '', fullName: '' })
      .where(and(eq(registrations.ownerId, placeholder('personId')), eq(registrations.state, 'COMPLETED'))),
  ),
  write(queries.delete(people).where(eq(people.id, placeholder('personId')))),
];
/** Removes a person from the company, with all data. Refuses the unit for the last owner and for an unknown person. */
export function memberRemoval(scope: CompanyScope, personId: Uuid): WriteStatement[] {
  return [
    deleteMember({ companyId: scope.companyId, personId }),
    ...forgetPerson.map((statement) => statement({ personId })),
  ];
}

const selectRole = read({ role: companyMembers.role }, (columns) =>
  queries.select(columns).from(companyMembers).where(ofMember),
);
/** The role of a person in the company; no row for anyone else. */
export function roleOf(scope: CompanyScope, personId: Uuid) {
  return selectRole({ companyId: scope.companyId, personId });
}
