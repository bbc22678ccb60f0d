import { and, eq, isNotNull, isNull, not, or, type SQL, sql } from 'drizzle-orm';
import { companies } from '../../../db/directory/schema/companies.ts';
import { companyMembers, operators, people, signInIdentifiers } from '../../../db/directory/schema/people.ts';
import { sessions } from '../../../db/directory/schema/sessions.ts';
import { placeholder, queries, read, type WriteStatement, write } from '../../../db/statement.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';

/*
 * The SQL of e-mail addresses and mobiles that sign people in. It serves people of all companies and runs before
 * authentication.
 */

/** The identifier that the code of challenge `c` was sent to, for person `p`. */
export const contactOfChallenge = sql.raw(`case c.channel when 'SMS' then p.mobile else p.email end`);

/** Whether a code, sent or shown, has proved an identifier of the person: without one nobody signs in as this person. */
export function canSignIn(personId: SQL): SQL {
  return sql`exists (select 1 from sign_in_identifiers own
    where own.person_id = ${personId} and (own.proved_at is not null or own.shown_at is not null))`;
}

const proveIdentifier = write(
  queries
    .insert(signInIdentifiers)
    .select(
      sql`select ${contactOfChallenge}, p.id, ${placeholder('now')}, null from challenges c join people p on p.id = c.person_id
        where c.id = ${placeholder('challengeId')} and c.answer_hash = ${placeholder('tokenHash')}`,
    )
    .onConflictDoUpdate({
      target: signInIdentifiers.identifier,
      set: { personId: sql`excluded.person_id`, provedAt: sql`excluded.proved_at`, shownAt: null },
      setWhere: isNull(signInIdentifiers.provedAt),
    }),
);
/**
 * Records that a code proved its identifier for its person. A person who only entered it, or was shown the code, loses
 * it.
 */
export function identifierProof(proof: { challengeId: Uuid; tokenHash: string; now: Instant }) {
  return proveIdentifier({ ...proof });
}

const selectHeld = read({ identifier: signInIdentifiers.identifier }, (columns) =>
  queries
    .select(columns)
    .from(signInIdentifiers)
    .where(eq(signInIdentifiers.personId, placeholder('personId'))),
);
/** The identifiers that a person holds, proved or not. */
export function identifiersOf(personId: Uuid) {
  return selectHeld({ personId });
}

/** The person who holds an identifier that no code has proved. */
const holderColumns = { personId: people.id, email: people.email, mobile: people.mobile };
function compileHolder(identifier: SQL) {
  return read(holderColumns, (columns) =>
    queries
      .select(columns)
      .from(signInIdentifiers)
      .innerJoin(people, eq(people.id, signInIdentifiers.personId))
      .where(
        and(
          sql`${signInIdentifiers.identifier} = (${identifier})`,
          isNull(signInIdentifiers.provedAt),
          sql`${signInIdentifiers.personId} is not (select c.person_id from challenges c where c.id = ${placeholder('id')})`,
        ),
      ),
  );
}
const selectHolderOfChallenge = compileHolder(
  sql`select ${contactOfChallenge} from challenges c join people p on p.id = c.person_id where c.id = ${placeholder('id')}`,
);
const selectHolderOfMobile = compileHolder(sql`select r.mobile from registrations r where r.id = ${placeholder('id')}`);
const selectHolderOfIdentifier = compileHolder(sql`${placeholder('identifier')}`);
export type Holder = ReturnType<ReturnType<typeof selectHolderOfMobile>['decode']>;
/** Another person who holds, without proof, the identifier that the challenge's code was sent to. */
export function holderOfChallenge(id: Uuid) {
  return selectHolderOfChallenge({ id });
}
/** Another person than that of the challenge who holds an identifier without proof. */
export function holderOfIdentifier(identifier: string, id: Uuid) {
  return selectHolderOfIdentifier({ identifier, id });
}
/** The person who holds, without proof, the mobile of a registration. */
export function holderOfRegistration(id: Uuid) {
  return selectHolderOfMobile({ id });
}

const inviteeColumns = { email: people.email, companyName: companies.name };
const selectInvitee = read(inviteeColumns, (columns) =>
  queries
    .select(columns)
    .from(people)
    .leftJoin(companyMembers, eq(companyMembers.personId, people.id))
    .leftJoin(companies, eq(companies.id, companyMembers.companyId))
    .leftJoin(operators, eq(operators.personId, people.id))
    .where(
      and(
        eq(people.id, placeholder('id')),
        or(isNotNull(companies.id), isNotNull(operators.personId)),
        sql`not exists (select 1 from sign_in_identifiers i
          where i.identifier = ${people.email} and i.proved_at is not null)`,
        not(canSignIn(sql`${people.id}`)),
      ),
    ),
);
/** A person or an operator without an identifier that signs in yet, unless another person has proved the e-mail address. */
export function inviteeOf(id: Uuid) {
  return selectInvitee({ id });
}

const selectHolding = read({ personId: companyMembers.personId, id: companies.id, shard: companies.shard }, (columns) =>
  queries
    .select(columns)
    .from(signInIdentifiers)
    .innerJoin(companyMembers, eq(companyMembers.personId, signInIdentifiers.personId))
    .innerJoin(companies, eq(companies.id, companyMembers.companyId))
    .where(eq(signInIdentifiers.identifier, placeholder('identifier'))),
);
/** The person who holds an identifier, proved or not, and the company of this person. */
export function holdingOf(identifier: string) {
  return selectHolding({ identifier });
}

const deleteIdentifier = write(
  queries
    .delete(signInIdentifiers)
    .where(
      and(
        eq(signInIdentifiers.identifier, placeholder('identifier')),
        eq(signInIdentifiers.personId, placeholder('personId')),
      ),
    ),
  { mustChange: true },
);
const endSessions = write(queries.delete(sessions).where(eq(sessions.personId, placeholder('personId'))));
/** Takes an identifier from its holder and ends the holder's sessions. The unit is refused if another person holds it now. */
export function identifierFreeing(identifier: string, personId: Uuid): WriteStatement[] {
  return [deleteIdentifier({ identifier, personId }), endSessions({ personId })];
}
