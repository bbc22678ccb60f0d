import { createTRPCClient, httpLink, type TRPCClient } from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { AccessTokens } from './client/access-token.ts';
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

/** How to reach the service, and as whom. */
export interface MirsalClientOptions {
  /** Address of a deployment: `https://api.example.com`. */
  readonly baseUrl: string | URL;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Scopes to ask for, separated by spaces. All that the credential has, if not given. */
  readonly scope?: string | undefined;
  /** Attempts after the first, 3 if not given; 0 for none. `RetryRules` says when there is another attempt. */
  readonly retries?: number | undefined;
  /** How long one attempt may take, 30 000 if not given. */
  readonly timeoutMs?: number | undefined;
  /** Sends requests, for example through a proxy or a service binding. That of the machine if not given. */
  readonly fetch?: Send | undefined;
  /** Replaces clock, timers and chance, for tests. */
  readonly host?: Partial<Host> | undefined;
}

/** `client.shipments.create.mutate({ … })`, `client.shipments.get.query({ shipmentId })`, and so on. */
export type MirsalClient = TRPCClient<MirsalRouter>;

/** What the procedures take: `MirsalInputs['shipments']['create']`. */
export type MirsalInputs = inferRouterInputs<MirsalRouter>;

/** What the procedures give: `MirsalOutputs['shipments']['list']`. */
export type MirsalOutputs = inferRouterOutputs<MirsalRouter>;

/** A shipment as it is answered: decimals and instants are strings. */
export type Shipment = MirsalOutputs['shipments']['get'];
export type Branch = MirsalOutputs['branches']['list']['data'][number];
export type PickupLocation = MirsalOutputs['pickupLocations']['list']['data'][number];

const RETRIES = 3;
/** The service waits up to 5 s for an earlier request with the same key; this leaves room for slow networks. */
const TIMEOUT_MS = 30_000;

/**
 * A typed client of the service for TypeScript programs on Node, Deno, Workers and in browsers. Decimals are strings,
 * so that no digit is lost. It fetches and renews its access token, repeats calls after passing failures where that is
 * safe (`RetryRules`), and gives every creation an idempotency key unless the caller has one. Calls take `{ signal }`
 * as their second argument and reject with `MirsalError`.
 *
 * Throws a TypeError for a `baseUrl` that is no address and a RangeError for a negative or broken `retries`.
 */
export function createMirsalClient(options: MirsalClientOptions): MirsalClient {
  const { clientId, clientSecret, scope, retries = RETRIES } = options;
  if (!Number.isSafeInteger(retries) || retries < 0) throw new RangeError('retries must be a whole number, 0 or more');
  const http = httpOf(options);
  const { host, baseUrl } = http;
  const tokens = new AccessTokens(http, { clientId, clientSecret, scope });
  return createTRPCClient<MirsalRouter>({
    links: [
      idempotencyKeyLink(() => host.newIdempotencyKey()),
      retryLink({ retries, host }),
      uploadLink(),
      // Not the batching link: the calls of a batch share one status, one Retry-After, one abort and the slowest
      // answer, so that what is to be tried again, and when, could not be told call by call. HTTP/2 sends them
      // together anyway.
      httpLink({ url: `${baseUrl}/trpc`, fetch: authorizedFetch(http, tokens) }),
    ],
  });
}

/** The entity tag of a shipment, for `ifMatch`: the command is refused if the shipment has changed since. */
export function entityTag({ version }: { readonly version: number }): string {
  return `"${version}"`;
}

function httpOf({ baseUrl, timeoutMs = TIMEOUT_MS, fetch: send, host = {} }: MirsalClientOptions): Http {
  const { origin, pathname } = new URL(baseUrl);
  return {
    baseUrl: origin + pathname.replace(/\/+$/, ''),
    // Called as a plain function: browsers and Workers refuse a fetch that is called as a method of something else.
    send: send ?? ((input, init) => fetch(input, init)),
    host: { ...systemHost, ...host },
    timeoutMs,
  };
}
