import { hmacOf, isEqualInConstantTime } from '../core/crypto.ts';
import { parseCookies } from '../core/header.ts';
import { type Instant, instantFromMillis, toMillis } from '../core/instant.ts';
import { invalidHeaders, Problem } from '../core/problem.ts';
import { refuse } from '../core/result.ts';
import { bearerOf, unauthenticated } from './authenticate.ts';
import { isOwnRequest, type SessionFacts, TWO_CREDENTIALS } from './session-token.ts';

/*
 * The session of a recipient is not stored. Its token names its end, and an HMAC binds it to one link, one shipment and one phone.
 * These are read with each request, so the session ends with the link and with the phone.
 */

const COOKIE = '__Host-recipient';
/** The end as milliseconds, then the HMAC. */
const TOKEN = /^rcp_([0-9]{13})_([A-Za-z0-9_-]{43})$/;

/** What a session belongs to. */
export interface RecipientBinding {
  readonly shipmentId: string;
  readonly linkId: string;
  /** E.164. */
  readonly phone: string;
}

/** A token for the recipient with this phone, who came by this link. */
export async function recipientTokenFor(key: string, binding: RecipientBinding, expiresAt: Instant): Promise<string> {
  const end = String(toMillis(expiresAt));
  return `rcp_${end}_${await proofOf(key, binding, end)}`;
}

function proofOf(key: string, { shipmentId, linkId, phone }: RecipientBinding, end: string): Promise<string> {
  return hmacOf(key, `recipient ${shipmentId} ${linkId} ${phone} ${end}`);
}

/**
 * Lets a request pass that has a token of this binding, as a bearer token or as the cookie. Throws a `Problem` otherwise: 400 for both
 * at once, 401 for every invalid token, 403 for a change from a page of another site.
 */
export async function requireRecipient(
  { key, ownOrigin, now }: { readonly key: string; readonly ownOrigin: string; readonly now: Instant },
  binding: RecipientBinding,
  facts: Omit<SessionFacts, 'actingAs'>,
): Promise<void> {
  const { authorization, cookie } = facts;
  const [fromCookie] = parseCookies(cookie, COOKIE);
  if (authorization !== null && fromCookie !== undefined) throw invalidHeaders(...TWO_CREDENTIALS);
  const shown = fromCookie === undefined ? authorization : `Bearer ${fromCookie}`;
  const token = fromCookie ?? bearerOf(authorization) ?? '';
  const [, end = '', proof = ''] = TOKEN.exec(token) ?? [];
  if (end === '' || !isEqualInConstantTime(proof, await proofOf(key, binding, end))) throw unauthenticated(shown);
  if (instantFromMillis(Number(end)) <= now) throw unauthenticated(shown);
  if (fromCookie !== undefined && !isOwnRequest(facts, ownOrigin)) throw new Problem(refuse('ACCESS_DENIED'));
}

/** Set-Cookie of a recipient's session that ends after `seconds`. */
export function recipientCookie(token: string, seconds: number): string {
  return `${COOKIE}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Lax`;
}
