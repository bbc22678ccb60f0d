import { takeAllowance } from '../../../../routers/procedure.ts';
import { decodedPath, tokenInPath } from '../../../access/tracking-token.ts';
import type { Locale } from '../../../core/locale.ts';
import { networkOf } from '../../../core/network-address.ts';
import { part } from '../../../core/part.ts';
import { orThrow, Problem } from '../../../core/problem.ts';
import { refuse } from '../../../core/result.ts';
import { readTrackingForPage } from '../../../domain/tracking/reading.ts';
import { FORM_TYPE, readBytes, requireMediaType } from '../../body.ts';
import { hasCurrent, weakTextTagOf } from '../../conditional.ts';
import { problemResponse } from '../../problem-response.ts';
import type { Exchange, Route } from '../../route-table.ts';
import { formTextOf } from '../../sent-text.ts';
import { browserFiles, mapAddressOf } from '../asset-text.ts';
import { choiceCookie, chosenLocale, pageLocale } from '../representation.ts';

/** Allows the page's own script, styles, fonts and logo, and requests to itself for refreshes and a rating. The map has a worker, and icons in its stylesheet. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

const pages = part(() => import('./pages.tsx'));
const changes = part(() => import('./changes.ts'));
const site = part(() => import('../site/routes.ts'));
const ratings = part(() => import('../../../domain/tracking/rating.ts'));

/** The pages of tracking links. The address is the credential, so it stays out of logs, caches, indexes and other sites. */
export const trackingRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/t/{token}',
    endsInSecret: true,
    handle: showTracking,
    answerError,
  },
  {
    method: 'POST',
    path: '/t/{token}',
    endsInSecret: true,
    handle: takeRating,
    answerError,
  },
  {
    method: 'GET',
    path: '/t/{token}/changes',
    handle: async (request, exchange) => (await changes()).openChanges(request, exchange),
  },
  ...['/t/{token}/', '/t/{token}//', '/t/{token}/{end}'].flatMap((path): Route[] => [
    { method: 'GET', path, handle: despiteEnd(showTracking), answerError },
    { method: 'POST', path, handle: despiteEnd(takeRating), answerError },
  ]),
];

/** Answers for a link with a slash stuck to its end, if the link works. Any other address is unknown, as without this route. */
function despiteEnd(handle: (request: Request, exchange: Exchange) => Promise<Response>): Route['handle'] {
  return async (request, exchange) => {
    const { end = '' } = exchange.parameters;
    try {
      if (!/[\da-z]/i.test(decodedPath(end))) return await handle(request, exchange);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
    return (await site()).showNotFound(request, exchange);
  };
}

export async function answerError(error: unknown, exchange: Exchange): Promise<Response> {
  const locale = pageLocale(exchange);
  return isGone(error) ? showGone(exchange, locale) : showTrouble(error, exchange, locale);
}

function isGone(error: unknown): boolean {
  return error instanceof Problem && error.refusal.code === 'TRACKING_LINK_UNAVAILABLE';
}

async function showTracking(request: Request, exchange: Exchange): Promise<Response> {
  const { services, facts, parameters, enterShard } = exchange;
  await takeAllowance(exchange, 'tracking', networkOf(facts.address ?? 'unknown'));
  const language = { lang: chosenLocale(exchange), locale: facts.locale };
  const token = tokenInPath(parameters['token'] ?? '');
  // A malformed token gets the same answer, and takes as long, as an unknown one.
  const { view, shard, tokenHash, viewedAt } = orThrow(
    await readTrackingForPage({ ...services, enterShard }, token, language),
  );
  const ifNoneMatch = request.headers.get('if-none-match');
  if (ifNoneMatch === null && facts.isFromPerson) exchange.later(services.views.add(shard, tokenHash, viewedAt));
  const { locale } = view.tracking;
  const streets = view.sketch === null ? undefined : await services.streets.find(view.sketch.bounds, exchange.later);
  const { trackingPage, withTag } = await pages();
  const text = trackingPage({ ...view, streets }, `/t/${token}`, { ...(await placeOf(exchange)), locale });
  const etag = await weakTextTagOf(text);
  const headers = headersOf(exchange, locale);
  headers.set('etag', etag);
  if (!hasCurrent(ifNoneMatch, etag)) return new Response(withTag(text, etag), { headers });
  headers.delete('content-type');
  return new Response(null, { status: 304, headers });
}

/** A few times the longest form. */
const FORM_BYTES_MAX = 1024;

/** Stores a rating and shows the page again, which then has it. The first rating of a shipment counts. */
async function takeRating(request: Request, exchange: Exchange): Promise<Response> {
  const { services, facts, parameters, enterShard, permit, url } = exchange;
  await takeAllowance(exchange, 'tracking', networkOf(facts.address ?? 'unknown'));
  const bytes = await readBytes({ request, permit }, FORM_BYTES_MAX);
  if (!isOwnForm(exchange)) throw new Problem(refuse('ACCESS_DENIED'));
  requireMediaType(request, FORM_TYPE);
  const form = new URLSearchParams(formTextOf(bytes));
  const stars = Number(/^[1-5]$/.exec(form.get('stars') ?? '')?.[0]);
  if (!Number.isNaN(stars)) {
    const { rateShipment } = await ratings();
    const order = { stars, correlationId: facts.correlationId };
    orThrow(await rateShipment({ ...services, enterShard }, tokenInPath(parameters['token'] ?? ''), order));
  }
  const headers = headersOf(exchange, pageLocale(exchange));
  headers.delete('content-type');
  headers.set('location', `${url.pathname}${url.search}#rating`);
  return new Response(null, { status: 303, headers });
}

/**
 * Whether the form is that of a tracking page. The page sends no Referer, so its Origin is `null` (Fetch, append a request
 * Origin header). Old browsers send no Sec-Fetch-Site; there only the token protects, which other sites do not know.
 */
function isOwnForm({ facts: { fetchSite, origin }, services: { config } }: Exchange): boolean {
  if (fetchSite !== null) return fetchSite === 'same-origin';
  return origin === null || origin === 'null' || origin === new URL(config.baseUrl).origin;
}

async function showGone(exchange: Exchange, locale: Locale): Promise<Response> {
  const { gonePage } = await pages();
  const text = gonePage({ ...(await placeOf(exchange)), locale });
  return new Response(text, { status: 404, headers: headersOf(exchange, locale) });
}

/** Shows a page instead of the problem body, with the same status and Retry-After. */
async function showTrouble(error: unknown, exchange: Exchange, locale: Locale): Promise<Response> {
  const problem = await problemResponse(error, exchange);
  const headers = headersOf(exchange, locale);
  const retryAfter = problem.headers['retry-after'];
  if (retryAfter !== undefined) headers.set('retry-after', retryAfter);
  const { troublePage } = await pages();
  const text = troublePage(exchange.facts.requestId, { ...(await placeOf(exchange)), locale });
  return new Response(text, { status: problem.status, headers });
}

export async function placeOf({ services }: Exchange) {
  return { deployment: services.config.deployment, files: await browserFiles(services), map: mapAddressOf(services) };
}

export function headersOf(exchange: Exchange, locale: Locale): Headers {
  const headers = new Headers({
    'content-type': 'text/html; charset=utf-8',
    'content-language': locale,
    'content-security-policy': POLICY,
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
    // A proxy that compresses the page makes the tag weak. If-None-Match still matches then.
    'cache-control': 'no-store',
    vary: 'Cookie',
  });
  const cookie = choiceCookie(exchange);
  if (cookie !== undefined) headers.set('set-cookie', cookie);
  return headers;
}
