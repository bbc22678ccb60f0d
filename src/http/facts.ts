import type { RequestFacts } from '../../routers/context.ts';
import { ACTING_AS } from '../core/acting-as.ts';
import { parseWeighted } from '../core/header.ts';
import { ACCEPT_LANGUAGE_MAX } from '../core/limits.ts';
import type { Locale } from '../core/locale.ts';
import { parseUuid, type Uuid } from '../core/uuid.ts';
import { isFromPerson } from '../domain/tracking/viewer.ts';
import type { Random } from '../ports/random.ts';

export interface FactSources {
  readonly path: string;
  readonly random: Random;
  readonly address: string | undefined;
}

/** The facts of a request without its body. Malformed headers are ignored here. */
export function factsOf(request: Request, sources: FactSources): RequestFacts {
  return new HeaderFacts(request, sources);
}

/** Headers that few requests need are read when they are asked for, because each read is a call of the runtime. */
class HeaderFacts implements RequestFacts {
  readonly requestId: Uuid;
  readonly correlationId: Uuid;
  readonly locale: Locale;
  readonly path: string;
  readonly method: string;
  readonly authorization: string | null;
  readonly address: string | undefined;
  readonly #headers: Headers;

  constructor({ headers, method }: Request, { path, random, address }: FactSources) {
    this.#headers = headers;
    this.requestId = random.uuid();
    // Without a correlation id, the request id is used.
    this.correlationId = parseUuid(headers.get('x-correlation-id') ?? '') ?? this.requestId;
    this.locale = localeOf(headers.get('accept-language'));
    this.path = path;
    this.method = method;
    this.authorization = headers.get('authorization');
    this.address = address;
  }

  get traceId(): string | undefined {
    return traceIdOf(this.#headers.get('traceparent'));
  }
  get uploadCapability(): string | null {
    return this.#headers.get('registration-upload-capability');
  }
  get cookie(): string | null {
    return this.#headers.get('cookie');
  }
  get origin(): string | null {
    return this.#headers.get('origin');
  }
  get fetchSite(): string | null {
    return this.#headers.get('sec-fetch-site');
  }
  get actingAs(): string | null {
    return this.#headers.get(ACTING_AS);
  }
  get isFromPerson(): boolean {
    const [userAgent = null, ...purposes] = SENDER_HEADERS.map((name) => this.#headers.get(name));
    return isFromPerson({ method: this.method, userAgent, purposes });
  }
}

const SENDER_HEADERS = ['user-agent', 'sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

/** W3C Trace Context, version 00: `version-traceid-parentid-flags`; ids of zeros are invalid. */
function traceIdOf(traceparent: string | null): string | undefined {
  const match = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.exec(traceparent ?? '');
  return match?.[1];
}

/**
 * The supported language with the highest weight in Accept-Language (RFC 9110 section 12.5.4); English by default. What
 * exceeds the header's length is ignored.
 */
function localeOf(acceptLanguage: string | null): Locale {
  if (acceptLanguage === null) return 'en';
  let best: { locale: Locale; weight: number } = { locale: 'en', weight: 0 };
  for (const { value, quality } of parseWeighted(acceptLanguage, ACCEPT_LANGUAGE_MAX)) {
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
 * characters, and a bare `%`, that a URI does not (RFC 3986 section 3.3). What follows `PATH_LENGTH_MAX` characters is left
 * out too: no route is as long, and a stranger can send 60,000 characters.
 */
export function publicPathOf(url: URL, secretPrefixes: readonly string[]): string {
  const pathname = url.pathname.slice(0, PATH_LENGTH_MAX);
  // Nearly every path is plain, and then it is spelled out already.
  const isPlain = PLAIN_PATH.test(pathname);
  const spelledOut = isPlain ? pathname : spellOut(pathname);
  const secret = secretPrefixes.find((prefix) => spelledOut.startsWith(`${prefix}/`));
  if (isPlain) return secret ?? pathname;
  return (secret ?? pathname).replaceAll(
    /%(?![0-9A-Fa-f]{2})|[[\]|^]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Several times the longest path, which is that of a batch over tRPC. */
const PATH_LENGTH_MAX = 2048;

/** A path that `spellOut` leaves as it is, without characters that a URI does not allow. */
const PLAIN_PATH = /^(?:\/[a-z0-9._-]+)*\/?$/;

/**
 * A path in lower case with plain characters and single slashes. A decoded character can only complete an encoding that it
 * ends, as the second `%25` of `%2525` does, so one pass decodes every level.
 */
function spellOut(pathname: string): string {
  const spelled: string[] = [];
  for (const character of pathname) {
    let last = character;
    while (spelled.at(-2) === '%' && ENCODED_END.test(`${spelled.at(-1)}${last}`)) {
      last = String.fromCharCode(Number.parseInt(`${spelled.pop()}${last}`, 16));
      spelled.pop();
    }
    spelled.push(last);
  }
  return spelled
    .join('')
    .toLowerCase()
    .replaceAll(/[/\\]+/g, '/');
}

/** The two digits of an encoded character of ASCII. */
const ENCODED_END = /^[2-7][\da-f]$/i;
