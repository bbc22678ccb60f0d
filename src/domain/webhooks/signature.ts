import { type Instant, toMillis } from '../../core/instant.ts';
import { secretBytesOf } from './secret.ts';

/*
 * Promise: each attempt is signed according to Standard Webhooks 1.0.0, over exactly the sent bytes, with the time of
 * sending. Every valid secret signs, so that a receiver can change to the new secret at any time during a rotation.
 */

/** The headers of one attempt. `id` stays the same over every attempt and replay of an event. */
export async function signedHeaders(
  message: { readonly id: string; readonly body: string; readonly at: Instant },
  secrets: readonly string[],
) {
  const timestamp = String(Math.floor(toMillis(message.at) / 1000));
  const content = `${message.id}.${timestamp}.${message.body}`;
  const signatures = await Promise.all(secrets.map((secret) => sign(secret, content)));
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

async function sign(secret: string, content: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', secretBytesOf(secret), algorithm, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(content));
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`;
}
