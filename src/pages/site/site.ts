import openApiDocument from '../../../docs/openapi.json' with { type: 'json' };
import { PROBLEM_CODES } from '../../core/catalogue.ts';
import type { Locale } from '../../core/locale.ts';
import { EDGES } from '../../domain/shipments/lifecycle.ts';
import {
  ASSET_PATHS,
  type BrowserFiles,
  CLIENT_PROGRAMS,
  POSTMAN_COLLECTION,
  SCRIPT_MARK,
  STYLESHEET_MARK,
} from '../../http/web/asset-paths.ts';
import { changesPage } from '../guides/changes.ts';
import { guideMarkdown, guidePage } from '../guides/guide.ts';
import { postmanCollection } from '../guides/postman.ts';
import { problemIndex, problemIndexPage } from '../problems/index-page.ts';
import { problemDocument, problemPage } from '../problems/page.ts';
import { groupPage, OBJECTS_PAGE, objectsPage } from '../reference/group-page.ts';
import type { LifecycleEdge } from '../reference/lifecycle.ts';
import { groupOperations } from '../reference/operations.ts';
import type { ReferenceContext } from '../reference/samples.ts';
import { GUIDES, MARKDOWN_GUIDES } from '../text.ts';
import { homePage, notFoundPage } from './home.ts';
import { llmsText } from './llms.ts';
import { referencePage } from './reference-page.ts';
import { searchIndex } from './search-index.ts';

/** A placeholder for the address of a font in built pages. */
const FONT_MARK = /"\/assets\/([a-z]+-\d+\.woff2)"/g;
const LOCALES: readonly Locale[] = ['en', 'ar'];

/** `readText` reads a file of the repository. */
export interface SiteInput {
  readonly baseUrl: string;
  readonly browserFiles: BrowserFiles;
  readonly readText: (path: string) => string;
}

/** Renders all built pages and documents, by their paths among the assets. */
export function renderSite({ baseUrl, browserFiles, readText }: SiteInput): ReadonlyMap<string, string> {
  const document = openApiDocument;
  const entryOf = (name: string) => {
    const address = browserFiles.entries[name];
    if (address === undefined) throw new Error(`The build has no ${name}`);
    return address;
  };
  const linked = (text: string) =>
    text
      .replace(`"${STYLESHEET_MARK}"`, `"${entryOf('site.css')}"`)
      .replace(`"${SCRIPT_MARK}"`, `"${entryOf('reference.js')}"`)
      .replaceAll(FONT_MARK, (_mark, name: string) => `"${entryOf(name)}"`);
  const pages = [
    ...LOCALES.map((locale) => [ASSET_PATHS.home(locale), homePage({ document, locale, baseUrl, readText })] as const),
    ...LOCALES.map(
      (locale) => [ASSET_PATHS.notFound(locale), notFoundPage({ document, locale, baseUrl, readText })] as const,
    ),
    ...LOCALES.flatMap((locale) => referencePages({ document, locale, baseUrl, readText })),
    ...LOCALES.map((locale) => {
      const page = changesPage({ document, locale, baseUrl, readText });
      return [ASSET_PATHS.changes(locale), page] as const;
    }),
    ...LOCALES.flatMap((locale) => problemPages({ document, locale, baseUrl, readText })),
  ];
  return new Map([
    [ASSET_PATHS.browserFiles, JSON.stringify(browserFiles)],
    ...CLIENT_PROGRAMS.map((name) => [ASSET_PATHS.client(name), readText(`docs/clients/${name}`)] as const),
    [ASSET_PATHS.client(POSTMAN_COLLECTION), JSON.stringify(postmanCollection(document, baseUrl), undefined, 2)],
    [ASSET_PATHS.document, JSON.stringify(deployedDocument(document, baseUrl))],
    [ASSET_PATHS.referenceParts, JSON.stringify(REFERENCE_PARTS)],
    [ASSET_PATHS.llmsText, llmsText({ document, baseUrl, readText, locale: 'en' })],
    ...LOCALES.map((locale) => {
      const index = searchIndex({ document, locale, baseUrl, readText });
      return [ASSET_PATHS.search(locale), JSON.stringify(index)] as const;
    }),
    ...pages.map(([path, text]) => [path, linked(text)] as const),
  ]);
}

function referencePages(context: ReferenceContext): (readonly [string, string])[] {
  const { locale } = context;
  return [
    [ASSET_PATHS.reference(locale), referencePage({ ...context, edges: LIFECYCLE })],
    ...MARKDOWN_GUIDES.map((slug) => [ASSET_PATHS.guideText(slug, locale), guideMarkdown(context, slug)] as const),
    ...PAGES.map((part) => [ASSET_PATHS.referencePart(part, locale), partPage(context, part)] as const),
  ];
}

/** The document with the address of the deployment that answers it. */
function deployedDocument({ components, info, ...document }: typeof openApiDocument, baseUrl: string): object {
  const { oauth2 } = components.securitySchemes;
  const clientCredentials = { ...oauth2.flows.clientCredentials, tokenUrl: `${baseUrl}/oauth/token` };
  const securitySchemes = { ...components.securitySchemes, oauth2: { ...oauth2, flows: { clientCredentials } } };
  const contact = { ...info.contact, url: `${baseUrl}/docs` };
  return {
    ...document,
    info: { ...info, contact },
    servers: [{ url: baseUrl }],
    components: { ...components, securitySchemes },
  };
}

function partPage(context: ReferenceContext, part: string): string {
  if (GUIDES.some((slug) => slug === part)) return guidePage(context, part);
  return part === OBJECTS_PAGE ? objectsPage(context) : groupPage(context, part);
}

/** One page for each group of operations, one for the objects, and one for each guide. */
const PAGES = [...groupOperations(openApiDocument).map(({ slug }) => slug), OBJECTS_PAGE, ...GUIDES];
/** With the guides as Markdown. */
const REFERENCE_PARTS = [...PAGES, ...MARKDOWN_GUIDES.map((slug) => `${slug}.md`)];

function problemPages(context: ReferenceContext): (readonly [string, string])[] {
  const { baseUrl, locale } = context;
  const index = { baseUrl, locale };
  return [
    [ASSET_PATHS.problems(locale, 'html'), problemIndexPage(index)],
    [ASSET_PATHS.problems(locale, 'json'), JSON.stringify(problemIndex(index))],
    ...pagesOfProblems(context),
  ];
}

function pagesOfProblems(context: ReferenceContext): (readonly [string, string])[] {
  const { locale } = context;
  return PROBLEM_CODES.flatMap((code) => {
    const input = { ...context, code };
    return [
      [ASSET_PATHS.problem(code, locale, 'html'), problemPage(input)] as const,
      [ASSET_PATHS.problem(code, locale, 'json'), JSON.stringify(problemDocument(input))] as const,
    ];
  });
}

/** The changes of state with the events that report them. An amendment is possible everywhere and leads nowhere. */
const DRAWN = EDGES.filter(({ command }) => command !== 'AMEND');
const LIFECYCLE: readonly LifecycleEdge[] = [...Map.groupBy(DRAWN, ({ from, to }) => `${from} ${to}`).values()].flatMap(
  ([first, ...others]) => {
    if (first === undefined) return [];
    const label = [...new Set([first, ...others].map((edge) => edge.event))].join(', ');
    return [{ from: first.from, to: first.to, label }];
  },
);
