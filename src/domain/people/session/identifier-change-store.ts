import { and, eq, gt, ne, type SQL, sql } from 'drizzle-orm';
import { challenges } from '../../../../db/directory/schema/challenges.ts';
import { people, signInIdentifiers } from '../../../../db/directory/schema/people.ts';
import { sessions } from '../../../../db/directory/schema/sessions.ts';
import { placeholder, queries, type WriteStatement, write } from '../../../../db/statement.ts';
import type { MessageChannel } from '../../../contract/message.ts';
import type { Instant } from '../../../core/instant.ts';
import type { Uuid } from '../../../core/uuid.ts';
import { compileLoss } from '../identifier-store.ts';

/* The SQL of people who replace their own e-mail address or mobile, in the directory. */

const isAnswered = sql`exists (select 1 from challenges c
  where c.id = ${placeholder('challengeId')} and c.answer_hash = ${placeholder('tokenHash')})`;
/** The identifier is the person's by this answer. Another person who has proved it keeps it. */
const isClaimed = sql`${isAnswered} and exists (select 1 from sign_in_identifiers i
  where i.identifier = ${placeholder('identifier')} and i.person_id = ${placeholder('personId')} and i.proved_at = ${placeholder('now')})`;
const ofPerson = (column: typeof sessions.personId | typeof signInIdentifiers.personId | typeof challenges.personId) =>
  eq(column, placeholder('personId'));
const replaced = (channel: MessageChannel, column: SQL) =>
  sql`case ${placeholder('channel')} when ${sql.raw(`'${channel}'`)} then ${placeholder('identifier')} else ${column} end`;

const change = [
  ...compileLoss(
    sql`select i.identifier, i.person_id from sign_in_identifiers i where i.identifier = ${placeholder('identifier')}
      and i.person_id <> ${placeholder('personId')} and i.proved_at is null and ${isAnswered}`,
  ),
  write<IdentifierChange>(
    queries
      .insert(signInIdentifiers)
      .select(
        sql`select ${placeholder('identifier')}, ${placeholder('personId')}, ${placeholder('now')}, null where ${isAnswered}`,
      )
      .onConflictDoUpdate({
        target: signInIdentifiers.identifier,
        set: { personId: sql`excluded.person_id`, provedAt: sql`excluded.proved_at`, shownAt: null },
        setWhere: sql`${signInIdentifiers.provedAt} is null or ${signInIdentifiers.personId} = excluded.person_id`,
      }),
  ),
  write<IdentifierChange>(
    queries
      .update(people)
      .set({
        email: replaced('EMAIL', sql`${people.email}`),
        mobile: replaced('SMS', sql`${people.mobile}`),
        heldUntil: sql`${placeholder('heldUntil')}`,
      })
      .where(and(eq(people.id, placeholder('personId')), isClaimed)),
  ),
  write<IdentifierChange>(
    queries.delete(signInIdentifiers).where(
      and(
        ofPerson(signInIdentifiers.personId),
        isClaimed,
        sql`not exists (select 1 from people p where p.id = ${signInIdentifiers.personId}
          and ${signInIdentifiers.identifier} in (p.email, p.mobile))`,
      ),
    ),
  ),
  // Codes for the old identifier would otherwise count for the new one.
  write<IdentifierChange>(
    queries
      .update(challenges)
      .set({ expiresAt: sql`${placeholder('now')}` })
      .where(
        and(
          ofPerson(challenges.personId),
          ne(challenges.id, placeholder('challengeId')),
          gt(challenges.expiresAt, placeholder('now')),
          isClaimed,
        ),
      ),
  ),
  write<IdentifierChange>(
    queries
      .delete(sessions)
      .where(and(ofPerson(sessions.personId), ne(sessions.id, placeholder('sessionId')), isClaimed)),
  ),
  write<IdentifierChange>(
    queries
      .update(sessions)
      .set({ tokenHash: sql`${placeholder('tokenHash')}` })
      .where(and(eq(sessions.id, placeholder('sessionId')), isClaimed)),
  ),
];

export type IdentifierChange = {
  readonly challengeId: Uuid;
  readonly tokenHash: string;
  readonly personId: Uuid;
  readonly sessionId: Uuid;
  readonly channel: MessageChannel;
  readonly identifier: string;
  readonly now: Instant;
  readonly heldUntil: Instant;
};

/**
 * Replaces the person's identifier of a channel, if the challenge was answered with this token and no other person has proved the
 * new one. Only the session itself stays, with the new token, and no earlier code can be answered.
 */
export function identifierChange(order: IdentifierChange): WriteStatement[] {
  return change.map((statement) => statement(order));
}
