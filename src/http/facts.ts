import type { RequestFacts } from '../../routers/context.ts';
import { parseWeighted } from '../core/header.ts';
import type { Locale } from '../core/locale.ts';
import { parseUuid } from '../core/uuid.ts';
import type { Random } from '../ports/random.ts';

export interface FactSources {
  readonly path: string;
  readonly random: Random;
  readonly address: string | undefined;
}

/** The facts of a request without its body. Malformed headers are ignored here. */
export function factsOf(request: Request, { path, random, address }: FactSources): RequestFacts {
  const { headers, method } = request;
  const requestId = random.uuid();
  return {
    requestId,
    // Without a correlation id, the request id is used.
    correlationId: parseUuid(headers.get('x-correlation-id') ?? '') ?? requestId,
    traceId: traceIdOf(headers.get('traceparent')),
    locale: localeOf(headers.get('accept-language')),
    path,
    method,
    authorization: headers.get('authorization'),
    uploadCapability: headers.get('registration-upload-capability'),
    cookie: headers.get('cookie'),
    origin: headers.get('origin'),
    fetchSite: headers.get('sec-fetch-site'),
    address,
  };
}

/** W3C Trace Context, version 00: `version-traceid-parentid-flags`; ids of zeros are invalid. */
function traceIdOf(traceparent: string | null): string | undefined {
  const match = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.exec(traceparent ?? '');
  return match?.[1];
}

/** The supported language with the highest weight in Accept-Language (RFC 9110 section 12.5.4); English by default. */
function localeOf(acceptLanguage: string | null): Locale {
  let best: { locale: Locale; weight: number } = { locale: 'en', weight: 0 };
  for (const { value, quality } of parseWeighted(acceptLanguage)) {
    const primary = value.split('-')[0];
    if ((primary === 'ar' || primary === 'en') && quality > best.weight) best = { locale: primary, weight: quality };
  }
  return best.locale;
}

/** A host and an optional port, without any other part of a URL (RFC 9110 section 7.2). */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/**
 * The URL of a request; undefined if its Host header is malformed. Runtimes join host and path without a check, so a host
 * with a slash or a question mark would select another path than the one that proxies saw.
 */
export function urlOf(request: Request): URL | undefined {
  const host = request.headers.get('host') ?? '';
  return host === '' || HOST.test(host) ? (URL.parse(request.url) ?? undefined) : undefined;
}

/**
 * The path for responses and logs. Below one of `secretPrefixes` everything is left out, because what follows can be a
 * secret whatever the method, the depth or the spelling: `/t/{token}/x`, `/T//{token}`, `/t%252f{token}`. URLs allow
 * characters, and a bare `%`, that a URI does not (RFC 3986 section 3.3).
 */
export function publicPathOf({ pathname }: URL, secretPrefixes: readonly string[]): string {
  const spelledOut = spellOut(pathname);
  const secret = secretPrefixes.find((prefix) => spelledOut.startsWith(`${prefix}/`));
  return (secret ?? pathname).replaceAll(
    /%(?![0-9A-Fa-f]{2})|[[\]|^]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** A path in lower case with plain characters and single slashes. Each pass decodes a level of percent-encoding. */
function spellOut(pathname: string): string {
  let path = pathname;
  for (let previous = ''; previous !== path; ) {
    previous = path;
    path = path.replaceAll(/%([2-7][\da-f])/gi, (_match, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  }
  return path.toLowerCase().replaceAll(/[/\\]+/g, '/');
}
