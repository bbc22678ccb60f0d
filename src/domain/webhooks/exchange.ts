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
/** Not part of any character in UTF-8, so the decoder replaces it. */
const INVALID_BYTE = 0xff;

/** The answer as its merchant may read it. A pure function. */
export function responseOf(answer: WebhookAnswer): ReceiverResponse | null {
  if (!answer.ok) return null;
  const headers: Record<string, string> = {};
  for (const name of SHOWN_HEADERS) {
    const value = answer.headers.get(name);
    if (value !== null) headers[name] = shortened(value);
  }
  const text = textOf(answer.body);
  const isWhole = answer.body.isWhole && text !== undefined;
  return { status: answer.status, headers, body: text ?? '', truncated: !isWhole };
}

function shortened(value: string): string {
  return value.length > HEADER_LENGTH_MAX ? `${value.slice(0, HEADER_LENGTH_MAX)}…` : value;
}

/** Undefined if the bytes are not text. A replacement character stands for each odd byte of a text. */
function textOf({ bytes, isWhole }: AnswerBody): string | undefined {
  if (bytes.includes(0)) return undefined;
  const shown = bytes.map((byte) => (isControl(byte) ? INVALID_BYTE : byte));
  // A character at the end of a cut body may be incomplete. As a stream, the decoder leaves it out.
  const text = new TextDecoder().decode(shown, { stream: !isWhole });
  const odd = text.split('\uFFFD').length - 1;
  return odd * ODD_SHARE > text.length ? undefined : text;
}

/** A control character other than a tab or the end of a line. */
function isControl(byte: number): boolean {
  return byte < 32 && byte !== 9 && byte !== 10 && byte !== 13;
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
