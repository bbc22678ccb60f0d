import { toMillis } from '../core/instant.ts';
import { Problem } from '../core/problem.ts';
import { refuse, unavailable } from '../core/result.ts';
import type { Clock } from '../ports/clock.ts';
import type { AccessTokens, VerifiedToken } from './access-token.ts';
import type { Client } from './principal.ts';

/** Whether the secret behind a token is still valid and the token not revoked; `unknown` when nobody could be asked. */
export type TokenStatus = 'alive' | 'dead' | 'unknown';

export interface AuthenticateDependencies {
  readonly tokens: AccessTokens;
  readonly clock: Clock;
  readonly tokenStatus: (principal: Client) => Promise<TokenStatus>;
  readonly cache: TokenCache;
}

/** A token dies within 60 s after its secret; the rest of the minute is for the answer to arrive. */
const CACHE_MS = 50_000;
/** Some 500 bytes each. */
const CACHE_ENTRIES_MAX = 10_000;

/** Verified tokens by their text, for `CACHE_MS`: the signature and the directory are asked once a minute, not each time. */
export class TokenCache {
  readonly #entries = new Map<string, { verified: VerifiedToken; checkedAtMs: number }>();

  get(token: string, nowMs: number): Client | undefined {
    const entry = this.#entries.get(token);
    if (entry === undefined) return undefined;
    if (nowMs - entry.checkedAtMs < CACHE_MS && entry.verified.expiresAt * 1000 > nowMs)
      return entry.verified.principal;
    this.#entries.delete(token);
    return undefined;
  }

  set(token: string, verified: VerifiedToken, nowMs: number): void {
    if (this.#entries.size >= CACHE_ENTRIES_MAX) this.#entries.clear();
    this.#entries.set(token, { verified, checkedAtMs: nowMs });
  }

  delete(token: string): void {
    this.#entries.delete(token);
  }

  /** Forgets all tokens of a client. Those who took in its tokens elsewhere forget them in their own time. */
  deleteOf(clientId: string): void {
    for (const [token, { verified }] of this.#entries) {
      if (verified.principal.clientId === clientId) this.#entries.delete(token);
    }
  }
}

/**
 * The principal of an Authorization header, or the `Problem` of RFC 6750: 401 with a Bearer challenge that is the same
 * for every kind of bad token, 503 when the directory could not be asked.
 */
export async function authenticate(dependencies: AuthenticateDependencies, header: string | null): Promise<Client> {
  const token = bearerOf(header);
  if (token === undefined) throw unauthenticated(header);
  const now = dependencies.clock.now();
  const nowMs = toMillis(now);
  const cached = dependencies.cache.get(token, nowMs);
  if (cached !== undefined) return cached;
  const verified = await dependencies.tokens.verify(token, now);
  if (verified === undefined) throw unauthenticated(header);
  const status = await dependencies.tokenStatus(verified.principal);
  if (status === 'unknown') throw new Problem(unavailable());
  if (status === 'dead') throw unauthenticated(header);
  dependencies.cache.set(token, verified, nowMs);
  return verified.principal;
}

/** The token of `Authorization: Bearer …`, if that is what the header is. */
export function bearerOf(header: string | null): string | undefined {
  return header === null ? undefined : /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(header)?.[1];
}

/** 401. A challenge names an error only to who has shown a token (RFC 6750 section 3.1). */
export function unauthenticated(header: string | null): Problem {
  const error = header !== null && /^bearer\b/i.test(header) ? ', error="invalid_token"' : '';
  return new Problem(refuse('AUTHENTICATION_REQUIRED'), { 'www-authenticate': `Bearer realm="mirsal"${error}` });
}
