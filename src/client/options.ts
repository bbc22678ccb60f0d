import { AccessTokenCache, type TokenStore } from './access-token.ts';
import { type Host, type Send, systemHost } from './host.ts';
import type { Http } from './http.ts';
import type { RetryRules } from './retry-rules.ts';

/** The options of the client: the address and the credential, and optional settings. */
export interface MirsalClientOptions {
  /** The address of a deployment: `https://api.example.com`. */
  readonly baseUrl: string | URL;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Scopes to request, separated by spaces. All scopes of the credential by default. */
  readonly scope?: string | undefined;
  /** The maximum number of retries, 3 by default. `RetryRules` says when the client retries. */
  readonly retries?: number | undefined;
  /** The time limit of one request, 30 000 by default. A call without a token has two. */
  readonly timeoutMs?: number | undefined;
  /** The time limit of a call with all its attempts, delays and token requests, 90 000 by default. */
  readonly totalTimeoutMs?: number | undefined;
  /** Keeps the access token where other processes find it. By default each client asks for its own. */
  readonly tokenStore?: TokenStore | undefined;
  /** Sends requests, for example through a proxy or a service binding. The platform's `fetch` by default. */
  readonly fetch?: Send | undefined;
  /** Replaces the clock, timers and randomness in tests. */
  readonly host?: Partial<Host> | undefined;
}

const RETRIES = 3;
const TOTAL_TIMEOUT_MS = 90_000;
/** The service waits up to 5 s for an earlier request with the same key. The rest is for slow networks. */
export const TIMEOUT_MS = 30_000;

/** Timers fire at once after a longer time. */
const TIMER_MS_MAX = 2_147_483_647;

/** What a client works with. */
interface Connection {
  readonly http: Http;
  readonly tokens: AccessTokenCache;
  readonly rules: RetryRules;
}

/**
 * Throws a TypeError for an invalid `baseUrl` or an empty credential, and a RangeError for invalid `retries` or times.
 * @internal
 */
export function connectionOf(options: MirsalClientOptions, parse: Http['parse']): Connection {
  const { clientId, clientSecret, scope, retries = RETRIES, tokenStore } = options;
  const { timeoutMs = TIMEOUT_MS, totalTimeoutMs = TOTAL_TIMEOUT_MS } = options;
  if (!Number.isSafeInteger(retries) || retries < 0) throw new RangeError('retries must be a whole number, 0 or more');
  for (const [name, ms] of Object.entries({ timeoutMs, totalTimeoutMs }))
    if (!Number.isSafeInteger(ms) || ms < 1 || ms > TIMER_MS_MAX)
      throw new RangeError(`${name} must be a whole number of milliseconds, from 1 to ${TIMER_MS_MAX}`);
  for (const [name, value] of Object.entries({ clientId, clientSecret }))
    if (typeof value !== 'string' || value.trim() === '')
      throw new TypeError(`${name} is empty. A company's owner creates both under “API access” in the console`);
  const http = httpOf(options, parse);
  const tokens = new AccessTokenCache(http, { clientId, clientSecret, scope }, tokenStore);
  return { http, tokens, rules: { retries, totalTimeoutMs, host: http.host } };
}

function httpOf(
  { baseUrl, timeoutMs = TIMEOUT_MS, fetch: send, host = {} }: MirsalClientOptions,
  parse: Http['parse'],
): Http {
  return {
    baseUrl: baseOf(baseUrl),
    // Called as a plain function, because browsers and Workers refuse `fetch` as a method of another object.
    send: send ?? ((input, init) => fetch(input, init)),
    host: { ...systemHost, ...host },
    timeoutMs,
    parse,
  };
}

/** The address without slashes at its end. Paths of the interface are added to it. */
function baseOf(given: string | URL): string {
  const url = URL.canParse(String(given)) ? new URL(given) : undefined;
  const path = url?.pathname.replace(/\/+$/, '') ?? '';
  const isRight = /^https?:$/.test(url?.protocol ?? '') && url?.search === '' && url.hash === '' && url.username === '';
  if (url === undefined || !isRight || /\/(?:v2|trpc|external)$/.test(path))
    throw new TypeError(
      'baseUrl is the address of a deployment without any path of its interface: https://api.example.com',
    );
  return url.origin + path;
}
