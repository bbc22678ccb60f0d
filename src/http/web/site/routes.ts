import { parseStored } from '../../../core/json.ts';
import type { Locale } from '../../../core/locale.ts';
import { Problem } from '../../../core/problem.ts';
import { PROBLEM_STATUSES, problemCodeOf } from '../../../core/problem-code.ts';
import { refuse } from '../../../core/result.ts';
import { asksForPage, prefersJson } from '../../accept.ts';
import { problemResponse } from '../../problem-response.ts';
import { type Answer, type Exchange, type Route, RouteTable } from '../../route-table.ts';
import { ASSET_PATHS, CLIENT_FILES, POSTMAN_COLLECTION } from '../asset-paths.ts';
import { assetsUnavailable, assetText, browserFiles } from '../asset-text.ts';
import { PAGE_POLICY, pageLocale, type Representation, represent } from '../representation.ts';
import { streetFileRoute } from '../street-file.ts';
import { consoleRoutes, driverPageRoutes } from './console.ts';

/** The pages that `src/pages` builds. They are public and need no database. */
const builtPages: readonly Route[] = [
  { method: 'GET', path: '/openapi.json', handle: showAlways(ASSET_PATHS.document, 'application/json') },
  { method: 'GET', path: '/', handle: showHome },
  { method: 'GET', path: '/docs', handle: showReference },
  { method: 'GET', path: '/docs/search.json', handle: showSearchIndex },
  { method: 'GET', path: '/docs/{part}', handle: showReferencePart },
  { method: 'GET', path: '/changes', handle: showChanges },
  { method: 'GET', path: '/clients/{name}', handle: showClient },
  { method: 'GET', path: '/llms.txt', handle: showAlways(ASSET_PATHS.llmsText, 'text/plain') },
  { method: 'GET', path: '/problems', handle: showProblems },
  { method: 'GET', path: '/problems/{name}', handle: showProblem },
  { method: 'GET', path: '/assets/{name}', handle: showAsset },
];

/** The routes of the built site, the console, the drivers' page and the map's archive. */
export const webRoutes: readonly Route[] = [
  ...builtPages.map((route) => ({ ...route, needsNoPermit: true })),
  ...consoleRoutes,
  ...driverPageRoutes,
  streetFileRoute,
];

/** Shows a file that is the same in every language. */
function showAlways(path: string, mediaType: Representation['mediaType']): Route['handle'] {
  const locale: Locale = 'en';
  return async (request, { services }) =>
    represent(request, { mediaType, locale, text: await assetText(services, path) });
}

async function showHome(request: Request, exchange: Exchange): Promise<Response> {
  return showPage(request, exchange, ASSET_PATHS.home(pageLocale(exchange)));
}

async function showReference(request: Request, exchange: Exchange): Promise<Response> {
  return showPage(request, exchange, ASSET_PATHS.reference(pageLocale(exchange)), true);
}

async function showChanges(request: Request, exchange: Exchange): Promise<Response> {
  return showPage(request, exchange, ASSET_PATHS.changes(pageLocale(exchange)), true);
}

/** What the script of the reference searches, in the language of the page. */
async function showSearchIndex(request: Request, exchange: Exchange): Promise<Response> {
  const locale = pageLocale(exchange);
  const text = await assetText(exchange.services, ASSET_PATHS.search(locale));
  return represent(request, { mediaType: 'application/json', locale, vary: 'Cookie', text });
}

/** A program to copy, as text, so that a browser shows it and runs nothing; or the collection for Postman. */
async function showClient(request: Request, exchange: Exchange): Promise<Answer> {
  const file = CLIENT_FILES.find((name) => name === exchange.parameters['name']);
  if (file === undefined) return showNotFound(request, exchange);
  const text = await assetText(exchange.services, ASSET_PATHS.client(file));
  const mediaType = file === POSTMAN_COLLECTION ? 'application/json' : 'text/plain';
  return represent(request, { mediaType, locale: 'en', text });
}

async function showReferencePart(request: Request, exchange: Exchange): Promise<Answer> {
  const parts = parseStored<readonly string[]>(await assetText(exchange.services, ASSET_PATHS.referenceParts));
  const part = parts.find((name) => name === exchange.parameters['part']);
  if (part === undefined) return showNotFound(request, exchange);
  const locale = pageLocale(exchange);
  if (!part.endsWith('.md')) return showPage(request, exchange, ASSET_PATHS.referencePart(part, locale), true);
  const text = await assetText(exchange.services, ASSET_PATHS.guideText(part.slice(0, -'.md'.length), locale));
  return represent(request, { mediaType: 'text/markdown', locale, vary: 'Cookie', text });
}

async function showPage(request: Request, exchange: Exchange, path: string, hasScript = false): Promise<Response> {
  const text = await assetText(exchange.services, path);
  return represent(request, { mediaType: 'text/html', locale: pageLocale(exchange), text, hasScript });
}

async function showProblems(request: Request, exchange: Exchange): Promise<Response> {
  return showEither(request, exchange, (locale, format) => ASSET_PATHS.problems(locale, format));
}

async function showProblem(request: Request, exchange: Exchange): Promise<Answer> {
  const code = problemCodeOf(exchange.parameters['name'] ?? '');
  if (code === undefined) return showNotFound(request, exchange);
  return showEither(request, exchange, (locale, format) => ASSET_PATHS.problem(code, locale, format));
}

/** Shows a page as HTML or as JSON, depending on the Accept header. */
async function showEither(
  request: Request,
  exchange: Exchange,
  pathOf: (locale: Locale, format: 'html' | 'json') => string,
): Promise<Response> {
  const locale = pageLocale(exchange);
  const format = prefersJson(request.headers.get('accept')) ? 'json' : 'html';
  const text = await assetText(exchange.services, pathOf(locale, format));
  const mediaType = format === 'json' ? 'application/json' : 'text/html';
  return represent(request, { mediaType, locale, vary: 'Accept', text });
}

const pageTable = new RouteTable(webRoutes);

/** The page at the address without its last slash, if there is one. People and proxies add that slash. */
function pageWithoutSlash({ method }: Request, { url, services }: Exchange): string | undefined {
  if (!url.pathname.endsWith('/')) return undefined;
  const path = url.pathname.slice(0, -1);
  const match = pageTable.match(method, path, services.config.deployment);
  return match.kind === 'found' ? path + url.search : undefined;
}

/** For an unknown address: 308 to the page that differs by a slash, else 404 with a page for browsers and the problem for programs, which names the nearest path. */
export async function showNotFound(request: Request, exchange: Exchange, nearestPath?: string): Promise<Answer> {
  const page = pageWithoutSlash(request, exchange);
  if (page !== undefined) return { status: 308, headers: { location: page }, body: null };
  const locale = pageLocale(exchange);
  const text = asksForPage(request.headers.get('accept')) ? await notFoundText(exchange, locale) : undefined;
  if (text === undefined) {
    const refusal = refuse('ROUTE_NOT_FOUND', nearestPath === undefined ? {} : { members: { nearestPath } });
    return problemResponse(new Problem(refusal, { vary: 'Accept' }), exchange);
  }
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-language': locale,
    'content-security-policy': PAGE_POLICY,
    vary: 'Accept, Cookie',
  };
  return new Response(text, { status: PROBLEM_STATUSES.ROUTE_NOT_FOUND, headers });
}

/**
 * The page does not repeat the address, which may contain the token of a tracking link. Undefined if the build has no
 * such page; the response is 404 anyway.
 */
async function notFoundText({ services }: Exchange, locale: Locale): Promise<string | undefined> {
  try {
    return await assetText(services, ASSET_PATHS.notFound(locale));
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/** The file name contains a hash of the content, so the file never changes (RFC 8246). */
const CACHE_CONTROL = 'public, max-age=31536000, immutable';
/** The build's file names: name, hash and extension. */
const NAME = /^[\w-]+-[\w-]{8}\.(js|css|woff2)$/;
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
};

/** `GET /assets/{name}`: a script, stylesheet or font. A file of another build gets 404. */
async function showAsset(_request: Request, { services, parameters }: Exchange): Promise<Response> {
  const name = parameters['name'] ?? '';
  const mediaType = MEDIA_TYPES[NAME.exec(name)?.[1] ?? ''];
  if (mediaType === undefined) throw new Problem(refuse('ROUTE_NOT_FOUND'));
  const files = await browserFiles(services);
  if (!files.names.includes(name)) throw new Problem(refuse('ROUTE_NOT_FOUND'));
  const bytes = await services.readAsset(`assets/${name}`);
  if (bytes === undefined) throw assetsUnavailable();
  return new Response(bytes, { headers: { 'content-type': mediaType, 'cache-control': CACHE_CONTROL } });
}
