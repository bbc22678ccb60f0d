import { parseCookies } from '../../core/header.ts';
import type { Locale } from '../../core/locale.ts';
import { hasCurrent, weakTextTagOf } from '../conditional.ts';
import type { Exchange } from '../route-table.ts';

/** Allows only the site's own stylesheet and fonts: no script, no frame, no form. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'";
/** The same with the site's own script, and its requests to the service. */
const SCRIPT_PAGE_POLICY = `${PAGE_POLICY}; script-src 'self'; connect-src 'self'`;
/** Five minutes, because a new version changes the content at the same address. */
const CACHE_CONTROL = 'public, max-age=300';

export interface Representation {
  /** Without the charset, which is always UTF-8. */
  readonly mediaType: 'text/html' | 'text/markdown' | 'text/plain' | 'application/json';
  readonly locale: Locale;
  readonly text: string;
  /** Whether the page has a script. */
  readonly hasScript?: boolean;
  /** Request headers, apart from Accept-Language, that selected this text. */
  readonly vary?: string;
}

/** Answers a GET of public content: 200, or 304 if the client already has it. */
export async function represent(
  request: Request,
  { mediaType, locale, text, vary, hasScript = false }: Representation,
): Promise<Response> {
  const etag = await weakTextTagOf(text);
  // The language comes from a cookie (see `chosenLocale`). Files without a language do not vary by it.
  const choice = new Set([mediaType === 'text/html' || vary !== undefined ? ['Cookie'] : [], vary ?? []].flat());
  const headers = {
    etag,
    'cache-control': CACHE_CONTROL,
    'content-language': locale,
    ...(choice.size === 0 ? {} : { vary: [...choice].join(', ') }),
  };
  if (hasCurrent(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers });
  // JSON is UTF-8 by definition (RFC 8259 section 8.1).
  const contentType = mediaType === 'application/json' ? mediaType : `${mediaType}; charset=utf-8`;
  const allowed = hasScript ? SCRIPT_PAGE_POLICY : PAGE_POLICY;
  const policy = mediaType === 'text/html' ? { 'content-security-policy': allowed } : {};
  return new Response(text, { headers: { ...headers, ...policy, 'content-type': contentType } });
}

/** The language of a page: the reader's choice, or else the browser's language. */
export function pageLocale(exchange: Exchange): Locale {
  return chosenLocale(exchange) ?? exchange.facts.locale;
}

/** The cookie with the reader's language, for all pages. The console sets it too. */
const COOKIE = 'lang';
const YEAR_SECONDS = 31_536_000;

/** The language that the reader chose in this address or earlier on another page. */
export function chosenLocale({ url, facts }: Exchange): Locale | undefined {
  return localeOf(url.searchParams.get('lang')) ?? localeOf(parseCookies(facts.cookie, COOKIE)[0]);
}

/** A Set-Cookie value for the language in the address, or undefined if the address has none. */
export function choiceCookie({ url, services }: Exchange): string | undefined {
  const locale = localeOf(url.searchParams.get('lang'));
  if (locale === undefined) return undefined;
  const secure = services.config.baseUrl.startsWith('https:') ? '; Secure' : '';
  return `${COOKIE}=${locale}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax${secure}`;
}

function localeOf(text: string | null | undefined): Locale | undefined {
  return text === 'ar' || text === 'en' ? text : undefined;
}
