import { takeAllowance } from '../../../../routers/procedure.ts';
import type { Locale } from '../../../core/locale.ts';
import { networkOf } from '../../../core/network-address.ts';
import { part } from '../../../core/part.ts';
import { orThrow, Problem } from '../../../core/problem.ts';
import { readTrackingForPage } from '../../../domain/tracking/reading.ts';
import { hasCurrent, weakTextTagOf } from '../../conditional.ts';
import { problemResponse } from '../../problem-response.ts';
import type { Exchange, Route } from '../../route-table.ts';
import { browserFiles } from '../asset-text.ts';
import { choiceCookie, chosenLocale, pageLocale } from '../representation.ts';

/** Allows the page's own script, styles and fonts, and requests to itself for refreshes. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'";

const pages = part(() => import('./pages.tsx'));

/** The pages of tracking links. The address is the credential, so it stays out of logs, caches, indexes and other sites. */
export const trackingRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/t/{token}',
    endsInSecret: true,
    handle: showTracking,
    answerError,
  },
];

async function answerError(error: unknown, exchange: Exchange): Promise<Response> {
  const locale = pageLocale(exchange);
  const isGone = error instanceof Problem && error.refusal.code === 'TRACKING_LINK_UNAVAILABLE';
  return isGone ? showGone(exchange, locale) : showTrouble(error, exchange, locale);
}

async function showTracking(request: Request, exchange: Exchange): Promise<Response> {
  const { services, facts, parameters, enterShard } = exchange;
  await takeAllowance(exchange, 'tracking', networkOf(facts.address ?? 'unknown'));
  const language = { lang: chosenLocale(exchange), locale: facts.locale };
  // A malformed token gets the same answer, and takes as long, as an unknown one.
  const { view, shard, linkId, viewedAt } = orThrow(
    await readTrackingForPage({ ...services, enterShard }, parameters['token'] ?? '', language),
  );
  const ifNoneMatch = request.headers.get('if-none-match');
  if (ifNoneMatch === null) exchange.later(services.views.add(shard, linkId, viewedAt));
  const { locale } = view.tracking;
  const { trackingPage, withTag } = await pages();
  const text = trackingPage(view, { ...(await placeOf(exchange)), locale });
  const etag = await weakTextTagOf(text);
  const headers = headersOf(exchange, locale);
  headers.set('etag', etag);
  if (!hasCurrent(ifNoneMatch, etag)) return new Response(withTag(text, etag), { headers });
  headers.delete('content-type');
  return new Response(null, { status: 304, headers });
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

async function placeOf({ services }: Exchange) {
  return { deployment: services.config.deployment, files: await browserFiles(services) };
}

function headersOf(exchange: Exchange, locale: Locale): Headers {
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
