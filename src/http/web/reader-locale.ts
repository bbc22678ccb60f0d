import { parseCookies } from '../../core/header.ts';
import type { Locale } from '../../core/locale.ts';
import type { Exchange } from '../route-table.ts';

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
