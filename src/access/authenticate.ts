import { toBase64Url } from '../core/base64url.ts';
import { sha256 } from '../core/crypto.ts';
import { toMillis } from '../core/instant.ts';
import { Kept } from '../core/kept.ts';
import { Problem } from '../core/problem.ts';
import { refuse, unavailable } from '../core/result.ts';
import type { Clock } from '../ports/clock.ts';
import type { AccessTokens, VerifiedToken } from './access-token.ts';
import type { Client } from './principal.ts';

/** Whether a token's secret is still valid and the token not revoked; `unknown` if the directory did not answer. */
export type TokenStatus = 'alive' | 'dead' | 'unknown';

export interface AuthenticateDependencies {
  readonly tokens: AccessTokens;
  readonly clock: Clock;
  readonly tokenStatus: (principal: Client) => Promise<TokenStatus>;
  readonly cache: TokenCache;
}

/** A token must stop working within 60 s after its secret. The other 10 s are for reads in progress. */
const CACHE_MS = 50_000;
/** About 500 bytes each. */
const CACHE_ENTRIES_MAX = 10_000;

/**
 * Caches verified tokens by their text. A token's signature and its secret are checked once per `CACHE_MS`, not at each
 * request.
 */
export class TokenCache {
  readonly #clock: Clock;
  readonly #verified: Kept<string, VerifiedToken>;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#verified = new Kept({ keptMs: CACHE_MS, entriesMax: CACHE_ENTRIES_MAX, nowMs: () => this.#nowMs() });
  }

  get(token: string): Client | undefined {
    const verified = this.#verified.get(token);
    if (verified === undefined) return undefined;
    if (verified.expiresAt * 1000 > this.#nowMs()) return verified.principal;
    this.#verified.forget(token);
    return undefined;
  }

  set(token: string, verified: VerifiedToken): void {
    this.#verified.set(token, verified);
  }

  delete(token: string): void {
    this.#verified.forget(token);
  }

  /** Deletes all tokens of a client. Other processes keep them for up to `CACHE_MS`. */
  deleteOf(clientId: string): void {
    this.#verified.forgetWhere(({ principal }) => principal.clientId === clientId);
  }

  #nowMs(): number {
    return toMillis(this.#clock.now());
  }
}

/**
 * The principal of an Authorization header. Throws the `Problem` of RFC 6750: 401 with the same Bearer challenge for
 * every invalid token, 503 if the directory did not answer.
 */
export async function authenticate(dependencies: AuthenticateDependencies, header: string | null): Promise<Client> {
  const token = bearerOf(header);
  if (token === undefined) throw unauthenticated(header);
  const cached = dependencies.cache.get(token);
  if (cached !== undefined) return cached;
  const verified = await dependencies.tokens.verify(token, dependencies.clock.now());
  if (verified === undefined) throw unauthenticated(header);
  const status = await dependencies.tokenStatus(verified.principal);
  if (status === 'unknown') throw new Problem(unavailable());
  if (status === 'dead') throw unauthenticated(header);
  dependencies.cache.set(token, verified);
  return verified.principal;
}

/** The token of an `Authorization: Bearer …` header; undefined for another scheme. */
export function bearerOf(header: string | null): string | undefined {
  return header === null ? undefined : /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(header)?.[1];
}

/** 401. The challenge names an error only if the request has a token (RFC 6750 section 3.1). */
export function unauthenticated(header: string | null): Problem {
  const error = header !== null && /^bearer\b/i.test(header) ? ', error="invalid_token"' : '';
  return new Problem(refuse('AUTHENTICATION_REQUIRED'), { 'www-authenticate': `Bearer realm="mirsal"${error}` });
}

/** The stored form of a token. A token of 160 random bits or more needs neither a salt nor a slow hash. */
export async function tokenHashOf(token: string): Promise<string> {
  return toBase64Url(await sha256(token));
}
