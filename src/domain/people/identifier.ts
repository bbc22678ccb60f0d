import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import type { AuditActor, Operator } from '../../access/principal.ts';
import { scopeForOperator, scopeWithActor } from '../../access/require.ts';
import type { MessageChannel } from '../../contract/message.ts';
import { emailOf } from '../../core/email.ts';
import { toE164 } from '../../core/phone.ts';
import { ok, type Result } from '../../core/result.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { auditOf, changeVersioned } from '../audit/change.ts';
import { type ChallengeDependencies, quietly, sendNotice } from '../challenges/challenge.ts';
import { readRow } from '../rows.ts';
import { type Holder, holdingOf, identifierFreeing, inviteeOf } from './identifier-store.ts';

/** An identifier in its stored form, and its channel. */
export function identifierOf(spelling: string): { readonly identifier: string; readonly channel: MessageChannel } {
  return spelling.includes('@')
    ? { identifier: emailOf(spelling), channel: 'EMAIL' }
    : { identifier: toE164(spelling), channel: 'SMS' };
}

/**
 * Tells a person that another person has proved an identifier that this person held without proof. It uses this
 * person's other channel.
 */
export async function notifyDisplaced(
  dependencies: ChallengeDependencies,
  holder: Holder | undefined,
  taken: MessageChannel,
): Promise<void> {
  if (holder === undefined) return;
  const channel = taken === 'SMS' ? 'EMAIL' : 'SMS';
  const recipient = channel === 'SMS' ? holder.mobile : holder.email;
  if (recipient === '') return;
  await quietly(dependencies, sendNotice(dependencies, { channel, recipient, purpose: 'IDENTIFIER_TAKEN' }));
}

export interface InvitingDependencies extends ChallengeDependencies {
  readonly config: ChallengeDependencies['config'] & { readonly baseUrl: string };
}

/**
 * Invites a person by e-mail, in the name of the company. Sends nothing to a person who can sign in, and nothing to an
 * address that is another person's already.
 */
export async function invite(dependencies: Omit<InvitingDependencies, 'later'>, personId: Uuid): Promise<void> {
  const found = await dependencies.directory.database.read(inviteeOf(personId));
  const [invitee] = found.ok ? found.rows : [];
  if (invitee === undefined) return;
  const { email: recipient, companyName } = invitee;
  const url = `${dependencies.config.baseUrl}/console/accept/${personId}`;
  await sendNotice(dependencies, { channel: 'EMAIL', recipient, purpose: 'INVITATION', companyName, url });
}

export interface IdentifierDependencies {
  readonly directory: { readonly database: Database; readonly writer: Writer };
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Takes an e-mail address or a mobile from the person who holds it, proved or not. The next person to prove it gets it.
 */
export function freeIdentifier(
  dependencies: IdentifierDependencies,
  spelling: string,
  by: { readonly operator: Operator; readonly actor: AuditActor },
): Promise<Result<true>> {
  const { directory, clock } = dependencies;
  const { identifier } = identifierOf(spelling);
  return changeVersioned(directory, {
    read: () => readRow(directory.database, holdingOf(identifier), 'RESOURCE_NOT_FOUND'),
    decide: ({ personId, ...company }) => {
      const scope = scopeWithActor(scopeForOperator(by.operator, company), by.actor);
      const entry = { action: 'identifier.freed', subject: personId, at: clock.now(), detail: {} };
      const unit = { statements: identifierFreeing(identifier, personId, clock.now()) };
      return ok({ kind: 'change', value: true, unit, audit: auditOf(dependencies, scope, entry) });
    },
  });
}
