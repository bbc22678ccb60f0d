import type { Reply } from '../../routers/context.ts';
import type { Budget } from '../ports/limiter.ts';
import type { Exchange } from './route-table.ts';

/** Two years, as browsers recommend for their preload lists. */
const HSTS = 'max-age=63072000';
/** For a response that is not a page: if a browser opens it as one, it shows and runs nothing. */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'";

/** What stands for the path of a recipient's tracking, because the rest of it is secret. */
const TRACKING_PREFIX = '/v2/public/tracking';

/** Adds the headers of every response. It changes the response in place, because a copy would process the body again. */
export async function finish(request: Request, response: Response, exchange: Exchange): Promise<Response> {
  const { facts, services, reply } = exchange;
  const { headers } = response;
  headers.set('x-request-id', facts.requestId);
  headers.set('x-correlation-id', facts.correlationId);
  // A page can be in the language of its address instead.
  if (!headers.has('content-language')) headers.set('content-language', facts.locale);
  guardBrowsers(response, services.config.baseUrl);
  if (reply.rateLimit !== undefined) tellRateLimit(headers, reply.rateLimit, services.config.rateLimits);
  if (facts.path === TRACKING_PREFIX) openToWebsites(request, response);
  // A proxy that compresses makes the entity tag weak, and a weak tag never matches If-Match.
  if (!headers.has('cache-control'))
    headers.set('cache-control', headers.has('etag') ? 'no-store, no-transform' : 'no-store');
  // Deno and proxies may compress a response, and then make the entity tag weak.
  const mayBeCompressed = headers.get('cache-control')?.includes('no-transform') !== true;
  headers.append('vary', mayBeCompressed ? 'Accept-Language, Accept-Encoding' : 'Accept-Language');
  return request.method === 'HEAD' && response.body !== null ? withoutBody(response) : response;
}

/**
 * Tells browsers to trust the content type, to let no other site embed the response or keep a reference to its window,
 * and to use TLS only. A page has set its own content and referrer policies before.
 */
function guardBrowsers({ headers, status }: Response, baseUrl: string): void {
  headers.set('x-content-type-options', 'nosniff');
  headers.set('cross-origin-resource-policy', 'same-origin');
  headers.set('cross-origin-opener-policy', 'same-origin');
  // Headers of a 304 replace those that the browser has cached (RFC 9111 section 3.2); absent ones stay.
  if (status !== 304) {
    if (!headers.has('content-security-policy')) headers.set('content-security-policy', NO_PAGE);
    if (!headers.has('referrer-policy')) headers.set('referrer-policy', 'no-referrer');
  }
  // A developer's machine has no TLS, and all its programs share `localhost`.
  if (baseUrl.startsWith('https:')) headers.set('strict-transport-security', HSTS);
}

/** The caller's limit and what is left of it (draft-ietf-httpapi-ratelimit-headers-10). */
function tellRateLimit(
  headers: Headers,
  { budget, left }: NonNullable<Reply['rateLimit']>,
  limits: Readonly<Record<Budget, number>>,
): void {
  headers.set('ratelimit-policy', `"${budget}";q=${limits[budget]};w=60`);
  if (left !== undefined) headers.set('ratelimit', `"${budget}";r=${left.uses};t=${left.seconds}`);
}

/** Lets any website read the response (CORS), so that a shop's page can show where a parcel is. */
function openToWebsites({ method }: Request, { headers }: Response): void {
  headers.set('access-control-allow-origin', '*');
  headers.set('cross-origin-resource-policy', 'cross-origin');
  if (method === 'OPTIONS') {
    headers.set('access-control-allow-methods', 'GET');
    headers.set('access-control-allow-headers', 'if-none-match, x-correlation-id, traceparent');
    headers.set('access-control-max-age', '86400');
  } else {
    headers.set('access-control-expose-headers', 'etag, retry-after, x-request-id, x-correlation-id');
  }
}

/** HEAD: the headers of GET, its length among them (RFC 9110 section 9.3.2). */
async function withoutBody(response: Response): Promise<Response> {
  const { byteLength } = await response.arrayBuffer();
  const headers = new Headers(response.headers);
  headers.set('content-length', String(byteLength));
  return new Response(null, { status: response.status, headers });
}
