import { and, eq, gt, isNotNull, isNull, ne, not, or, type SQL, sql } from 'drizzle-orm';
import { challenges } from '../../../db/directory/schema/challenges.ts';
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

/**
 * Statements that make a person forget an identifier that now is another's, before the statement that gives it away: no page shows it and
 * no code is sent to it any more. `loss` selects identifier and person_id of the person who loses it, if anybody does.
 */
export function compileLoss(loss: SQL) {
  const [identifier, loser] = [sql`(select identifier from (${loss}))`, sql`(select person_id from (${loss}))`];
  const without = (column: SQL) => sql`case when ${column} = ${identifier} then '' else ${column} end`;
  return [
    write(
      queries
        .update(challenges)
        .set({ expiresAt: sql`${placeholder('now')}` })
        .where(and(eq(challenges.personId, loser), gt(challenges.expiresAt, placeholder('now')))),
    ),
    write(
      queries
        .update(people)
        .set({ email: without(sql`${people.email}`), mobile: without(sql`${people.mobile}`) })
        .where(eq(people.id, loser)),
    ),
  ] as const;
}

const loseToProof = compileLoss(
  sql`select i.identifier, i.person_id from challenges c join people p on p.id = c.person_id
    join sign_in_identifiers i on i.identifier = ${contactOfChallenge} and i.person_id <> p.id and i.proved_at is null
    where c.id = ${placeholder('challengeId')} and c.answer_hash = ${placeholder('tokenHash')}`,
);
const proveIdentifier = write(
  queries
    .insert(signInIdentifiers)
    .select(
      sql`select ${contactOfChallenge}, p.id, ${placeholder('now')}, null from challenges c join people p on p.id = c.person_id
        where c.id = ${placeholder('challengeId')} and c.answer_hash = ${placeholder('tokenHash')}
          and ${contactOfChallenge} <> ''`,
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
export function identifierProof(proof: { challengeId: Uuid; tokenHash: string; now: Instant }): WriteStatement[] {
  return [...loseToProof, proveIdentifier].map((statement) => statement({ ...proof }));
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
        ne(people.email, ''),
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
const loseToNobody = compileLoss(
  sql`select ${placeholder('identifier')} as identifier, ${placeholder('personId')} as person_id`,
);
/** Takes an identifier from its holder and ends the holder's sessions. The unit is refused if another person holds it now. */
export function identifierFreeing(identifier: string, personId: Uuid, now: Instant): WriteStatement[] {
  const freed = { identifier, personId, now };
  return [...loseToNobody.map((statement) => statement(freed)), deleteIdentifier(freed), endSessions(freed)];
}
