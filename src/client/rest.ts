import { isSuccess } from './answer.ts';
import { type FailedEnd, type Outcome, sendUntilDone } from './attempts.ts';
import { sendAuthorized } from './authorized-fetch.ts';
import { parseWithDecimals, printWithDecimals } from './decimals.ts';
import { Failure, type FailureFacts, failureOfAnswer } from './failure.ts';
import { isOfFramework } from './http.ts';
import { connectionOf, type MirsalClientOptions } from './options.ts';
import type { MirsalErrorCode, Problem } from './problem.ts';
import { isOneVersion } from './retry-rules.ts';

export type { StoredToken, TokenStore } from './access-token.ts';
export type { Outcome } from './attempts.ts';
export type { Host, Send } from './host.ts';
export type { MirsalClientOptions } from './options.ts';
export type { ClientCode, MirsalErrorCode, Problem, ProblemViolation } from './problem.ts';

/** One call. `body` is a value for JSON, or bytes, for which `headers` have the content type. */
export interface RestCall {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A successful response. Decimals in its body are strings. The body of an empty response is null. */
export interface RestResponse<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/**
 * Calls an operation that answers JSON or nothing: `rest('GET', '/v2/external/shipments?limit=10')`. Rejects with
 * `MirsalRestError`.
 */
export type MirsalRest = <Body = unknown>(method: string, path: string, call?: RestCall) => Promise<RestResponse<Body>>;

/** Every call rejects with this error. Programs decide by `code`; the message is for logs. */
export class MirsalRestError extends Error {
  readonly code: MirsalErrorCode;
  /** The HTTP status, or undefined if there was no response. */
  readonly status: number | undefined;
  readonly problem: Problem | undefined;
  /** Quote it when you ask for help. */
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** The number of attempts, those for a token included. */
  readonly attempts: number;
  /** What the call did, over all its attempts: `none`, nothing; `done`, what it asked for is so now; otherwise `unknown`. */
  readonly outcome: Outcome;
  /** To repeat a call with an unknown outcome, send the same key. */
  readonly idempotencyKey: string | undefined;

  /** @internal */
  constructor({ facts, attempts, outcome }: FailedEnd, idempotencyKey: string | undefined) {
    super(`${facts.code}: ${facts.message}`, { cause: facts.cause });
    this.name = 'MirsalRestError';
    this.code = facts.code;
    this.status = facts.status;
    this.problem = facts.problem;
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.attempts = attempts;
    this.outcome = outcome;
    this.idempotencyKey = idempotencyKey;
  }
}

/** The operations that take an idempotency key. */
const KEYED =
  /^POST \/v2\/external\/(?:shipments|shipment-batches|media-assets|webhook-endpoints|shipments\/[^/]+\/(?:cancellations|amendments|resolutions|recalls|returns|cases|dispatch-retries|tracking-links)|cases\/[^/]+\/messages|webhook-endpoints\/[^/]+\/(?:secret-rotations|replays)|webhook-deliveries\/[^/]+\/replays)(?:\?|$)/;

/**
 * A client of the REST interface, without tRPC. It fetches access tokens, retries as the typed client does (`RetryRules`),
 * adds a missing idempotency key to each operation that takes one, and sends decimals that are strings as numbers with the
 * same digits.
 */
export function createMirsalRest(options: MirsalClientOptions): MirsalRest {
  const { http, tokens, rules } = connectionOf(options, (text) => (text === '' ? null : parseWithDecimals(text)));
  const { host } = http;
  return async <Body>(givenMethod: string, path: string, { body, headers: given, signal }: RestCall = {}) => {
    const method = givenMethod.toUpperCase();
    const operation = `${method} ${path}`;
    const headers = new Headers(given);
    const end = await sendUntilDone(rules, {
      call: {
        isRead: method === 'GET',
        isKeyed: KEYED.test(operation),
        isOfOneVersion: isOneVersion(headers.get('if-match')),
      },
      signal,
      factsOf,
      async send(both) {
        if (KEYED.test(operation) && !headers.has('idempotency-key'))
          headers.set('idempotency-key', host.newIdempotencyKey());
        const request = { url: http.baseUrl + path, method, headers, body: bodyOf(body, headers), signal: both };
        const answer = await sendAuthorized(http, tokens, request);
        const isUnchanged = answer.status === 304 && headers.has('if-none-match');
        if (!isUnchanged && !isSuccess(operation, answer)) throw failureOfAnswer('call', answer, host.now());
        return answer;
      },
    });
    if ('answer' in end) return { ...end.answer, body: end.answer.body as Body };
    if (isOfFramework(end.facts.cause)) throw end.facts.cause;
    throw new MirsalRestError(end, headers.get('idempotency-key') ?? undefined);
  };
}

function bodyOf(body: unknown, headers: Headers): Uint8Array<ArrayBuffer> | string | null {
  if (body === undefined) return null;
  // A copy, because a request cannot be sent from shared memory.
  if (body instanceof Uint8Array) return new Uint8Array(body);
  if (!headers.has('content-type')) headers.set('content-type', 'application/json');
  return printWithDecimals(body);
}

function factsOf(error: unknown): FailureFacts {
  if (error instanceof Failure) return error.facts;
  const message = error instanceof Error ? error.message : 'The call could not be sent';
  return { stage: 'call', code: 'CLIENT_FAILURE', message, mayHaveActed: false, cause: error };
}
