import { type ProblemCode, problemSlug } from '../../core/catalogue.ts';
import type { Locale } from '../../core/locale.ts';

/** Where the one stylesheet of all pages is served. */
export const STYLESHEET_PATH = '/assets/mirsal.css';

/** Stands for the address of the service wherever a page names it. Nobody can have this address (RFC 6761). */
export const BASE_URL_MARK = 'https://base-url.invalid';

/** Where each of the pages is among the assets. The ending says what it is. */
export const ASSET_PATHS = {
  document: 'openapi.json',
  llmsText: 'llms.txt',
  stylesheet: 'mirsal.css',
  reference: (locale: Locale) => `docs.${locale}.html`,
  problem: (code: ProblemCode, locale: Locale, format: 'html' | 'json') =>
    `problems/${problemSlug(code)}.${locale}.${format}`,
} as const;
