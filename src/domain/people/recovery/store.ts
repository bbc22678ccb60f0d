import { and, asc, eq, gt, lte, or, type SQL, sql } from 'drizzle-orm';
import { challenges } from '../../../../db/directory/schema/challenges.ts';
import { companies } from '../../../../db/directory/schema/companies.ts';
import { companyMembers, people, recoveries, signInIdentifiers } from '../../../../db/directory/schema/people.ts';
import { sessions } from '../../../../db/directory/schema/sessions.ts';
import { check, placeholder, queries, read, type WriteStatement, write } from '../../../../db/statement.ts';
import type { Instant } from '../../../core/instant.ts';
import type { Uuid } from '../../../core/uuid.ts';
import { canSignIn } from '../identifier-store.ts';

/* The SQL of recoveries, in the directory. Operators begin them for people of any company. */

const personColumns = {
  personId: people.id,
  fullName: people.fullName,
  role: companyMembers.role,
  companyId: companies.id,
  shard: companies.shard,
  companyName: companies.name,
  // Only its type: 1 or 0.
  hasAccepted: challenges.attempts,
};
function compilePeople(condition: SQL) {
  return read(personColumns, (columns) =>
    queries
      .select({ ...columns, hasAccepted: canSignIn(sql`${people.id}`).as('has_accepted') })
      .from(people)
      .innerJoin(companyMembers, eq(companyMembers.personId, people.id))
      .innerJoin(companies, eq(companies.id, companyMembers.companyId))
      .where(condition)
      .orderBy(asc(people.id))
      .limit(FOUND_MAX),
  );
}
/** Many companies may have entered one address of a person. */
const FOUND_MAX = 20;
const hasIdentifier = or(
  eq(people.email, placeholder('identifier')),
  eq(people.mobile, placeholder('identifier')),
) as SQL;
const selectByIdentifier = compilePeople(
  sql`${hasIdentifier} and not exists (select 1 from sign_in_identifiers i
    where i.identifier = ${placeholder('identifier')} and i.person_id <> ${people.id} and i.proved_at is not null)`,
);
/** Merchants' people with an identifier that no other person has proved. */
export function peopleByIdentifier(identifier: string) {
  return selectByIdentifier({ identifier });
}
const selectById = compilePeople(eq(people.id, placeholder('personId')));
export function personById(personId: Uuid) {
  return selectById({ personId });
}

const insertRecovery = write(
  queries
    .insert(recoveries)
    .values({
      id: placeholder('id'),
      personId: placeholder('personId'),
      email: placeholder('email'),
      mobile: placeholder('mobile'),
      stopTokenHash: placeholder('stopTokenHash'),
      reason: placeholder('reason'),
      begunBy: placeholder('begunBy'),
      requestId: placeholder('requestId'),
      dueAt: placeholder('dueAt'),
    })
    .onConflictDoNothing(),
  { mustChange: true },
);
const checkFree = check<{ personId: Uuid; email: string; mobile: string }>(
  sql`not exists (select 1 from sign_in_identifiers where identifier in (${placeholder('email')}, ${placeholder('mobile')})
    and person_id <> ${placeholder('personId')} and proved_at is not null)`,
);
/** Refused if the person has a recovery already, or if another person has proved one of the identifiers. */
export function recoveryInsertion(row: typeof recoveries.$inferSelect): WriteStatement[] {
  const { personId, email, mobile } = row;
  return [checkFree({ personId, email, mobile }), insertRecovery({ ...row })];
}

const deleteRecovery = write(queries.delete(recoveries).where(eq(recoveries.id, placeholder('id'))), {
  mustChange: true,
});
/** Refused if the recovery was stopped or carried out already. */
export function recoveryDelete(id: Uuid) {
  return deleteRecovery({ id });
}

const recoveryColumns = {
  id: recoveries.id,
  personId: recoveries.personId,
  email: recoveries.email,
  mobile: recoveries.mobile,
  reason: recoveries.reason,
  begunBy: recoveries.begunBy,
  requestId: recoveries.requestId,
  dueAt: recoveries.dueAt,
  fullName: people.fullName,
  companyId: companies.id,
  shard: companies.shard,
  companyName: companies.name,
};
function compileRecoveries(condition: SQL | undefined) {
  return read(recoveryColumns, (columns) =>
    queries
      .select(columns)
      .from(recoveries)
      .innerJoin(people, eq(people.id, recoveries.personId))
      .innerJoin(companyMembers, eq(companyMembers.personId, people.id))
      .innerJoin(companies, eq(companies.id, companyMembers.companyId))
      .where(condition)
      .orderBy(asc(recoveries.dueAt), asc(recoveries.id))
      .limit(RECOVERIES_MAX),
  );
}
/** A deployment has a few. The sweep takes the rest in the next minute. */
const RECOVERIES_MAX = 100;
const selectAll = compileRecoveries(undefined);
export type RecoveryRow = ReturnType<ReturnType<typeof selectAll>['decode']>;
export function allRecoveries() {
  return selectAll({});
}
const selectDue = compileRecoveries(lte(recoveries.dueAt, placeholder('now')));
export function dueRecoveries(now: Instant) {
  return selectDue({ now });
}
const selectOfPerson = compileRecoveries(eq(recoveries.personId, placeholder('personId')));
export function recoveryOf(personId: Uuid) {
  return selectOfPerson({ personId });
}
const selectRecovery = compileRecoveries(eq(recoveries.id, placeholder('id')));
export function recoveryById(id: Uuid) {
  return selectRecovery({ id });
}
const selectOfToken = compileRecoveries(eq(recoveries.stopTokenHash, placeholder('stopTokenHash')));
export function recoveryOfToken(stopTokenHash: string) {
  return selectOfToken({ stopTokenHash });
}

const ofPerson = (column: typeof sessions.personId | typeof signInIdentifiers.personId | typeof challenges.personId) =>
  eq(column, placeholder('personId'));
const insertIdentifier = write(
  queries
    .insert(signInIdentifiers)
    .values({ identifier: placeholder('identifier'), personId: placeholder('personId'), provedAt: null, shownAt: null })
    .onConflictDoNothing(),
);
const replace = [
  write(
    queries
      .update(people)
      .set({
        email: sql`${placeholder('email')}`,
        mobile: sql`${placeholder('mobile')}`,
        heldUntil: sql`${placeholder('heldUntil')}`,
      })
      .where(eq(people.id, placeholder('personId'))),
    { mustChange: true },
  ),
  write(queries.delete(signInIdentifiers).where(ofPerson(signInIdentifiers.personId))),
  write(queries.delete(sessions).where(ofPerson(sessions.personId))),
  write(
    queries
      .update(challenges)
      .set({ expiresAt: sql`${placeholder('now')}` })
      .where(and(ofPerson(challenges.personId), gt(challenges.expiresAt, placeholder('now')))),
  ),
];
export interface Replacement {
  readonly id: Uuid;
  readonly personId: Uuid;
  readonly email: string;
  readonly mobile: string;
  readonly now: Instant;
  readonly heldUntil: Instant;
}
/** Replaces both identifiers. They sign nobody in until a code proves them. Refused if the recovery was stopped. */
export function recoveryCompletion({ id, ...order }: Replacement): WriteStatement[] {
  const { personId, email, mobile } = order;
  return [
    deleteRecovery({ id }),
    ...replace.map((statement) => statement(order)),
    insertIdentifier({ identifier: email, personId }),
    insertIdentifier({ identifier: mobile, personId }),
  ];
}
