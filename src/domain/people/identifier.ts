import type { Writer } from '../../../db/writer.ts';
import type { Actor } from '../../access/principal.ts';
import type { MessageChannel } from '../../contract/message.ts';
import { toE164 } from '../../core/phone.ts';
import { ok, type Result, refuse } from '../../core/result.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { type ChallengeDependencies, quietly, sendNotice } from '../challenges/challenge.ts';
import { settle } from '../settle.ts';
import { type Holder, identifierFreeing } from './identifier-store.ts';

/** An identifier in its stored form, and its channel. */
export function identifierOf(spelling: string): { readonly identifier: string; readonly channel: MessageChannel } {
  return spelling.includes('@')
    ? { identifier: spelling.toLowerCase(), channel: 'EMAIL' }
    : { identifier: toE164(spelling), channel: 'SMS' };
}

/**
 * Tells a person that another person has proved an identifier that this person held without proof. It uses this
 * person's other channel.
 */
export async function tellDisplaced(
  dependencies: ChallengeDependencies,
  holder: Holder | undefined,
  taken: MessageChannel,
): Promise<void> {
  if (holder === undefined) return;
  const channel = taken === 'SMS' ? 'EMAIL' : 'SMS';
  const recipient = channel === 'SMS' ? holder.mobile : holder.email;
  await quietly(dependencies, sendNotice(dependencies, { channel, recipient, purpose: 'IDENTIFIER_TAKEN' }));
}

interface FreeingDependencies {
  readonly directory: { readonly writer: Writer };
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Takes an e-mail address or a mobile from the person who holds it, proved or not. The next person to prove it gets it.
 */
export async function freeIdentifier(
  { directory, clock, random }: FreeingDependencies,
  spelling: string,
  actor: Pick<Actor, 'clientId' | 'address' | 'requestId'>,
): Promise<Result<true>> {
  const { identifier } = identifierOf(spelling);
  const statements = identifierFreeing({ identifier, ...actor, auditId: random.uuid(), at: clock.now() });
  const freed = settle(await directory.writer.commit({ statements }));
  if (!freed.ok) return freed;
  return freed.value ? ok(true) : refuse('RESOURCE_NOT_FOUND');
}
