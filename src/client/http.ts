import { type CallStage, causesOf, Failure, failureOfAnswer, type JsonAnswer } from './failure.ts';
import { eitherSignal, type Host, type Send } from './host.ts';

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
  const signal = init.signal ? eitherSignal(init.signal, deadline) : deadline;
  try {
    // A redirect could send a secret or a mutation to another address. (Workers do not support the mode `error`.)
    // No cookies, because the service refuses a request with two identities.
    const response = await send(url, { ...init, ...NOT_STORED, redirect: 'manual', credentials: 'omit', signal });
    return { response, text: await response.text() };
  } catch (cause) {
    if (isOfFramework(cause)) throw cause;
    const { origin } = new URL(url);
    const { text, isLasting, isUnsent } = reasonOf(cause);
    throw new Failure({
      stage,
      code: 'NETWORK_FAILURE',
      message: `No answer from ${origin}${text === '' ? '' : `: ${text}`}`,
      mayHaveActed: stage === 'call' && !isUnsent,
      isLasting,
      cause,
    });
  }
}

/** Frameworks store what `fetch` reads: Next 14 keeps tokens on its disk. Older Workers refuse the option. */
const NOT_STORED = takesCache() ? ({ cache: 'no-store' } as const) : {};

function takesCache(): boolean {
  try {
    return new Request('http://localhost', { cache: 'no-store' }).url !== '';
  } catch {
    return false;
  }
}

/** Next throws such errors from `fetch` to steer its rendering. They are not failures, and must arrive as they are. */
export function isOfFramework(error: unknown): error is Error & { readonly digest: string } {
  return error instanceof Error && typeof (error as { readonly digest?: unknown }).digest === 'string';
}

/** Codes of Node and Bun: the name does not exist, or the certificate is not trusted. */
const LASTING_CODE =
  /^(?:ENOTFOUND|CERT_\w+|ERR_TLS_CERT\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)$/;
/** No connection: the name is not known at the moment, or nobody listens. */
const UNSENT_CODE = /^(?:EAI_AGAIN|ECONNREFUSED|ConnectionRefused)$/;
/** Deno has no codes. Before this text nothing was sent. */
const UNSENT_TEXT = /client error \(Connect\)/;
const LASTING_TEXT = /invalid peer certificate|dns error(?!.*temporary)/i;

/** Why nothing came, by the innermost cause. The text has no address, because that may have a reference or a name. */
function reasonOf(cause: unknown): { readonly text: string; readonly isLasting: boolean; readonly isUnsent: boolean } {
  let [text, isLasting, isUnsent] = ['', false, false];
  for (const error of causesOf(cause)) {
    const { code: given } = error as { readonly code?: unknown };
    const code = typeof given === 'string' ? given : '';
    const message = error.message.replaceAll(/ ?\(?\bhttps?:\/\/[^\s)]*\)?/g, '');
    text = code === '' || message.includes(code) ? message || text : `${message} (${code})`;
    const isUnsentText = UNSENT_TEXT.test(message);
    isLasting ||= LASTING_CODE.test(code) || (isUnsentText && LASTING_TEXT.test(message));
    isUnsent ||= isLasting || UNSENT_CODE.test(code) || isUnsentText;
  }
  return { text, isLasting, isUnsent };
}
