import type { LabelFont } from '../../core/label-letters.ts';
import type { Locale } from '../../core/locale.ts';
import { type ProblemCode, problemSlug } from '../../core/problem-code.ts';

/** A placeholder for the service's address in built pages. The name can never be registered (RFC 6761). */
export const BASE_URL_MARK = 'https://base-url.invalid';

/** A placeholder for the kind of deployment in built pages: `local`, `sandbox` or `production`. */
export const DEPLOYMENT_MARK = 'deployment.invalid';

/** A placeholder for the carrier's contact in built pages. */
export const CONTACT_MARK = 'contact.invalid';
/** Around a text for deployments with a contact, and one for those without: `known`, text, `unknown`, text, `end`. */
export const CONTACT_CHOICE = {
  known: 'contact-known.invalid',
  unknown: 'contact-unknown.invalid',
  end: 'contact-end.invalid',
} as const;

/** A placeholder for the address of the stylesheet in built pages. */
export const STYLESHEET_MARK = '/assets/site.css';
/** The same for the script of the reference. */
export const SCRIPT_MARK = '/assets/reference.js';

/** Scripts, styles and fonts of one build. Their names contain a hash of their content, so caches can keep them. */
export interface BrowserFiles {
  /** The address of each entry, by name and kind: `console.js`. */
  readonly entries: Readonly<Record<string, string>>;
  /** Every file that is served below `/assets/`. */
  readonly names: readonly string[];
}

/** Where browsers read the archive of streets, for their maps. */
export const STREETS_PATH = '/map/streets.pmtiles';

/** Programs of `docs/clients` that merchants download below `/clients/`. */
export const CLIENT_PROGRAMS = ['mirsal.py', 'Mirsal.php', 'mirsal.go', 'Mirsal.cs', 'first-shipment.mts'] as const;
export const POSTMAN_COLLECTION = 'mirsal.postman_collection.json';
export const CLIENT_FILES = [...CLIENT_PROGRAMS, POSTMAN_COLLECTION] as const;
export type ClientFile = (typeof CLIENT_FILES)[number];

/** Of the letters on pages and labels. */
export const FONT_WEIGHTS = [400, 600] as const;

/** The path of each page among the assets. The extension is its kind. */
export const ASSET_PATHS = {
  document: 'openapi.json',
  llmsText: 'llms.txt',
  browserFiles: 'browser-files.json',
  /** Letters of labels (`LABEL_LETTERS`) in one weight, and the licence of their font. */
  font: (font: LabelFont, weight: number) => `fonts/${font}-${weight}.ttf`,
  fontLicence: (font: LabelFont) => `fonts/${font}.LICENSE.txt`,
  /** HarfBuzz. Workers have it as a module instead. */
  shaper: 'harfbuzz.wasm',
  home: (locale: Locale) => `home.${locale}.html`,
  notFound: (locale: Locale) => `not-found.${locale}.html`,
  reference: (locale: Locale) => `docs.${locale}.html`,
  /** What the search of the reference finds. */
  search: (locale: Locale) => `docs/search.${locale}.json`,
  /** The parts of the reference that have a page below `/docs/`. */
  referenceParts: 'docs/parts.json',
  referencePart: (part: string, locale: Locale) => `docs/${part}.${locale}.html`,
  /** A guide as Markdown. */
  guideText: (slug: string, locale: Locale) => `docs/${slug}.${locale}.md`,
  changes: (locale: Locale) => `changes.${locale}.html`,
  /** A file that merchants download. */
  client: (name: ClientFile) => `clients/${name}`,
  problems: (locale: Locale, format: 'html' | 'json') => `problems.${locale}.${format}`,
  problem: (code: ProblemCode, locale: Locale, format: 'html' | 'json') =>
    `problems/${problemSlug(code)}.${locale}.${format}`,
} as const;

/** The entries of the fonts that pages of a language show: those of its letters, and of digits and names in Latin. */
export function fontEntries(locale: Locale): readonly string[] {
  const scripts = locale === 'ar' ? ['arabic', 'latin'] : ['latin'];
  return scripts.flatMap((script) => FONT_WEIGHTS.map((weight) => `${script}-${weight}.woff2`));
}
