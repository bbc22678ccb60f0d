import { createTRPCClient, httpLink, type TRPCClient } from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { AccessTokenCache } from './client/access-token.ts';
import { authorizedFetch } from './client/authorized-fetch.ts';
import { type Host, systemHost } from './client/host.ts';
import type { Http, Send } from './client/http.ts';
import { idempotencyKeyLink } from './client/idempotency-key.ts';
import { retryLink } from './client/retry.ts';
import type { MirsalRouter } from './client/router.ts';
import { uploadLink } from './client/upload.ts';

export type { ClientCode, MirsalErrorCode } from './client/failure.ts';
export type { Host } from './client/host.ts';
export type { Send } from './client/http.ts';
export { listAll } from './client/list-all.ts';
export { MirsalError } from './client/mirsal-error.ts';
export type { Problem, ProblemViolation } from './client/problem.ts';
export type { MirsalRouter } from './client/router.ts';
export {
  type MirsalEvent,
  type VerifyOptions,
  verifyWebhook,
  type WebhookFault,
  type WebhookRequest,
  WebhookVerificationError,
} from './client/verify-webhook.ts';

/** The options of the client: the address and the credential, and optional settings. */
export interface MirsalClientOptions {
  /** The address of a deployment: `https://api.example.com`. */
  readonly baseUrl: string | URL;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Scopes to request, separated by spaces. All scopes of the credential by default. */
  readonly scope?: string | undefined;
  /** The maximum number of retries, 3 by default. `RetryRules` says when the client retries. */
  readonly retries?: number | undefined;
  /** The time limit of one attempt, 30 000 by default. */
  readonly timeoutMs?: number | undefined;
  /** Sends requests, for example through a proxy or a service binding. The platform's `fetch` by default. */
  readonly fetch?: Send | undefined;
  /** Replaces the clock, timers and randomness in tests. */
  readonly host?: Partial<Host> | undefined;
}

/** `client.shipments.create.mutate({ … })`, `client.shipments.get.query({ shipmentId })`, and so on. */
export type MirsalClient = TRPCClient<MirsalRouter>;

/** The inputs of the procedures: `MirsalInputs['shipments']['create']`. */
export type MirsalInputs = inferRouterInputs<MirsalRouter>;

/** The outputs of the procedures: `MirsalOutputs['shipments']['list']`. */
export type MirsalOutputs = inferRouterOutputs<MirsalRouter>;

/** A shipment in a response. Decimals and instants are strings. */
export type Shipment = MirsalOutputs['shipments']['get'];
export type Branch = MirsalOutputs['branches']['list']['data'][number];
export type PickupLocation = MirsalOutputs['pickupLocations']['list']['data'][number];

const RETRIES = 3;
/** The service waits up to 5 s for an earlier request with the same key. The rest is for slow networks. */
const TIMEOUT_MS = 30_000;

/**
 * A typed client of the service for TypeScript programs on Node, Deno, Workers and in browsers. Decimals are strings,
 * so that no digit is lost. The client fetches and renews its access token, retries calls after temporary failures if
 * that is safe (`RetryRules`), and adds a missing idempotency key to every creation. Calls take `{ signal }` as their
 * second argument and reject with `MirsalError`.
 *
 * Throws a TypeError for an invalid `baseUrl`, and a RangeError if `retries` is negative or not a whole number.
 */
export function createMirsalClient(options: MirsalClientOptions): MirsalClient {
  const { clientId, clientSecret, scope, retries = RETRIES } = options;
  if (!Number.isSafeInteger(retries) || retries < 0) throw new RangeError('retries must be a whole number, 0 or more');
  const http = httpOf(options);
  const { host, baseUrl } = http;
  const tokens = new AccessTokenCache(http, { clientId, clientSecret, scope });
  return createTRPCClient<MirsalRouter>({
    links: [
      idempotencyKeyLink(() => host.newIdempotencyKey()),
      retryLink({ retries, host }),
      uploadLink(),
      // Not the batching link: the calls of a batch share one status, one Retry-After, one abort and the slowest
      // response, so the client could not retry each call by itself. HTTP/2 sends them over one connection anyway.
      httpLink({ url: `${baseUrl}/trpc`, fetch: authorizedFetch(http, tokens) }),
    ],
  });
}

/** The entity tag of a shipment, for `ifMatch`. The service refuses the command if the shipment has changed since. */
export function entityTag({ version }: { readonly version: number }): string {
  return `"${version}"`;
}

function httpOf({ baseUrl, timeoutMs = TIMEOUT_MS, fetch: send, host = {} }: MirsalClientOptions): Http {
  const { origin, pathname } = new URL(baseUrl);
  return {
    baseUrl: origin + pathname.replace(/\/+$/, ''),
    // Called as a plain function, because browsers and Workers refuse `fetch` as a method of another object.
    send: send ?? ((input, init) => fetch(input, init)),
    host: { ...systemHost, ...host },
    timeoutMs,
  };
}
