import type { Locale } from '../core/locale.ts';

/** The script that a page starts with. Its name changes with its content, so another name is another version of the page. */
export function scriptOf(page: Document): string | undefined {
  return page.querySelector('script[src]')?.getAttribute('src') ?? undefined;
}

/** The language that the service chose for a page. */
export function pageLocale(page: Document): Locale {
  return page.documentElement.lang === 'ar' ? 'ar' : 'en';
}
