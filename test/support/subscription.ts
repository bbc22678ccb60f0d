import type { Environment } from '../../scripts/shared/connection.ts';
import { type Receiver, type Respond, startReceiver } from '../../scripts/shared/receiver.ts';
import { newSandbox, type Sandbox } from '../../scripts/shared/sandbox.ts';
import type { JsonObject } from '../../scripts/shared/shipments.ts';
import { until } from '../../scripts/shared/until.ts';
import { DELIVERIES, type NewEndpointBody, type WebhookManager, webhooksOf } from '../../scripts/shared/webhooks.ts';
import { type DeliveryBody, readDeliveryPage, readDeliveryWithAttempts } from './deliveries.ts';

/** A company with a sandbox, a receiver and one endpoint. */
export interface Subscription extends Sandbox {
  readonly receiver: Receiver;
  readonly webhooks: WebhookManager;
  readonly endpoint: NewEndpointBody;
  /** Deliveries as the company lists them, newest first. */
  deliveries(query?: string): Promise<DeliveryBody[]>;
  /** All deliveries of the endpoint, oldest first, once `count` of them have ended. */
  settled(count: number): Promise<DeliveryBody[]>;
}

/** Starts receivers and closes them all. */
export function receivers() {
  const started: Receiver[] = [];
  return {
    async start(respond?: Respond): Promise<Receiver> {
      const receiver = await startReceiver(respond);
      started.push(receiver);
      return receiver;
    },
    close: async () => {
      await Promise.all(started.map((receiver) => receiver.close()));
    },
  };
}

export async function subscribe(
  environment: Environment,
  receiver: Receiver,
  changes?: JsonObject,
): Promise<Subscription> {
  const sandbox = await newSandbox(environment);
  const webhooks = await webhooksOf(environment, sandbox.merchant);
  const endpoint = await webhooks.add(receiver.url, changes);
  const deliveries = async (query = '') =>
    (await readDeliveryPage(await sandbox.merchant.get(`${DELIVERIES}?limit=100${query}`))).data;
  return {
    ...sandbox,
    receiver,
    webhooks,
    endpoint,
    deliveries,
    settled: (count) =>
      until(`${count} deliveries are over`, async () => {
        const all = await deliveries(`&endpointId=${endpoint.endpointId}`);
        return all.filter(({ completedAt }) => completedAt !== null).length >= count ? all.toReversed() : undefined;
      }),
  };
}

/** The first attempt of the newest delivery. */
export async function firstAttemptOf(one: Subscription) {
  const [delivery] = await one.deliveries();
  const path = `${DELIVERIES}/${delivery?.deliveryId}`;
  return (await readDeliveryWithAttempts(await one.merchant.get(path))).attempts[0];
}
