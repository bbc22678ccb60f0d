import { Failure, failureOfAnswer, type JsonAnswer, type Stage } from './failure.ts';
import type { Host } from './host.ts';

/** Sends one request. The machine's own `fetch` does, or a function that takes another way to the service. */
export type Send = (url: string, init: RequestInit) => Promise<Response>;

/** How the client reaches the service. */
export interface Http {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly send: Send;
  readonly host: Host;
  /** For one request and the whole of its answer. */
  readonly timeoutMs: number;
}

/** One request for a JSON answer of any status. Whatever else happens is thrown as a `Failure`. */
export async function sendForJson(
  http: Http,
  stage: Stage,
  request: { url: string; init: RequestInit },
): Promise<JsonAnswer> {
  const { response, text } = await receive(http, stage, request);
  const { status, headers } = response;
  try {
    return { status, headers, body: JSON.parse(text) };
  } catch {
    // Not the text: it may be anything. Status and Retry-After of a proxy's page still say whether to try again.
    throw failureOfAnswer(stage, { status, headers, body: undefined }, http.host.now());
  }
}

async function receive(
  { send, host, timeoutMs }: Http,
  stage: Stage,
  { url, init }: { url: string; init: RequestInit },
): Promise<{ response: Response; text: string }> {
  const deadline = host.deadline(timeoutMs);
  const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
  try {
    // A redirect would carry a secret, or repeat a mutation, where nobody meant it to. (Workers have no mode `error`.)
    // Cookies stay at home: the service refuses a request with two identities.
    const response = await send(url, { ...init, redirect: 'manual', credentials: 'omit', signal });
    return { response, text: await response.text() };
  } catch (cause) {
    const { origin } = new URL(url);
    throw new Failure({ stage, code: 'NETWORK_FAILURE', message: `No answer from ${origin}`, cause });
  }
}
