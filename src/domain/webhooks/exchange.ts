import type { WebhookExchange } from '../../contract/webhook.ts';
import { parseStored } from '../../core/json.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { AnswerBody, WebhookAnswer } from '../../ports/webhook.ts';
import type { EndpointSecrets } from './secret.ts';

/*
 * What an attempt sent and what came back, for its merchant. The answer may have anything in it, so it is stored
 * encrypted for its attempt, and deleted after `EXCHANGES_KEPT_DAYS`. The body that was sent is the event's and is not
 * stored again.
 */

export type ReceiverResponse = NonNullable<WebhookExchange['response']>;

export interface StoredExchange {
  readonly request: Omit<WebhookExchange['request'], 'body'>;
  readonly response: ReceiverResponse | null;
}

/** Headers that help to find a request in the receiver's own logs. Others, such as cookies, may be secrets. */
const SHOWN_HEADERS = [
  'content-type',
  'content-length',
  'date',
  'server',
  'retry-after',
  'location',
  'allow',
  'cf-ray',
  'cf-mitigated',
  'traceparent',
  'x-request-id',
  'x-correlation-id',
  'x-amzn-requestid',
  'x-amz-cf-id',
  'x-cloud-trace-context',
  'x-vercel-id',
];
const HEADER_LENGTH_MAX = 512;
/** A body is not text if more than one character in this many is odd. */
const ODD_SHARE = 10;
/** Control characters other than a tab or the end of a line. */
const CONTROLS = /(?![\t\n\r])\p{Cc}/gu;

/** The answer as its merchant may read it. A pure function. */
export function responseOf(answer: WebhookAnswer): ReceiverResponse | null {
  if (!answer.ok) return null;
  const headers: Record<string, string> = {};
  for (const name of SHOWN_HEADERS) {
    const value = answer.headers.get(name);
    if (value !== null) headers[name] = shortened(value);
  }
  const text = textOf(answer.body, answer.headers.get('content-type') ?? '');
  const isWhole = answer.body.isWhole && text !== undefined;
  return { status: answer.status, headers, body: text ?? '', truncated: !isWhole };
}

function shortened(value: string): string {
  return value.length > HEADER_LENGTH_MAX ? `${value.slice(0, HEADER_LENGTH_MAX)}…` : value;
}

/** Undefined if the bytes are not text. A replacement character stands for each odd byte of a text. */
function textOf({ bytes, isWhole }: AnswerBody, contentType: string): string | undefined {
  // A character at the end of a cut body may be incomplete. As a stream, the decoder leaves it out.
  const decoded = decoderOf(bytes, contentType).decode(bytes, { stream: !isWhole });
  if (decoded.includes('\0')) return undefined;
  const text = decoded.replaceAll(CONTROLS, '\uFFFD');
  const odd = text.split('\uFFFD').length - 1;
  return odd * ODD_SHARE > text.length ? undefined : text;
}

/** By the byte order mark, else by the charset of the Content-Type, as the Encoding standard decodes; UTF-8 without both. */
function decoderOf([first, second]: Uint8Array, contentType: string): TextDecoder {
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be');
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];
  try {
    return new TextDecoder(charset);
  } catch {
    // The receiver has an encoding that the standard does not know.
    return new TextDecoder();
  }
}

type Attempted = { readonly deliveryId: Uuid; readonly number: number };

export function sealExchange(
  secrets: EndpointSecrets,
  attempt: Attempted,
  { request, response }: StoredExchange,
): Promise<string> {
  return secrets.seal(subjectOf(attempt), JSON.stringify({ request, response }));
}

/** Null if its key was removed from the deployment. */
export async function openExchange(
  secrets: EndpointSecrets,
  attempt: Attempted,
  sealed: string,
): Promise<StoredExchange | null> {
  try {
    return parseStored<StoredExchange>(await secrets.open(subjectOf(attempt), sealed));
  } catch {
    return null;
  }
}

function subjectOf({ deliveryId, number }: Attempted): string {
  return `${deliveryId} ${number}`;
}
