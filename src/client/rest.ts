import { isSuccess } from './answer.ts';
import { sendAuthorized } from './authorized-fetch.ts';
import { parseWithDecimals, printWithDecimals } from './decimals.ts';
import { Failure, type FailureFacts, failureOfAnswer } from './failure.ts';
import { connectionOf, type MirsalClientOptions } from './options.ts';
import type { MirsalErrorCode, Problem } from './problem.ts';
import { abortedAfter, isOneVersion, waitBeforeRetry } from './retry-rules.ts';

export type { Host, Send } from './host.ts';
export type { MirsalClientOptions } from './options.ts';
export type { ClientCode, MirsalErrorCode, Problem, ProblemViolation } from './problem.ts';

/** One call. `body` is a value for JSON, or bytes, for which `headers` have the content type. */
export interface RestCall {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
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
  readonly attempts: number;

  /** @internal */
  constructor(facts: FailureFacts, attempts: number) {
    super(`${facts.code}: ${facts.message}`, { cause: facts.cause });
    this.name = 'MirsalRestError';
    this.code = facts.code;
    this.status = facts.status;
    this.problem = facts.problem;
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.attempts = attempts;
  }
}

/** The operation that needs an idempotency key. */
const KEYED = /^POST \/v2\/external\/shipments(?:\?|$)/;

/**
 * A client of the REST interface, without tRPC. It fetches access tokens, retries as the typed client does (`RetryRules`),
 * adds a missing idempotency key to the creation of a shipment, and sends decimals that are strings as numbers with the
 * same digits.
 */
export function createMirsalRest(options: MirsalClientOptions): MirsalRest {
  const { http, tokens, retries } = connectionOf(options, (text) => (text === '' ? null : parseWithDecimals(text)));
  const { host } = http;
  return async <Body>(givenMethod: string, path: string, { body, headers: given, signal }: RestCall = {}) => {
    const method = givenMethod.toUpperCase();
    const headers = new Headers(given);
    const isKeyMissing = KEYED.test(`${method} ${path}`) && !headers.has('idempotency-key');
    if (isKeyMissing) headers.set('idempotency-key', host.newIdempotencyKey());
    const isRepeatable = method === 'GET' || headers.has('idempotency-key') || isOneVersion(headers.get('if-match'));
    for (let attempts = 1; ; attempts += 1) {
      try {
        const request = {
          url: http.baseUrl + path,
          method,
          headers,
          body: bodyOf(body, headers),
          signal: signal ?? null,
        };
        const answer = await sendAuthorized(http, tokens, request);
        const isUnchanged = answer.status === 304 && headers.has('if-none-match');
        if (!isUnchanged && !isSuccess(`${method} ${path}`, answer)) throw failureOfAnswer('call', answer, host.now());
        return { ...answer, body: answer.body as Body };
      } catch (error) {
        const facts = factsOf(error);
        const waitMs = waitBeforeRetry({ retries, host }, { facts, attempts, isRepeatable });
        if (waitMs !== undefined) await host.sleep(waitMs, signal);
        if (signal?.aborted === true) throw new MirsalRestError(abortedAfter(facts, signal), attempts);
        if (waitMs === undefined) throw new MirsalRestError(facts, attempts);
      }
    }
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
  return { stage: 'call', code: 'CLIENT_FAILURE', message, cause: error };
}
