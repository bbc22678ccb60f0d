import { toBase64Url } from '../core/base64url.ts';
import { parseCookies } from '../core/header.ts';
import { Problem } from '../core/problem.ts';
import { refuse, unavailable } from '../core/result.ts';
import type { Random } from '../ports/random.ts';
import { bearerOf, tokenHashOf, unauthenticated } from './authenticate.ts';
import type { Person } from './principal.ts';

/** `__Host-`: a browser takes it only from this host, over TLS and for all paths (RFC 6265bis section 4.1.3.2). */
const COOKIE = '__Host-session';
const TOKEN_BYTES = 32;
const TOKEN = /^ses_[A-Za-z0-9_-]{43}$/;
/** Longer than what browsers send to one host. A longer header is refused without being parsed. */
const COOKIE_HEADER_MAX = 8192;

/** A new session token. It is opaque to people, and nobody but its holder can know it. */
export function newSessionToken(random: Random): string {
  return `ses_${toBase64Url(random.bytes(TOKEN_BYTES))}`;
}

/** Set-Cookie of a session that ends at the latest in `seconds`. */
export function sessionCookie(token: string, seconds: number): string {
  return `${COOKIE}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Lax`;
}

/** Set-Cookie that makes a browser forget it. */
export const NO_SESSION_COOKIE = sessionCookie('', 0);

/** What a request says of whose session it belongs to. */
export interface SessionFacts {
  readonly method: string;
  readonly authorization: string | null;
  readonly cookie: string | null;
  readonly origin: string | null;
  readonly fetchSite: string | null;
}

/** Finds the person of a session that has not ended; `unknown` when nobody could be asked. */
export type FindSession = (tokenHash: string) => Promise<Person | undefined | 'unknown'>;

export interface SessionDependencies {
  readonly findSession: FindSession;
  /** Scheme and host of the service: the only site whose pages may change anything by cookie. */
  readonly ownOrigin: string;
}

/** Whether a request brings what could be a session: a token of that form, or the cookie. */
export function bringsSession({ authorization, cookie }: SessionFacts): boolean {
  return TOKEN.test(bearerOf(authorization) ?? '') || cookieOf(cookie) !== undefined;
}

/**
 * The person of a bearer session token or of the session's cookie, or a `Problem`: 400 for both at once or cookies of
 * no reasonable length, the same 401 for every kind of bad token, 403 for a change that another site's page asks for,
 * 503 when the directory could not be asked.
 */
export async function authenticatePerson(
  { findSession, ownOrigin }: SessionDependencies,
  facts: SessionFacts,
): Promise<Person> {
  const { authorization, cookie } = facts;
  if ((cookie ?? '').length > COOKIE_HEADER_MAX) throw new Problem(refuse('INVALID_HEADER'));
  const fromCookie = cookieOf(cookie);
  if (authorization !== null && fromCookie !== undefined) throw new Problem(refuse('INVALID_HEADER'));
  // A bad cookie gets the same challenge as a bad bearer token.
  const shown = fromCookie === undefined ? authorization : `Bearer ${fromCookie}`;
  const token = fromCookie ?? bearerOf(authorization);
  if (token === undefined || !TOKEN.test(token)) throw unauthenticated(shown);
  const person = await findSession(await tokenHashOf(token));
  if (person === 'unknown') throw new Problem(unavailable());
  if (person === undefined) throw unauthenticated(shown);
  if (fromCookie !== undefined && !isOwnRequest(facts, ownOrigin)) throw new Problem(refuse('ACCESS_DENIED'));
  return person;
}

/** The cookie's value. The service never sets two of that name, so two count as a bad one. */
function cookieOf(header: string | null): string | undefined {
  const values = parseCookies(header, COOKIE);
  return values.length > 1 ? '' : values[0];
}

/** Browsers send cookies with requests of any page. A page of another site may read, for it cannot see the answer. */
function isOwnRequest({ method, origin, fetchSite }: SessionFacts, ownOrigin: string): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  return origin === null ? fetchSite === 'same-origin' : origin === ownOrigin;
}
