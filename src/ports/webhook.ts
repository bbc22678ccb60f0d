import type { Uuid } from '../core/uuid.ts';

/** Resolves the addresses of a name. */
export interface Resolver {
  /** IPv4 and IPv6 addresses as text. Empty if the name has none, does not exist, or the resolver did not answer in time. */
  resolve(host: string, timeoutMs: number): Promise<readonly string[]>;
}

export interface OutgoingWebhook {
  readonly url: URL;
  /** The checked addresses of its name. A transport that can connect to one of these does not resolve the name again. */
  readonly addresses: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
}

/** The status of the answer, or why there is no answer. */
export type WebhookAnswer =
  | { readonly ok: true; readonly status: number; readonly retryAfter: string | null }
  | { readonly ok: false; readonly error: 'TIMEOUT' | 'TLS' | 'CONNECT' };

/** Sends one POST. It follows no redirect and does not use the answer's body. Never rejects. */
export interface WebhookTransport {
  post(request: OutgoingWebhook): Promise<WebhookAnswer>;
}

/** Wakes the queue of a webhook endpoint. Due times are stored in the database; this only makes the queue start sooner. */
export interface EndpointWaker {
  /** Never rejects. */
  wake(shard: string, endpointId: Uuid): Promise<void>;
}
