import { parseWithDecimals } from './decimals.ts';
import type { MirsalOutputs } from './router.ts';

/** A delivered or listed event. Decimals and instants are strings. */
export type MirsalEvent = MirsalOutputs['events']['list']['data'][number];

/** Why a request failed the verification. */
export type WebhookFault =
  | 'MISSING_HEADER'
  | 'DUPLICATE_HEADER'
  | 'TIMESTAMP_OUT_OF_RANGE'
  | 'SIGNATURE_MISMATCH'
  | 'NOT_AN_EVENT';

/** `verifyWebhook` throws this error. Answer 400 and do nothing else with the request. */
export class WebhookVerificationError extends Error {
  readonly code: WebhookFault;

  constructor(code: WebhookFault) {
    super(`The request is no webhook of ours: ${code}`);
    this.name = 'WebhookVerificationError';
    this.code = code;
  }
}

/** A received request. `body` is its exact text or bytes. A body that was parsed and printed again has another signature. */
export interface WebhookRequest {
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string | Uint8Array | ArrayBuffer;
}

export interface VerifyOptions {
  /** The maximum difference between the timestamp and the clock; 300 by default. */
  readonly toleranceSeconds?: number | undefined;
  /** Milliseconds since 1970; the current time by default. */
  readonly nowMs?: number | undefined;
}

export const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = 'whsec_';
/** Standard Webhooks 1.0.0 asks for at least 24 bytes. An empty key would let anybody sign. */
const SECRET_BYTES_MIN = 24;

/**
 * Verifies a request (Standard Webhooks 1.0.0) and returns its event. Throws `WebhookVerificationError` if the request is
 * not signed with the endpoint's secret, and a TypeError for a body that was parsed already. `secret` may be a list during a rotation. In it an undefined secret is absent; an
 * empty one, or another text that is no signing secret, is a TypeError, whatever the request.
 *
 * The same event may arrive more than once. Store the ids of processed events, or compare `sequence`.
 */
export async function verifyWebhook(
  secret: string | readonly (string | null | undefined)[],
  { headers, body: received }: WebhookRequest,
  { toleranceSeconds = TOLERANCE_SECONDS, nowMs = Date.now() }: VerifyOptions = {},
): Promise<MirsalEvent> {
  const body = textOf(received);
  const keys = keysOf(typeof secret === 'string' ? [secret] : secret);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signature = headerOf(headers, 'webhook-signature');
  const isRecent = /^\d{1,12}$/.test(timestamp) && Math.abs(nowMs / 1000 - Number(timestamp)) <= toleranceSeconds;
  if (!isRecent) throw new WebhookVerificationError('TIMESTAMP_OUT_OF_RANGE');
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const isSigned = await Promise.all(keys.map((key) => isSignedWith(key, content, signature)));
  if (!isSigned.includes(true)) throw new WebhookVerificationError('SIGNATURE_MISMATCH');
  return parseEvent(body);
}

/** The exact text of a body. A `Buffer` is a `Uint8Array`. Bytes that are no UTF-8 keep what is wrong, and fail the check. */
function textOf(body: WebhookRequest['body']): string {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array || body instanceof ArrayBuffer)
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  throw new TypeError(
    'body is not the text or the bytes of the request. A framework has probably parsed it: read the raw body instead',
  );
}

/** The header's only line. Two lines come as an array, or joined with a comma and a space, which no value of ours has. */
function headerOf(headers: WebhookRequest['headers'], name: string): string {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const [value, ...others] = entries.flatMap(([given, lines]) => (given.toLowerCase() === name ? (lines ?? []) : []));
  if (value === undefined) throw new WebhookVerificationError('MISSING_HEADER');
  if (others.length > 0 || value.includes(', ')) throw new WebhookVerificationError('DUPLICATE_HEADER');
  return value;
}

/** `subtle.verify` compares in constant time. */
async function isSignedWith(
  bytes: Uint8Array<ArrayBuffer>,
  content: Uint8Array<ArrayBuffer>,
  signature: string,
): Promise<boolean> {
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  for (const part of signature.split(' ')) {
    const given = part.startsWith('v1,') ? bytesOf(part.slice(3)) : undefined;
    if (given !== undefined && (await crypto.subtle.verify('HMAC', key, given, content))) return true;
  }
  return false;
}

/** Throws a TypeError for text that is not a signing secret, because that is an error in the program. */
function keysOf(secrets: readonly (string | null | undefined)[]): readonly Uint8Array<ArrayBuffer>[] {
  const given = secrets.filter((secret) => secret !== undefined && secret !== null);
  if (given.length === 0) throw new TypeError('There is no signing secret');
  return given.map((secret) => {
    const bytes = secret.startsWith(SECRET_PREFIX) ? bytesOf(secret.slice(SECRET_PREFIX.length)) : undefined;
    if (bytes !== undefined && bytes.length >= SECRET_BYTES_MIN) return bytes;
    throw new TypeError(`A signing secret starts with whsec_ and has at least ${SECRET_BYTES_MIN} bytes in base64`);
  });
}

/** The bytes, if the text is base64 as an encoder writes it. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const text = atob(base64);
    return btoa(text) === base64 ? Uint8Array.from(text, (character) => character.charCodeAt(0)) : undefined;
  } catch {
    return undefined;
  }
}

function parseEvent(body: string): MirsalEvent {
  try {
    const event: unknown = parseWithDecimals(body);
    if (typeof event === 'object' && event !== null && 'id' in event && 'type' in event) return event as MirsalEvent;
  } catch {
    // Signed, but not JSON, so the service did not send it.
  }
  throw new WebhookVerificationError('NOT_AN_EVENT');
}
