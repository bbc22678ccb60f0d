import { type CallStage, Failure, failureOfAnswer, type JsonAnswer } from './failure.ts';
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
    const reason = reasonOf(cause);
    const isLasting = LASTING.test(reason);
    throw new Failure({
      stage,
      code: 'NETWORK_FAILURE',
      message: `No answer from ${origin}${reason === '' ? '' : `: ${reason}`}`,
      mayHaveActed: stage === 'call' && !isLasting && !NEVER_SENT.test(reason),
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

/** A name that does not exist, or a certificate that is not trusted, in the words of Node, Bun and Deno. */
const LASTING =
  /ENOTFOUND|failed to lookup|dns error|getaddrinfo(?!.*EAI_AGAIN)|CERT|certificate|SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY)/i;
const NEVER_SENT = /ECONNREFUSED|ConnectionRefused|connection refused|EAI_AGAIN/i;

/** Why nothing came: the innermost cause that has a code or a sentence of its own. */
function reasonOf(cause: unknown): string {
  const reasons: string[] = [];
  for (let error: unknown = cause; error instanceof Error; error = error.cause) {
    const { code } = error as { readonly code?: unknown };
    const told =
      typeof code === 'string' && !error.message.includes(code) ? `${error.message} (${code})` : error.message;
    if (told !== '') reasons.push(told);
  }
  return reasons.at(-1) ?? '';
}
