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

/** The headers of an answer, by their names in lower case. */
export type AnswerHeaders = Pick<Headers, 'get'>;

/** The beginning of an answer's body. */
export interface AnswerBody {
  /** At most `ANSWER_BYTES_MAX`. */
  readonly bytes: Uint8Array;
  /** Whether this is the whole body: it was not longer, did not break off and did not take too long. */
  readonly isWhole: boolean;
}

/** The answer, or why there is none. */
export type WebhookAnswer =
  | { readonly ok: true; readonly status: number; readonly headers: AnswerHeaders; readonly body: AnswerBody }
  | { readonly ok: false; readonly error: 'TIMEOUT' | 'TLS' | 'CONNECT' };

/** Bytes of an answer's body that are kept. No transport reads much on after them. */
export const ANSWER_BYTES_MAX = 4096;

/** How long a transport waits for the body after the head, so that a receiver that never ends its answer costs little. */
export const ANSWER_BODY_MS_MAX = 1000;

/** Sends one POST and reads the head and the beginning of the body. It follows no redirect. Never rejects. */
export interface WebhookTransport {
  post(request: OutgoingWebhook): Promise<WebhookAnswer>;
}

/** What a change of an endpoint tells its queue. */
export interface EndpointChange {
  readonly version: number;
  readonly waitMs: number;
}

/** Calls the queue of a webhook endpoint, which may be in another process or object. */
export interface EndpointWaker {
  /** Due times are stored in the database; this only makes the queue start sooner. Never rejects. */
  wake(shard: string, endpointId: Uuid): Promise<void>;
  /**
   * Tells the queue the version of the endpoint after a change. It sends nothing more of an earlier version. Resolves when
   * requests of earlier versions have ended, after `waitMs` at the latest, with the number of those with a first lease that have
   * not; undefined if the queue was not reached. Never rejects.
   */
  withdraw(shard: string, endpointId: Uuid, change: EndpointChange): Promise<number | undefined>;
}
