import type { WriteStatement } from '../../../../db/statement.ts';
import type { CommitOutcome } from '../../../../db/writer.ts';
import type { Instant } from '../../../../src/core/instant.ts';
import type { Uuid } from '../../../../src/core/uuid.ts';
import { deliveryTerms } from '../../../../src/core/webhook-terms.ts';
import type { DeliveryDependencies } from '../../../../src/domain/webhooks/delivery.ts';
import { createEndpoint } from '../../../../src/domain/webhooks/endpoint.ts';
import { EndpointSecrets } from '../../../../src/domain/webhooks/secret.ts';
import type { OutgoingWebhook, WebhookAnswer } from '../../../../src/ports/webhook.ts';
import { monotonicMs, systemRandom } from '../../../../src/providers/system.ts';
import { DeliveryRun, type SendLimits } from '../../../../src/service/delivery-run.ts';
import type { TestShard } from '../../../support/dispatch/shard.ts';
import { addShipment } from '../../../support/dispatch/shipments.ts';

/* Support for tests of queues on one shard: real SQL on a real server, with a simulated receiver and network. */

const endpointSecrets = new EndpointSecrets(
  [{ kid: 'test', key: Buffer.alloc(32, 3).toString('base64url') }],
  systemRandom,
);
const LIMITS = { sendsAtOnce: 4, sendsMax: 1000 };

export interface World {
  /** All requests in the order they were sent. */
  readonly sent: OutgoingWebhook[];
  /** The receiver’s answer; 200 by default. */
  answer: (request: OutgoingWebhook, index: number) => WebhookAnswer | Promise<WebhookAnswer>;
  /** The addresses that every name resolves to. */
  addresses: readonly string[];
  /** Sees each committed unit and its outcome, and may change the outcome that the queue gets. */
  afterCommit: (statements: readonly WriteStatement[], outcome: CommitOutcome) => CommitOutcome;
}

export const status = (code: number, retryAfter: string | null = null): WebhookAnswer => ({
  ok: true,
  status: code,
  headers: new Headers(retryAfter === null ? {} : { 'retry-after': retryAfter }),
  body: { bytes: new Uint8Array(), isWhole: true },
});

/** An endpoint for all event types, in its own shard. */
async function openQueue(shard: TestShard) {
  const world: World = {
    sent: [],
    answer: () => status(200),
    addresses: ['93.184.216.34'],
    afterCommit: (_statements, outcome) => outcome,
  };
  const process = shard.process();
  const config = {
    deployment: 'sandbox',
    baseUrl: 'https://api.mirsal.example',
    webhookTerms: deliveryTerms('production', { jitter: 0 }),
    firstLease: process.config.firstLease,
  } as const;
  const dependencies: DeliveryDependencies = {
    ...process,
    writer: {
      commit: async (request) => world.afterCommit(request.statements, await process.writer.commit(request)),
    },
    config,
    monotonicMs,
    endpointSecrets,
    resolver: { resolve: () => Promise.resolve(world.addresses) },
    webhookTransport: {
      post: async (request) => {
        world.sent.push(request);
        return world.answer(request, world.sent.length - 1);
      },
    },
    isDown: () => Promise.resolve(false),
  };
  const made = await createEndpoint({ ...process, endpointSecrets, config }, shard.scope, {
    url: 'https://hooks.shop.example/',
    eventTypes: ['*'],
  });
  if (!made.ok) throw new Error(`No endpoint: ${made.code}`);
  const endpointId = made.value.row.id;
  return {
    process,
    dependencies,
    world,
    endpointId,
    endpoint: made.value.row,
    queue: (limits: Partial<SendLimits> = {}) => new DeliveryRun(endpointId, { ...LIMITS, ...limits }),
    /** `status attempts` of each delivery, oldest first. */
    deliveries: async () =>
      (await shard.rows("select status || ' ' || attempt_count from webhook_deliveries order by position")).flat(),
    /** Number and error of each attempt. */
    attempts: () =>
      shard.rows(
        `select number, error from (select number, error, started_at from webhook_attempts
           union all select 1, null, completed_at from webhook_deliveries where only_attempt is not null)
         order by started_at, number`,
      ),
  };
}

/** The event types in the order they were sent. */
export function kindsOf(sent: readonly OutgoingWebhook[]): string[] {
  return sent.map(({ body }) => (JSON.parse(body) as { type: string }).type.replace('shipment.', ''));
}

/** An endpoint and the given number of shipments with one event each. */
export async function withEvents(shard: TestShard, count: number) {
  const one = await openQueue(shard);
  const shipmentIds: Uuid[] = [];
  for (let index = 0; index < count; index += 1) shipmentIds.push(await addShipment(shard, one.process));
  return { ...one, shipmentIds };
}

/** Seconds until the time at which the queue wants to run again. */
export function secondsTo({ clock }: TestShard, wake: Instant | null | undefined): number | null | undefined {
  return wake == null ? wake : Math.round(Number(wake - clock.now()) / 1e6);
}
