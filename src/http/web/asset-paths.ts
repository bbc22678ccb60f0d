import { type ProblemCode, problemSlug } from '../../core/catalogue.ts';
import type { Locale } from '../../core/locale.ts';

/** Stands for the address of the service wherever a page names it. Nobody can have this address (RFC 6761). */
export const BASE_URL_MARK = 'https://base-url.invalid';

/** Stands in pages made at build time for the address of their stylesheet. */
export const STYLESHEET_MARK = '/assets/site.css';

/** Scripts, styles and fonts of one build. Their names carry what is in them: whoever has one may keep it. */
export interface BrowserFiles {
  /** Where entries are served, by their name and kind: `console.js`. */
  readonly entries: Readonly<Record<string, string>>;
  /** Every file that may be asked for below `/assets/`. */
  readonly names: readonly string[];
}

/** Where each of the pages is among the assets. The ending says what it is. */
export const ASSET_PATHS = {
  document: 'openapi.json',
  llmsText: 'llms.txt',
  browserFiles: 'browser-files.json',
  home: (locale: Locale) => `home.${locale}.html`,
  reference: (locale: Locale) => `docs.${locale}.html`,
  /** The names of the parts that have a page below `/docs/`. */
  referenceParts: 'docs/parts.json',
  referencePart: (part: string, locale: Locale) => `docs/${part}.${locale}.html`,
  problems: (locale: Locale, format: 'html' | 'json') => `problems.${locale}.${format}`,
  problem: (code: ProblemCode, locale: Locale, format: 'html' | 'json') =>
    `problems/${problemSlug(code)}.${locale}.${format}`,
} as const;
