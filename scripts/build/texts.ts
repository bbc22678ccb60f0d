import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import openApiDocument from '../../docs/openapi.json' with { type: 'json' };
import { PROBLEM_CODES, problemSlug } from '../../src/core/problem-code.ts';
import { BASE_URL_MARK, fontEntries } from '../../src/http/web/asset-paths.ts';
import { valueOf } from '../../src/pages/guides/placeholders.ts';
import { ARABIC_NAMES } from '../../src/pages/reference/arabic.ts';
import { CODE_BLOCK, HEADING } from '../../src/pages/reference/markdown.ts';
import { renderSite } from '../../src/pages/site/site.ts';
import {
  MARKDOWN_GUIDES,
  OVERVIEW,
  PLACEHOLDER,
  type SiteText,
  siteText,
  TEXTS,
  textPath,
} from '../../src/pages/text.ts';
import { isCommand } from '../shared/command.ts';
import { readText } from '../shared/repository-file.ts';

/* `npm run check:texts`: what nobody sees in one text alone. Each mistake is a line with file and line number. */

interface Texts {
  /** Of all files of the texts. */
  readonly paths: readonly string[];
  readonly readText: (path: string) => string;
}

const LOCALES = ['en', 'ar'] as const;
const NAMES = [
  ...[OVERVIEW.slug, ...MARKDOWN_GUIDES].map((slug) => `guides/${slug}`),
  ...PROBLEM_CODES.map((code) => `problems/${problemSlug(code)}`),
  'pages/home',
  'pages/not-found',
];
const TEXTS_OF_PAGES = [
  ...NAMES.flatMap((name) => LOCALES.map((locale) => ({ name, locale }))),
  // llms.txt is English.
  { name: 'pages/llms-rules', locale: 'en' } as const,
  // The OpenAPI document has the English ones.
  { name: ARABIC_NAMES, locale: 'ar' } as const,
];

export function findMistakes(texts: Texts): readonly string[] {
  const expected = new Set(TEXTS_OF_PAGES.map(({ name, locale }) => textPath(name, locale)));
  const files = [
    ...[...expected].filter((path) => !texts.paths.includes(path)).map((path) => `${path}:1: This text is missing`),
    ...texts.paths
      .filter((path) => path.endsWith('.md') && !expected.has(path))
      .map((path) => `${path}:1: No page shows this text`),
  ];
  if (files.length > 0) return files;
  const mistakes = [
    ...TEXTS_OF_PAGES.flatMap(({ name, locale }) =>
      mistakesIn(siteText({ ...texts, locale }, name), { ...texts, locale }),
    ),
    ...NAMES.flatMap((name) =>
      mistakesBetween(siteText({ ...texts, locale: 'en' }, name), siteText({ ...texts, locale: 'ar' }, name)),
    ),
  ];
  return mistakes.length > 0 ? mistakes : brokenLinks(texts);
}

type Context = Texts & { readonly locale: (typeof LOCALES)[number] };

function mistakesIn(text: SiteText, { locale, readText: read }: Context): readonly string[] {
  const context = { document: openApiDocument, baseUrl: BASE_URL_MARK, locale, readText: read };
  const used = new Set(['title', 'lead']);
  const words = new Proxy(text.words, {
    get: (all, name: string) => {
      used.add(name);
      return all[name];
    },
  });
  const mistakes = linesOf(text, read).flatMap(({ at, line, isCode }) => {
    const unknown = [...line.matchAll(PLACEHOLDER)].flatMap(([mark, name = '']) => {
      try {
        const value = valueOf(name, { ...text, words }, context);
        return value === undefined || value === '' ? [`${at}: There is no ${mark}`] : [];
      } catch (error) {
        return [error instanceof Error ? error.message : String(error)];
      }
    });
    const rest = line.replaceAll(PLACEHOLDER, '').replaceAll(/`[^`]*`/g, '');
    if (/\{\{|\}\}/.test(rest)) unknown.push(`${at}: A placeholder has no end or no start`);
    if (isCode) return unknown;
    if (line.startsWith('#') && line.replaceAll(HEADING, '') !== '') {
      unknown.push(`${at}: A heading has ## or ###, a name and an anchor, as in "## Name {#anchor}"`);
    }
    return [...unknown, ...unitsIn(rest).map((found) => `${at}: "${found}" is a limit: take it from a placeholder`)];
  });
  const extra = Object.keys(text.words).filter((name) => !used.has(name) && !text.path.startsWith(`${TEXTS}/pages/`));
  return [...mistakes, ...extra.map((name) => `${text.path}:1: Nothing shows the word ${name} of the front matter`)];
}

/** The units of limits. Arabic words have several forms. */
const UNIT =
  /(?<![\w.,/:+-])\d[\d.,]*(?:st|nd|rd|th)?[\s-]+(?:(?:milli)?seconds?|minutes?|hours?|days?|weeks?|months?|years?|[kKM]i?B|bytes?|(?:kilo)?met(?:re|er)s?|k?m|characters?|(?:[a-z]+ )?digits?|requests?|attempts?|tries|retries|entries|items|ثانية|ثوانٍ?|دقيقة|دقائق|ساعات?|ساعة|يوم(?:ًا)?|أيام|أسبوع|أسابيع|شهر(?:ًا)?|أشهر|سنة|سنوات|بايت|(?:كيلو)?متر(?:ًا)?|(?:كيلو)?مترات|حرف(?:ًا)?|أحرف|رقم(?:ًا)?|أرقام|محاولات?|محاولة|صنف(?:ًا)?|عناصر)(?![\p{L}\p{N}])/gu;

/** Numbers that no limit of the service says: examples, rules of others, and promises. */
const ALLOWED = [
  // Rules of others: the least of a secret (Standard Webhooks), a UUID (RFC 9562), the number of a commercial registration.
  ['24 bytes', '24 بايت', '36 characters', '36 حرفًا', '10 digits', '10 أرقام'],
  // What a decimal is, and the example of a price.
  ['19 significant digits', '19 رقمًا', '12,345 metres', '12,345 مترًا', '13 كيلومترًا'],
  // What a client does, and a promise.
  ['5 seconds', '5 ثوانٍ', '8 seconds', '8 ثوانٍ', '12 months', '12 شهرًا'],
].flat();

function unitsIn(line: string): readonly string[] {
  return [...line.matchAll(UNIT)].map(([found]) => found).filter((found) => !ALLOWED.includes(found));
}

function mistakesBetween(english: SiteText, arabic: SiteText): readonly string[] {
  return [[english, arabic] as const, [arabic, english] as const].flatMap(([one, other]) => {
    const words = Object.keys(one.words).filter((word) => !(word in other.words));
    const anchors = new Set(headingsOf(other).map(({ mark }) => mark));
    return [
      ...words.map((word) => `${other.path}:1: The front matter has no ${word}, but ${one.path} does`),
      ...headingsOf(one)
        .filter(({ mark }) => !anchors.has(mark))
        .map(({ at, mark }) => `${at}: ${other.path} has no heading ${mark}`),
    ];
  });
}

function headingsOf(text: SiteText): readonly { readonly at: string; readonly mark: string }[] {
  return text.body.split('\n').flatMap((line, index) =>
    [...line.matchAll(HEADING)].map(([, level, , id]) => ({
      at: `${text.path}:${text.bodyLine + index + 1}`,
      mark: `${level} {#${id}}`,
    })),
  );
}

interface Line {
  readonly at: string;
  readonly line: string;
  readonly isCode: boolean;
}

function linesOf({ path }: SiteText, read: Texts['readText']): readonly Line[] {
  const source = read(path);
  const code = [...source.matchAll(CODE_BLOCK)].map(({ 0: block, index }) => {
    const first = source.slice(0, index).split('\n').length;
    return [first, first + block.split('\n').length - 1] as const;
  });
  return source.split('\n').map((line, index) => {
    const isCode = code.some(([first, last]) => index + 1 >= first && index + 1 <= last);
    return { at: `${path}:${index + 1}`, line, isCode };
  });
}

/** Addresses that the service answers without a built page. */
const SERVED = [
  '/',
  '/console',
  '/driver',
  '/ready',
  '/.well-known/jwks.json',
  '/.well-known/oauth-authorization-server',
];

const LINK = /\]\(([^)\s]+)\)/g;

/** Links that lead to no page, or to an anchor that its page does not have. */
function brokenLinks(texts: Texts): readonly string[] {
  const entries = [...fontEntries('ar'), 'site.css', 'reference.js'].map((name) => [name, `/assets/${name}`] as const);
  const browserFiles = { entries: Object.fromEntries(entries), names: [] };
  const site = renderSite({ baseUrl: BASE_URL_MARK, browserFiles, readText: texts.readText });
  const leadsSomewhere = (address: string, locale: string) => {
    if (address.startsWith('https:') || SERVED.includes(address)) return true;
    const [path = '', anchor] = address.slice(1).split('#');
    const page = site.get(path) ?? site.get(`${path}.${locale}.html`);
    return page !== undefined && (anchor === undefined || page.includes(` id="${anchor}"`));
  };
  return TEXTS_OF_PAGES.flatMap(({ name, locale }) =>
    linesOf(siteText({ ...texts, locale }, name), texts.readText).flatMap(({ at, line }) =>
      [...line.matchAll(LINK)]
        .filter(([, address = '']) => !leadsSomewhere(address, locale))
        .map(([, address]) => `${at}: ${address} leads nowhere`),
    ),
  );
}

/** All files of the texts. */
export function textPaths(): readonly string[] {
  const folder = join(import.meta.dirname, '..', '..', TEXTS);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => `${TEXTS}/${path}`);
}

if (isCommand(import.meta.filename)) {
  const mistakes = findMistakes({ paths: textPaths(), readText });
  for (const mistake of mistakes) console.error(mistake);
  if (mistakes.length > 0) process.exit(1);
}
