import type { AttemptError } from '../../contract/event-type.ts';
import type { TestEventResult } from '../../contract/webhook.ts';
import type { Instant } from '../../core/instant.ts';
import type { Uuid } from '../../core/uuid.ts';
import type { WebhookTerms } from '../../core/webhook-terms.ts';
import type { CompanyClock } from '../../ports/clock.ts';
import { traced } from '../../ports/tracer.ts';
import type { Resolver, WebhookTransport } from '../../ports/webhook.ts';
import { type AddressRules, checkAddress } from './address.ts';
import { type AttemptResult, attemptResultOf, failure } from './attempt-result.ts';
import { type ReceiverResponse, responseOf } from './exchange.ts';
import { isPublicAddress } from './public-address.ts';
import type { EndpointSecrets } from './secret.ts';
import { signedHeaders } from './signature.ts';
import type { EndpointRow } from './store.ts';

export interface AttemptDependencies {
  readonly clock: CompanyClock;
  readonly monotonicMs: () => number;
  readonly endpointSecrets: EndpointSecrets;
  readonly resolver: Resolver;
  readonly webhookTransport: WebhookTransport;
  readonly config: AddressRules & { readonly webhookTerms: WebhookTerms };
}

/** One attempt to send an event, and its result. */
export interface Attempt extends AttemptResult {
  readonly startedAt: Instant;
  readonly durationMs: number;
  readonly headers: TestEventResult['headers'];
  readonly response: ReceiverResponse | null;
}

export type AttemptTarget = Pick<EndpointRow, 'id' | 'url' | 'secret' | 'previousSecret' | 'previousSecretExpiresAt'>;

export interface Message {
  readonly eventId: Uuid;
  readonly body: string;
  readonly isDown: boolean;
  /** Secrets or a time that are not the right ones, to check a receiver. */
  readonly forged?: { readonly secrets?: readonly string[]; readonly at?: Instant };
}

/** The headers that all attempts to an endpoint have, so that a receiver of several endpoints knows whose secret to use. */
export function constantHeadersOf(endpointId: Uuid) {
  return {
    'content-type': 'application/json',
    'user-agent': 'Mirsal-Webhooks/1',
    'mirsal-webhook-endpoint': endpointId,
  };
}

/**
 * Sends an event's text to an endpoint once. It resolves and checks the address at each attempt, because a name can point
 * into a private network later. `isDown` is a fault that a sandbox requested.
 */
export async function attemptOnce(
  dependencies: AttemptDependencies,
  target: AttemptTarget,
  message: Message,
): Promise<Attempt> {
  const { clock, monotonicMs, endpointSecrets } = dependencies;
  const startedAt = clock.now();
  const startedMs = monotonicMs();
  const { id, secret, previousSecret, previousSecretExpiresAt: until } = target;
  const sealed = previousSecret !== null && until !== null && until > startedAt ? [secret, previousSecret] : [secret];
  const { eventId, body, isDown, forged } = message;
  const secrets = forged?.secrets ?? (await Promise.all(sealed.map((one) => endpointSecrets.open(id, one))));
  const signed = await signedHeaders({ id: eventId, body, at: forged?.at ?? clock.wall.now() }, secrets);
  const headers = { ...constantHeadersOf(id), ...signed };
  const ending = isDown
    ? unanswered('CONNECT')
    : await traced('webhook attempt', async (span) => {
        const sent = await send(dependencies, target.url, { headers, body });
        span.set('status', sent.responseStatus ?? sent.error ?? 'none');
        return sent;
      });
  return { ...ending, startedAt, durationMs: Math.round(monotonicMs() - startedMs), headers };
}

async function send(
  { resolver, webhookTransport, config, monotonicMs }: AttemptDependencies,
  address: string,
  content: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
): Promise<Ending> {
  const checked = checkAddress(address, config);
  if (!checked.ok) return unanswered('BLOCKED_ADDRESS');
  const { url, isLoopback } = checked;
  const { timeoutMs } = config.webhookTerms;
  const deadline = monotonicMs() + timeoutMs;
  const addresses = isLoopback ? [] : await resolver.resolve(url.hostname, timeoutMs);
  if (!isLoopback && addresses.length === 0) return unanswered('DNS');
  // A single address that is not public is enough to refuse, because the transport may choose any of them.
  if (!addresses.every(isPublicAddress)) return unanswered('BLOCKED_ADDRESS');
  const leftMs = Math.max(1, Math.floor(deadline - monotonicMs()));
  const answer = await webhookTransport.post({ url, addresses, ...content, timeoutMs: leftMs });
  return { ...attemptResultOf(answer), response: responseOf(answer) };
}

type Ending = AttemptResult & Pick<Attempt, 'response'>;

function unanswered(error: AttemptError): Ending {
  return { ...failure(error), response: null };
}
