import { type CallStage, Failure, failureOfAnswer, type JsonAnswer } from './failure.ts';
import type { Host, Send } from './host.ts';

/** How the client reaches the service. */
export interface Http {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly send: Send;
  readonly host: Host;
  /** For one request with its whole response. */
  readonly timeoutMs: number;
  /** Reads the body of a response. Throws if it is not JSON. */
  readonly parse: (text: string) => unknown;
}

/** Sends a request and returns a JSON response of any status. Throws a `Failure` for everything else. */
export async function sendForJson(
  http: Http,
  stage: CallStage,
  request: { url: string; init: RequestInit },
): Promise<JsonAnswer> {
  const { response, text } = await receive(http, stage, request);
  const { status, headers } = response;
  try {
    return { status, headers, body: http.parse(text) };
  } catch {
    // The text may be anything, so it is not used. Status and Retry-After still decide whether to retry.
    throw failureOfAnswer(stage, { status, headers, body: undefined }, http.host.now());
  }
}

async function receive(
  { send, host, timeoutMs }: Http,
  stage: CallStage,
  { url, init }: { url: string; init: RequestInit },
): Promise<{ response: Response; text: string }> {
  const deadline = host.deadline(timeoutMs);
  const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
  try {
    // A redirect could send a secret or a mutation to another address. (Workers do not support the mode `error`.)
    // No cookies, because the service refuses a request with two identities.
    const response = await send(url, { ...init, redirect: 'manual', credentials: 'omit', signal });
    return { response, text: await response.text() };
  } catch (cause) {
    const { origin } = new URL(url);
    throw new Failure({ stage, code: 'NETWORK_FAILURE', message: `No answer from ${origin}`, cause });
  }
}
