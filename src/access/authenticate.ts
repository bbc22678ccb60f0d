import { toBase64Url } from '../core/base64url.ts';
import { sha256 } from '../core/crypto.ts';
import { toMillis } from '../core/instant.ts';
import { Kept } from '../core/kept.ts';
import { Problem } from '../core/problem.ts';
import { refuse, unavailable } from '../core/result.ts';
import type { Clock } from '../ports/clock.ts';
import type { AccessTokens, VerifiedToken } from './access-token.ts';
import type { Client } from './principal.ts';

/**
 * Whether a token's secret is still valid and the token not revoked; `suspended` if so, but operators have suspended its
 * company; `unknown` if the directory did not answer.
 */
export type TokenStatus = 'alive' | 'suspended' | 'dead' | 'unknown';

/** 403 to programs and people of a suspended company. `companyState` tells them from those who lack a right. */
export const COMPANY_SUSPENDED = refuse('ACCESS_DENIED', { members: { companyState: 'SUSPENDED' } });

/** A valid token, as it was when the directory was last asked. */
export interface CheckedToken extends VerifiedToken {
  readonly isSuspended: boolean;
}

export interface AuthenticateDependencies {
  readonly tokens: AccessTokens;
  readonly clock: Clock;
  readonly tokenStatus: (principal: Client) => Promise<TokenStatus>;
  readonly cache: TokenCache;
}

/**
 * A token must stop working within 60 s after its secret, and within 60 s after its company was suspended. The other 10 s
 * are for reads in progress.
 */
const CACHE_MS = 50_000;
/** One request in this time checks its token again, so that a busy client's requests do not all do it at the same moment. */
const RENEWED_AFTER_MS = 40_000;
/** About 500 bytes each. */
const CACHE_ENTRIES_MAX = 10_000;

/**
 * Caches verified tokens by their text. A token's signature and its secret are checked once per `CACHE_MS`, not at each
 * request.
 */
export class TokenCache {
  readonly #clock: Clock;
  readonly #checked: Kept<string, CheckedToken>;

  constructor(clock: Clock) {
    this.#clock = clock;
    const times = { keptMs: CACHE_MS, renewedAfterMs: RENEWED_AFTER_MS, nowMs: () => this.#nowMs() };
    this.#checked = new Kept({ ...times, entriesMax: CACHE_ENTRIES_MAX });
  }

  get(token: string): CheckedToken | undefined {
    const checked = this.#checked.get(token);
    if (checked === undefined) return undefined;
    if (checked.expiresAt * 1000 > this.#nowMs()) return checked;
    this.#checked.forget(token);
    return undefined;
  }

  /** True for one request when a token in the cache is due to be checked again. */
  takeRenewal(token: string): boolean {
    return this.#checked.takeRenewal(token);
  }

  set(token: string, checked: CheckedToken): void {
    this.#checked.set(token, checked);
  }

  delete(token: string): void {
    this.#checked.forget(token);
  }

  /** Deletes all tokens of a client. Other processes keep them for up to `CACHE_MS`. */
  deleteOf(clientId: string): void {
    this.#checked.forgetWhere(({ principal }) => principal.clientId === clientId);
  }

  #nowMs(): number {
    return toMillis(this.#clock.now());
  }
}

/**
 * The principal of an Authorization header. Throws the `Problem` of RFC 6750: 401 with the same Bearer challenge for
 * every invalid token, 403 if the company is suspended, 503 if the directory did not answer.
 */
export async function authenticate(dependencies: AuthenticateDependencies, header: string | null): Promise<Client> {
  const token = bearerOf(header);
  if (token === undefined) throw unauthenticated(header);
  const cached = dependencies.cache.get(token);
  if (cached !== undefined && !dependencies.cache.takeRenewal(token)) return principalOf(cached);
  const verified = await dependencies.tokens.verify(token, dependencies.clock.now());
  if (verified === undefined) throw unauthenticated(header);
  const status = await dependencies.tokenStatus(verified.principal);
  if (status === 'unknown') {
    if (cached !== undefined) return principalOf(cached);
    throw new Problem(unavailable());
  }
  if (status === 'dead') {
    dependencies.cache.delete(token);
    throw unauthenticated(header);
  }
  const checked = { ...verified, isSuspended: status === 'suspended' };
  dependencies.cache.set(token, checked);
  return principalOf(checked);
}

function principalOf({ principal, isSuspended }: CheckedToken): Client {
  if (isSuspended) throw new Problem(COMPANY_SUSPENDED);
  return principal;
}

/** Several times the longest token. */
const AUTHORIZATION_LENGTH_MAX = 4096;

/** The token of an `Authorization: Bearer …` header; undefined for another scheme, and for what is too long for a token. */
export function bearerOf(header: string | null): string | undefined {
  return header === null || header.length > AUTHORIZATION_LENGTH_MAX
    ? undefined
    : /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(header)?.[1];
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
