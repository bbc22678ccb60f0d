import { requireActor } from '../core/acting-as.ts';
import { toBase64Url } from '../core/base64url.ts';
import { parseCookies } from '../core/header.ts';
import { invalidHeaders, Problem } from '../core/problem.ts';
import { refuse, unavailable } from '../core/result.ts';
import type { Random } from '../ports/random.ts';
import { bearerOf, COMPANY_SUSPENDED, tokenHashOf, unauthenticated } from './authenticate.ts';
import type { AnyPerson } from './principal.ts';

/** `__Host-`: a browser accepts it only from this host, over TLS and for all paths (RFC 6265bis section 4.1.3.2). */
const COOKIE = '__Host-session';
const TOKEN_BYTES = 32;
const TOKEN = /^ses_[A-Za-z0-9_-]{43}$/;
/** More than browsers send to one host. A longer header is refused before it is parsed. */
const COOKIE_HEADER_MAX = 8192;

/** Refuses a request with both a token and a cookie; the client has to omit one of them. */
export const TWO_CREDENTIALS = (['Authorization', 'Cookie'] as const).map(
  (field) => ({ field, code: 'FORBIDDEN_FIELD' }) as const,
);

/** A new session token. It is opaque to clients and cannot be guessed. */
export function newSessionToken(random: Random): string {
  return `ses_${toBase64Url(random.bytes(TOKEN_BYTES))}`;
}

/** Set-Cookie of a session that ends after `seconds` at the latest. */
export function sessionCookie(token: string, seconds: number): string {
  return `${COOKIE}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Lax`;
}

/** Set-Cookie that deletes the cookie. */
export const NO_SESSION_COOKIE = sessionCookie('', 0);

/** The headers of a request that decide its session. */
export interface SessionFacts {
  readonly method: string;
  readonly authorization: string | null;
  readonly cookie: string | null;
  readonly origin: string | null;
  readonly fetchSite: string | null;
  /** `Mirsal-Acting-As`: the person and the company that the page shows. */
  readonly actingAs: string | null;
}

/** The person of a session whose company is suspended. */
export interface SuspendedPerson {
  readonly kind: 'suspended';
  readonly person: AnyPerson;
}

/** Finds the person of an active session; `unknown` if the database did not answer. */
export type FindSession = (tokenHash: string) => Promise<AnyPerson | SuspendedPerson | undefined | 'unknown'>;

export interface SessionCheck {
  readonly findSession: FindSession;
  /** Scheme and host of the service. Only pages of this site may make changes with the cookie. */
  readonly ownOrigin: string;
}

/** Whether a request has a session token in its Authorization header, or the cookie. It does not verify either. */
export function hasSessionCredential({ authorization, cookie }: SessionFacts): boolean {
  return TOKEN.test(bearerOf(authorization) ?? '') || cookieOf(cookie) !== undefined;
}

/**
 * The person of a bearer session token or of the session cookie. Throws a `Problem`: 400 for both at once or for a too
 * long Cookie header, the same 401 for every invalid token, 403 for a change from a page of another site, 409 if the page shows
 * somebody else, 403 for a person of a suspended company, 503 if the directory did not answer.
 */
export async function authenticatePerson(
  { findSession, ownOrigin }: SessionCheck,
  facts: SessionFacts,
): Promise<AnyPerson> {
  const { authorization, cookie } = facts;
  if ((cookie ?? '').length > COOKIE_HEADER_MAX)
    throw invalidHeaders({ field: 'Cookie', code: 'TOO_LONG', limit: String(COOKIE_HEADER_MAX) });
  const fromCookie = cookieOf(cookie);
  if (authorization !== null && fromCookie !== undefined) throw invalidHeaders(...TWO_CREDENTIALS);
  // A bad cookie gets the same challenge as a bad bearer token.
  const shown = fromCookie === undefined ? authorization : `Bearer ${fromCookie}`;
  const token = fromCookie ?? bearerOf(authorization);
  if (token === undefined || !TOKEN.test(token)) throw unauthenticated(shown);
  const found = await findSession(await tokenHashOf(token));
  if (found === 'unknown') throw new Problem(unavailable());
  if (found === undefined) throw unauthenticated(shown);
  if (fromCookie !== undefined && !isOwnRequest(facts, ownOrigin)) throw new Problem(refuse('ACCESS_DENIED'));
  const person = found.kind === 'suspended' ? found.person : found;
  requireActor(facts.actingAs, { id: person.personId, companyId: person.kind === 'person' ? person.companyId : null });
  if (found.kind === 'suspended') throw new Problem(COMPANY_SUSPENDED);
  return person;
}

/** The cookie's value. The service never sets two cookies of that name, so two are treated as an invalid one. */
function cookieOf(header: string | null): string | undefined {
  const values = parseCookies(header, COOKIE);
  return values.length > 1 ? '' : values[0];
}

/** Browsers send cookies with requests of every site. Other sites may send reads, because they cannot see the response. */
export function isOwnRequest(
  { method, origin, fetchSite }: Pick<SessionFacts, 'method' | 'origin' | 'fetchSite'>,
  ownOrigin: string,
): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  return origin === null ? fetchSite === 'same-origin' : origin === ownOrigin;
}
