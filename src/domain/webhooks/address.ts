import type { Deployment } from '../../core/deployment.ts';
import { URL_LENGTH_MAX } from '../../core/limits.ts';

/** Why events cannot be sent to an address. */
export type AddressFault =
  | 'NOT_A_URL'
  | 'ENCODING'
  | 'FRAGMENT'
  | 'DIRECTION_MARK'
  | 'LENGTH'
  | 'SCHEME'
  | 'CREDENTIALS'
  | 'IP_ADDRESS'
  | 'HOST'
  | 'OWN_ADDRESS'
  | 'PORT';

export interface AddressRules {
  readonly deployment: Deployment;
  readonly baseUrl: string;
}

export type CheckedAddress =
  /** The address in the normal form of the URL standard is `url.href`. */
  | { readonly ok: true; readonly url: URL; readonly isLoopback: boolean }
  | { readonly ok: false; readonly fault: AddressFault };

/** Names of the machine itself or of private networks (RFC 6761, RFC 6762, RFC 8375, and names inside clouds). */
const INNER_NAMES =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|svc|arpa|onion|invalid)$/;
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const HTTPS_PORT = 443;
/** Lower ports belong to services other than web servers, which must not get requests. */
const UNPRIVILEGED_PORT_MIN = 1024;

/**
 * Checks the text of an address; the resolved addresses are checked at each attempt. The check runs after parsing,
 * because `new URL()` converts every spelling of an IP address (decimal, hexadecimal, octal, full-width digits, a dot at
 * the end) to the canonical one. A pure function.
 */
export function checkAddress(text: string, rules: AddressRules): CheckedAddress {
  // The parser would drop tabs and line feeds inside, and spaces around the text.
  const url = /[\s\p{Cc}]/u.test(text) || !URL.canParse(text) ? undefined : new URL(text);
  if (url === undefined) return { ok: false, fault: 'NOT_A_URL' };
  const unclear = spellingFault(text, url);
  if (unclear !== undefined) return { ok: false, fault: unclear };
  const isLoopback = rules.deployment === 'local' && url.protocol === 'http:' && LOOPBACK.test(url.hostname);
  const fault = isLoopback ? credentialsFault(url) : faultOf(url, rules);
  return fault === undefined ? { ok: true, url, isLoopback } : { ok: false, fault };
}

/** A percent sign that encodes nothing. The parser keeps it, and servers read it differently. */
const MALFORMED_ESCAPE = /%(?![\da-f]{2})/i;
/** U+061C, U+200E, U+200F, U+202A to U+202E and U+2066 to U+2069 as the parser writes them: invisible, and copied with Arabic text. */
const DIRECTION_MARK = /%D8%9C|%E2%80%(?:8[EF]|A[A-E])|%E2%81%A[6-9]/i;

/** What the parser takes, but nobody means in an address of a receiver. A fragment is never sent. */
function spellingFault(text: string, { hash, href }: URL): AddressFault | undefined {
  if (MALFORMED_ESCAPE.test(text)) return 'ENCODING';
  if (hash !== '' || text.endsWith('#')) return 'FRAGMENT';
  if (DIRECTION_MARK.test(href)) return 'DIRECTION_MARK';
  return href.length > URL_LENGTH_MAX ? 'LENGTH' : undefined;
}

function faultOf(url: URL, { baseUrl }: AddressRules): AddressFault | undefined {
  if (url.protocol !== 'https:') return 'SCHEME';
  const host = url.hostname.replace(/\.$/, '');
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host) || host.startsWith('[')) return 'IP_ADDRESS';
  // No valid name has an empty label, and resolvers treat it differently.
  if (!host.includes('.') || /^\.|\.\.|\.$/.test(host) || INNER_NAMES.test(host)) return 'HOST';
  const own = new URL(baseUrl).hostname;
  if (host === own || host.endsWith(`.${own}`)) return 'OWN_ADDRESS';
  const port = url.port === '' ? HTTPS_PORT : Number(url.port);
  if (port !== HTTPS_PORT && port < UNPRIVILEGED_PORT_MIN) return 'PORT';
  return credentialsFault(url);
}

function credentialsFault(url: URL): AddressFault | undefined {
  return url.username === '' && url.password === '' ? undefined : 'CREDENTIALS';
}
