import type { Reply } from '../../routers/context.ts';
import { formatInstant } from '../core/instant.ts';
import type { Budget } from '../ports/limiter.ts';
import type { Draft, Exchange } from './route-table.ts';

/** Two years, as browsers recommend for their preload lists. */
const HSTS = 'max-age=63072000';
/** For a response that is not a page: if a browser opens it as one, it shows and runs nothing. */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'";

/** Public content that programs on any website may read. The rest of a path of tracking is secret and not part of the facts. */
const OPEN_PATHS = /^\/(?:v2\/public\/tracking|openapi\.json|llms\.txt|problems(?:\/[\w-]+)?|clients\/[\w.-]+)$/;

/** Headers that most drafts have with these values. */
const USUAL: Readonly<Record<string, string>> = {
  'content-language': 'en',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
  vary: 'Accept-Language, Accept-Encoding',
  'content-security-policy': NO_PAGE,
  'referrer-policy': 'no-referrer',
};
/** Kept, because the runtime copies a `Headers` object in half the time that it takes to set each header. */
const USUAL_HEADERS = new Headers(USUAL);

/**
 * The response with the headers of every response. A finished response is changed in place: a copy would process its body
 * again.
 */
export async function finish(request: Request, answer: Draft | Response, exchange: Exchange): Promise<Response> {
  const { method } = request;
  const { status } = answer;
  if (answer instanceof Response) {
    // The runtime has made it, for a connection that is not HTTP any more. Its headers cannot be changed.
    if (status === 101) return answer;
    const { headers } = answer;
    const added = headersOf({ method, status, own: (name) => headers.get(name) ?? undefined }, exchange);
    for (const [name, value] of Object.entries(added)) headers.set(name, value);
    return method === 'HEAD' && answer.body !== null ? withoutBody(answer) : answer;
  }
  const { body, headers: own } = answer;
  const headers = { ...own, ...headersOf({ method, status, own: (name) => own[name] }, exchange) };
  if (status === 304) return new Response(null, { status, headers });
  const response = new Response(body, { status, headers: USUAL_HEADERS });
  for (const [name, value] of Object.entries(headers)) if (USUAL[name] !== value) response.headers.set(name, value);
  return method === 'HEAD' && body !== null ? withoutBody(response) : response;
}

interface Answered {
  readonly method: string;
  readonly status: number;
  /** A header that the route has set. */
  readonly own: (name: string) => string | undefined;
}

/** The headers that are added to those of the route, or replace them. */
function headersOf({ method, status, own }: Answered, exchange: Exchange): Record<string, string> {
  const { facts, services, reply } = exchange;
  const { baseUrl, rateLimits } = services.config;
  // A proxy that compresses makes the entity tag weak, and a weak tag never matches If-Match.
  const cacheControl = own('cache-control') ?? (own('etag') === undefined ? 'no-store' : 'no-store, no-transform');
  // Deno and proxies may compress a response, and then make the entity tag weak. `wrangler dev` compresses all, and leaves the tag.
  const varied = cacheControl.includes('no-transform') ? 'Accept-Language' : 'Accept-Language, Accept-Encoding';
  const vary = own('vary');
  const headers: Record<string, string> = {
    'x-request-id': facts.requestId,
    'x-correlation-id': facts.correlationId,
    // A page can be in the language of its address instead.
    'content-language': own('content-language') ?? facts.locale,
    // Tells browsers to trust the content type, and to let no other site embed the response or keep its window.
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': own('cross-origin-resource-policy') ?? 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': cacheControl,
    vary: vary === undefined ? varied : `${vary}, ${varied}`,
  };
  // Headers of a 304 replace those that the browser has cached (RFC 9111 section 3.2); absent ones stay.
  if (status !== 304) {
    headers['content-security-policy'] = own('content-security-policy') ?? NO_PAGE;
    headers['referrer-policy'] = own('referrer-policy') ?? 'no-referrer';
  }
  // A developer's machine has no TLS, and all its programs share `localhost`.
  if (baseUrl.startsWith('https:')) headers['strict-transport-security'] = HSTS;
  if (reply.rateLimit !== undefined) setRateLimit(headers, reply.rateLimit, rateLimits);
  if (reply.sandboxClock !== undefined) headers['mirsal-sandbox-now'] = formatInstant(reply.sandboxClock.now());
  if (OPEN_PATHS.test(facts.path)) openToWebsites(headers, method);
  return headers;
}

/** The caller's limit and what is left of it (draft-ietf-httpapi-ratelimit-headers-10). */
function setRateLimit(
  headers: Record<string, string>,
  { budget, left }: NonNullable<Reply['rateLimit']>,
  limits: Readonly<Record<Budget, number>>,
): void {
  headers['ratelimit-policy'] = `"${budget}";q=${limits[budget]};w=60`;
  if (left !== undefined) headers['ratelimit'] = `"${budget}";r=${left.uses};t=${left.seconds}`;
}

/** Lets any website read the response (CORS), such as a shop's page that shows where a parcel is, or a viewer of the document. */
function openToWebsites(headers: Record<string, string>, method: string): void {
  headers['access-control-allow-origin'] = '*';
  headers['cross-origin-resource-policy'] = 'cross-origin';
  if (method === 'OPTIONS') {
    headers['access-control-allow-methods'] = 'GET';
    headers['access-control-allow-headers'] = 'if-none-match, x-correlation-id, traceparent';
    headers['access-control-max-age'] = '86400';
  } else {
    headers['access-control-expose-headers'] = 'etag, retry-after, x-request-id, x-correlation-id';
  }
}

/** HEAD: the headers of GET, its length among them (RFC 9110 section 9.3.2). */
async function withoutBody(response: Response): Promise<Response> {
  const { byteLength } = await response.arrayBuffer();
  const headers = new Headers(response.headers);
  headers.set('content-length', String(byteLength));
  return new Response(null, { status: response.status, headers });
}
