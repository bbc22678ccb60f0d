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
  /** The current key of the HMAC of secrets, and earlier keys. */
  readonly credentialKeys: readonly string[];
}

/** An authenticated client. */
export interface AuthenticatedClient {
  readonly principal: Client;
  /** The last recorded time at which it got a token. */
  readonly lastUsedAt: Instant | null;
  /** Whether its company is suspended. It may then revoke tokens, and gets none. */
  readonly isSuspended: boolean;
}

/**
 * Authenticates a client by id and secret. Returns its granted scopes and an id for the new token. An unknown client, a
 * wrong secret and a deleted credential get the same refusal after the same work.
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
  const isSuspended = row.suspendedSince !== null;
  if (companyId === null) return ok({ principal: { kind: 'operator', ...holder }, lastUsedAt, isSuspended });
  return ok({ principal: { kind: 'company', companyId, shard, ...holder }, lastUsedAt, isSuspended });
}

/** The precision of a credential's last use: recorded at most once a minute, so that most tokens need no write. */
const USE_SECONDS = 60;

/** Records that a client got a token, unless this was recorded within the last minute. A failure is ignored. */
export async function recordClientUse(
  writer: Writer,
  clock: Clock,
  { principal, lastUsedAt }: AuthenticatedClient,
): Promise<void> {
  const now = clock.now();
  const before = addSeconds(now, -USE_SECONDS);
  if (lastUsedAt !== null && lastUsedAt >= before) return;
  await writer.commit({ statements: [credentialTouch(principal.clientId, now, before)] });
}

/**
 * Whether a token is still valid: its secret is valid, its credential still has all its scopes, and the token is not revoked. Its
 * company may be suspended.
 */
export async function tokenStatusOf(directory: Database, clock: Clock, principal: Client): Promise<TokenStatus> {
  const answer = await directory.read(liveSecret(principal.secretId, principal.tokenId, clock.now()));
  if (!answer.ok) return 'unknown';
  const [secret] = answer.rows;
  if (secret === undefined) return 'dead';
  const granted = scopesOf(secret.scopes);
  if (![...principal.scopes].every((scope) => granted.has(scope))) return 'dead';
  return secret.suspendedSince === null ? 'alive' : 'suspended';
}
