import { parseWithDecimals } from './decimals.ts';
import type { MirsalOutputs } from './router.ts';

/** A delivered or listed event. Decimals and instants are strings. */
export type MirsalEvent = MirsalOutputs['events']['list']['data'][number];

/** Why a request failed the verification. */
export type WebhookFault = 'MISSING_HEADER' | 'TIMESTAMP_OUT_OF_RANGE' | 'SIGNATURE_MISMATCH' | 'NOT_AN_EVENT';

/** `verifyWebhook` throws this error. Answer 400 and do nothing else with the request. */
export class WebhookVerificationError extends Error {
  readonly code: WebhookFault;

  constructor(code: WebhookFault) {
    super(`The request is no webhook of ours: ${code}`);
    this.name = 'WebhookVerificationError';
    this.code = code;
  }
}

/** A received request. `body` is its exact text. A body that was parsed and printed again has a different signature. */
export interface WebhookRequest {
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

export interface VerifyOptions {
  /** The maximum difference between the timestamp and the clock; 300 by default. */
  readonly toleranceSeconds?: number | undefined;
  /** Milliseconds since 1970; the current time by default. */
  readonly nowMs?: number | undefined;
}

export const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = 'whsec_';

/**
 * Verifies a request (Standard Webhooks 1.0.0) and returns its event. Throws `WebhookVerificationError` if the request is
 * not signed with the endpoint's secret. `secret` may be a list during a rotation.
 *
 * The same event may arrive more than once. Store the ids of processed events, or compare `sequence`.
 */
export async function verifyWebhook(
  secret: string | readonly string[],
  { headers, body }: WebhookRequest,
  { toleranceSeconds = TOLERANCE_SECONDS, nowMs = Date.now() }: VerifyOptions = {},
): Promise<MirsalEvent> {
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (id === undefined || timestamp === undefined || signature === undefined) {
    throw new WebhookVerificationError('MISSING_HEADER');
  }
  const isRecent = /^\d{1,12}$/.test(timestamp) && Math.abs(nowMs / 1000 - Number(timestamp)) <= toleranceSeconds;
  if (!isRecent) throw new WebhookVerificationError('TIMESTAMP_OUT_OF_RANGE');
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const isSigned = await Promise.all(secrets.map((one) => isSignedWith(one, content, signature)));
  if (!isSigned.includes(true)) throw new WebhookVerificationError('SIGNATURE_MISMATCH');
  return parseEvent(body);
}

function headerOf(headers: WebhookRequest['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.[0];
}

/** `subtle.verify` compares in constant time. */
async function isSignedWith(secret: string, content: Uint8Array<ArrayBuffer>, signature: string): Promise<boolean> {
  const key = await crypto.subtle.importKey('raw', keyBytesOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
  for (const part of signature.split(' ')) {
    const bytes = part.startsWith('v1,') ? bytesOf(part.slice(3)) : undefined;
    if (bytes !== undefined && (await crypto.subtle.verify('HMAC', key, bytes, content))) return true;
  }
  return false;
}

/** Throws a TypeError for text that is not a signing secret, because that is an error in the program. */
function keyBytesOf(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = secret.startsWith(SECRET_PREFIX) ? bytesOf(secret.slice(SECRET_PREFIX.length)) : undefined;
  if (bytes === undefined || bytes.length === 0) throw new TypeError('A signing secret starts with whsec_');
  return bytes;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
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
