import type { Database } from '../../../db/database.ts';
import type { Writer } from '../../../db/writer.ts';
import { scopesOf } from '../../access/access-token.ts';
import type { TokenStatus } from '../../access/authenticate.ts';
import type { Client } from '../../access/principal.ts';
import { hmacOf, isEqualInConstantTime } from '../../core/crypto.ts';
import { addSeconds, type Instant } from '../../core/instant.ts';
import { ok, type Result, refuse, unavailable } from '../../core/result.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { clientByClientId, credentialTouch, liveSecret } from './store.ts';

export interface ClientAuthenticationDependencies {
  readonly directory: Database;
  readonly clock: Clock;
  readonly random: Random;
  /** The one that secrets are kept under now, and those of before. */
  readonly credentialKeys: readonly string[];
}

/** A client that has proved who it is. */
export interface AuthenticatedClient {
  readonly principal: Client;
  /** When it last obtained a token, as far as that was noted. */
  readonly lastUsedAt: Instant | null;
}

/**
 * The client whose id and secret these are, with all the scopes it was granted and the id of a token to be issued.
 * Unknown client, wrong secret and deleted credential are one refusal, and cost the same work.
 */
export async function authenticateClient(
  { directory, clock, random, credentialKeys }: ClientAuthenticationDependencies,
  presented: { clientId: string; clientSecret: string },
): Promise<Result<AuthenticatedClient>> {
  const [hmacs, answer] = await Promise.all([
    Promise.all(credentialKeys.map((key) => hmacOf(key, presented.clientSecret))),
    directory.read(clientByClientId(presented.clientId, clock.now())),
  ]);
  if (!answer.ok) return unavailable();
  const row = answer.rows.find(({ secretHmac }) => hmacs.some((hmac) => isEqualInConstantTime(hmac, secretHmac)));
  if (row === undefined) return refuse('AUTHENTICATION_REQUIRED');
  const holder = {
    clientId: row.clientId,
    secretId: row.secretId,
    tokenId: random.uuid(),
    scopes: scopesOf(row.scopes),
  };
  const { companyId, shard, lastUsedAt } = row;
  if (companyId === null) return ok({ principal: { kind: 'operator', ...holder }, lastUsedAt });
  return ok({ principal: { kind: 'company', companyId, shard, ...holder }, lastUsedAt });
}

/** How exactly the last use of a credential is known: a token costs no write but once a minute. */
const USE_SECONDS = 60;

/** Notes that a client obtained a token, unless that was noted a moment ago. Whether it could be makes no difference. */
export async function noteUse(
  writer: Writer,
  clock: Clock,
  { principal, lastUsedAt }: AuthenticatedClient,
): Promise<void> {
  const now = clock.now();
  const before = addSeconds(now, -USE_SECONDS);
  if (lastUsedAt !== null && lastUsedAt >= before) return;
  await writer.commit({ statements: [credentialTouch(principal.clientId, now, before)] });
}

/** Whether a token may still be used: its secret is valid and it was not revoked. */
export async function tokenStatusOf(directory: Database, clock: Clock, principal: Client): Promise<TokenStatus> {
  const answer = await directory.read(liveSecret(principal.secretId, principal.tokenId, clock.now()));
  if (!answer.ok) return 'unknown';
  return answer.rows.length > 0 ? 'alive' : 'dead';
}
