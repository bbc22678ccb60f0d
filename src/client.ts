import { createTRPCUntypedClient, httpLink } from '@trpc/client';
import { authorizedFetch } from './client/authorized-fetch.ts';
import { callsOf } from './client/calls.ts';
import { connectionOf, type MirsalClientOptions } from './client/options.ts';
import { retryLink } from './client/retry.ts';
import type { MirsalClient, MirsalRouter } from './client/router.ts';
import { uploadLink } from './client/upload.ts';

export type { StoredToken, TokenStore } from './client/access-token.ts';
export type { Outcome } from './client/attempts.ts';
export { createOrFind, type FoundShipment } from './client/create-or-find.ts';
export type { Host, Send } from './client/host.ts';
export { type ListPage, type ListProcedure, listAll } from './client/list-all.ts';
export { MirsalError } from './client/mirsal-error.ts';
export type { MirsalClientOptions } from './client/options.ts';
export type { ClientCode, MirsalErrorCode, Problem, ProblemViolation } from './client/problem.ts';
export type { Branch, MirsalClient, MirsalInputs, MirsalOutputs, PickupLocation, Shipment } from './client/router.ts';
export {
  type MirsalEvent,
  type VerifyOptions,
  verifyWebhook,
  type WebhookFault,
  type WebhookRequest,
  WebhookVerificationError,
} from './client/verify-webhook.ts';

/**
 * A typed client of the service for TypeScript programs on Node, Deno, Workers and in browsers. Decimals are strings,
 * so that no digit is lost. The client fetches and renews its access token, retries calls after temporary failures if
 * that is safe (`RetryRules`), and adds a missing idempotency key to each call that takes one. Calls take `{ signal }` as their
 * second argument and reject with `MirsalError`.
 *
 * Throws a TypeError for an invalid `baseUrl` or an empty credential, and a RangeError for `retries` or times that are no whole numbers or too small.
 */
export function createMirsalClient(options: MirsalClientOptions): MirsalClient {
  const { http, tokens, rules } = connectionOf(options, (text) => JSON.parse(text));
  const { baseUrl } = http;
  const client = createTRPCUntypedClient<MirsalRouter>({
    links: [
      retryLink(rules),
      uploadLink(),
      // Not the batching link: the calls of a batch share one status, one Retry-After, one abort and the slowest
      // response, so the client could not retry each call by itself. HTTP/2 sends them over one connection anyway.
      httpLink({ url: `${baseUrl}/trpc`, fetch: authorizedFetch(http, tokens) }),
    ],
  });
  return callsOf(client) as MirsalClient;
}

/** The entity tag of a shipment, for `ifMatch`. The service refuses the command if the shipment has changed since. */
export function entityTag({ version }: { readonly version: number }): string {
  return `"${version}"`;
}
