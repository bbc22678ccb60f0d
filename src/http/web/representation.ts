import { parseCookies } from '../../core/header.ts';
import type { Locale } from '../../core/locale.ts';
import { hasCurrent, textTagOf } from '../conditional.ts';
import type { Exchange } from '../route-table.ts';

/** Everything on the pages is their own: one stylesheet and its fonts, no script, no frame, no form. */
const POLICY =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'";
/** Five minutes: their addresses stay while a new version changes what they say. */
const CACHE_CONTROL = 'public, max-age=300';

export interface Representation {
  /** Without its charset, which is always UTF-8. */
  readonly mediaType: 'text/html' | 'text/plain' | 'application/json';
  readonly locale: Locale;
  readonly text: string;
  /** Request headers, beside Accept-Language, that the choice of this text depended on. */
  readonly vary?: string;
}

/** The answer to a GET of something that is alike for everybody; 304 without a body for one who has it already. */
export async function represent(
  request: Request,
  { mediaType, locale, text, vary }: Representation,
): Promise<Response> {
  const etag = await textTagOf(text);
  // A reader's language is in a cookie of his (see `chosenLocale`); files that are alike in all of them name none.
  const choice = [mediaType === 'text/html' || vary !== undefined ? ['Cookie'] : [], vary ?? []].flat();
  const headers = {
    etag,
    'cache-control': CACHE_CONTROL,
    'content-language': locale,
    ...(choice.length === 0 ? {} : { vary: choice.join(', ') }),
  };
  if (hasCurrent(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers });
  // JSON is UTF-8 by definition (RFC 8259 section 8.1).
  const contentType = mediaType === 'application/json' ? mediaType : `${mediaType}; charset=utf-8`;
  const policy = mediaType === 'text/html' ? { 'content-security-policy': POLICY } : {};
  return new Response(text, { headers: { ...headers, ...policy, 'content-type': contentType } });
}

/** The language of a page: what its reader chose, here or before, and else what his browser says. */
export function pageLocale(exchange: Exchange): Locale {
  return chosenLocale(exchange) ?? exchange.facts.locale;
}

/** What a reader chose on a page, kept in his browser for all of them. The console writes it too. */
const COOKIE = 'lang';
const YEAR_SECONDS = 31_536_000;

/** The language that a reader chose: in this address, or on another page before. */
export function chosenLocale({ url, facts }: Exchange): Locale | undefined {
  return localeOf(url.searchParams.get('lang')) ?? localeOf(parseCookies(facts.cookie, COOKIE)[0]);
}

/** Set-Cookie that keeps a choice made in the address; undefined without one. */
export function choiceCookie({ url, services }: Exchange): string | undefined {
  const locale = localeOf(url.searchParams.get('lang'));
  if (locale === undefined) return undefined;
  const secure = services.config.baseUrl.startsWith('https:') ? '; Secure' : '';
  return `${COOKIE}=${locale}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax${secure}`;
}

function localeOf(text: string | null | undefined): Locale | undefined {
  return text === 'ar' || text === 'en' ? text : undefined;
}
