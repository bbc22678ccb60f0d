import type { HTTPLinkOptions } from '@trpc/client';
import type { AccessTokenCache } from './access-token.ts';
import { Failure, failureOfAnswer, type JsonAnswer } from './failure.ts';
import { type Http, sendForJson } from './http.ts';
import { isRecord } from './problem.ts';

type LinkFetch = NonNullable<HTTPLinkOptions<{ errorShape: never; transformer: false }>['fetch']>;

/**
 * The `fetch` of the tRPC link. It adds the access token and resolves only for a result. It throws everything else as a
 * `Failure`, because only here the status and the headers are known.
 */
export function authorizedFetch(http: Http, tokens: AccessTokenCache): LinkFetch {
  return async (input, init = {}) => {
    const { method = 'GET', body = null, headers, signal } = init;
    const address = new URL(input instanceof Request ? input.url : String(input));
    const sent = { url: address.href, method, body };
    const isLong = method === 'GET' && address.href.length > ADDRESS_LENGTH_MAX;
    const request = { ...(isLong ? inBody(address) : sent), headers: new Headers(headers), signal: signal ?? null };
    if (isLong) request.headers.set('content-type', 'application/json');
    const answer = await sendAuthorized(http, tokens, request);
    if (!isResult(answer)) throw failureOfAnswer('call', answer, http.host.now());
    return { ok: true, json: () => Promise.resolve(answer.body) };
  };
}

export interface AuthorizedRequest extends RequestInit {
  readonly url: string;
  readonly headers: Headers;
  readonly signal: AbortSignal | null;
}

/** Proxies refuse longer addresses, nginx those of more than 8 kB. */
const ADDRESS_LENGTH_MAX = 6_000;

/** A query with its input in the body, which the service takes as the same query. */
function inBody(address: URL) {
  const body = address.searchParams.get('input');
  address.searchParams.delete('input');
  return { url: address.href, method: 'POST', body };
}

/** Sends a request with the access token and returns the response of any status. Drops a token that is refused. */
export async function sendAuthorized(
  http: Http,
  tokens: AccessTokenCache,
  { url, ...init }: AuthorizedRequest,
): Promise<JsonAnswer> {
  const token = await unlessAborted(tokens.current(), init.signal);
  init.headers.set('authorization', `Bearer ${token}`);
  const answer = await sendForJson(http, 'call', { url, init });
  if (answer.status === 401) tokens.discard(token);
  return answer;
}

/** A procedure that returns nothing has an empty result, which a proxy could answer too. */
function isResult({ status, headers, body }: JsonAnswer): boolean {
  if (status !== 200 || !isRecord(body) || !isRecord(body['result'])) return false;
  return 'data' in body['result'] || headers.has('x-request-id');
}

/** Waits for the shared token request. An aborted call stops waiting without aborting the request. */
function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal | null): Promise<Value> {
  if (signal === null) return promise;
  return new Promise((resolve, reject) => {
    const facts = {
      stage: 'token',
      code: 'NETWORK_FAILURE',
      message: 'No token in time',
      mayHaveActed: false,
    } as const;
    const abort = () => reject(new Failure({ ...facts, cause: signal.reason }));
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    const forget = () => signal.removeEventListener('abort', abort);
    promise.then(resolve, reject).then(forget, forget);
  });
}
