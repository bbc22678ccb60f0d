import type { Uuid } from '../core/uuid.ts';

/** Asks what addresses a name has. */
export interface Resolver {
  /** IPv4 and IPv6 addresses in text form; none when the name has none, does not exist, or nobody answered in time. */
  resolve(host: string, timeoutMs: number): Promise<readonly string[]>;
}

export interface WebhookRequest {
  readonly url: URL;
  /** What its name was found to be. A transport that can goes to one of these and asks nobody again. */
  readonly addresses: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
}

/** An answer of whatever status, or why there is none. */
export type WebhookAnswer =
  | { readonly ok: true; readonly status: number; readonly retryAfter: string | null }
  | { readonly ok: false; readonly error: 'TIMEOUT' | 'TLS' | 'CONNECT' };

/** Sends one POST. Follows no redirect, and reads no more of the answer's body than it has to throw away. Never rejects. */
export interface WebhookTransport {
  post(request: WebhookRequest): Promise<WebhookAnswer>;
}

/** Wakes the queue of a webhook endpoint. Due times are stored in the database; this only makes the queue start sooner. */
export interface EndpointWaker {
  /** Never rejects. */
  wake(shard: string, endpointId: Uuid): Promise<void>;
}
