/* E-mail addresses whose domain may be internationalised, such as those under .السعودية. */

const LOCAL_PART = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}$/;
/** Letters, digits and marks of any script, hyphens, joiners and dots: what a domain name can become one from (UTS 46). */
const DOMAIN = /^(?:[\p{L}\p{N}\p{M}.\u3002-]|\p{Join_Control})+$/u;
/** With a dot. The last label has a letter, so that it is no part of an IP address. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[a-z0-9-]*[a-z])[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/;
const ASCII = /^[\x20-\x7e]*$/;

/**
 * The one form of an e-mail address that is stored and compared: in lower case, and a domain in other scripts in its ASCII form
 * (RFC 5890). So both spellings of a domain are one address. Undefined for any other text, and for local parts outside ASCII,
 * which many mail servers refuse.
 */
export function normalEmail(spelling: string): string | undefined {
  const at = spelling.lastIndexOf('@');
  const [local, domain] = [spelling.slice(0, Math.max(at, 0)), spelling.slice(at + 1)];
  if (!LOCAL_PART.test(local) || !DOMAIN.test(domain)) return undefined;
  const host = hostOf(domain.toLowerCase());
  return host !== undefined && HOST.test(host) ? `${local.toLowerCase()}@${host}` : undefined;
}

/** The URL standard converts domains with UTS 46, in every runtime alike, and refuses malformed ones. */
function hostOf(domain: string): string | undefined {
  if (ASCII.test(domain) && !domain.includes('xn--')) return domain;
  return URL.parse(`https://${domain}`)?.hostname;
}

/** The stored form of an address that was checked already. */
export function emailOf(spelling: string): string {
  return normalEmail(spelling) ?? spelling.toLowerCase();
}
