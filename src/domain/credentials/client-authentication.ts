import type { Database } from '../../../db/database.ts';
import { scopesOf } from '../../access/access-token.ts';
import type { TokenStatus } from '../../access/authenticate.ts';
import type { Client } from '../../access/principal.ts';
import { ok, type Result, refuse } from '../../core/result.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { Random } from '../../runtime/ports/random.ts';
import { secretHmacOf } from './credential.ts';
import { clientByClientId, liveSecret } from './store.ts';

export interface ClientAuthenticationDependencies {
  readonly directory: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly credentialKey: string;
}

/**
 * The client whose id and secret these are, with all the scopes it was granted and the id of a token to be issued.
 * Unknown client, wrong secret and deleted credential are one refusal, and cost the same work.
 */
export async function authenticateClient(
  { directory, clock, random, credentialKey }: ClientAuthenticationDependencies,
  presented: { clientId: string; clientSecret: string },
): Promise<Result<Client>> {
  const [hmac, answer] = await Promise.all([
    secretHmacOf(credentialKey, presented.clientSecret),
    directory.read(clientByClientId(presented.clientId, clock.now())),
  ]);
  if (!answer.ok) return refuse('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
  const row = answer.rows.find((candidate) => isEqualInConstantTime(candidate.secretHmac, hmac));
  if (row === undefined) return refuse('AUTHENTICATION_REQUIRED');
  const holder = {
    clientId: row.clientId,
    secretId: row.secretId,
    tokenId: random.uuid(),
    scopes: scopesOf(row.scopes),
  };
  if (row.companyId === null) return ok({ kind: 'operator', ...holder });
  return ok({ kind: 'company', companyId: row.companyId, shard: row.shard, ...holder });
}

/** Whether a token may still be used: its secret is valid and it was not revoked. */
export async function tokenStatusOf(directory: Database, clock: Clock, principal: Client): Promise<TokenStatus> {
  const answer = await directory.read(liveSecret(principal.secretId, principal.tokenId, clock.now()));
  if (!answer.ok) return 'unknown';
  return answer.rows.length > 0 ? 'alive' : 'dead';
}

function isEqualInConstantTime(first: string, second: string): boolean {
  let difference = first.length ^ second.length;
  for (let index = 0; index < second.length; index += 1)
    difference |= first.charCodeAt(index) ^ second.charCodeAt(index);
  return difference === 0;
}
