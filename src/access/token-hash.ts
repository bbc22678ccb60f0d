import { toBase64Url } from '../core/base64url.ts';

/** What is kept of a token. One that is random throughout needs neither salt nor a slow hash. */
export async function tokenHashOf(token: string): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))));
}
