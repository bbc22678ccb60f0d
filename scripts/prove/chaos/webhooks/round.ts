import { setTimeout as delay } from 'node:timers/promises';
import { createMirsalClient, listAll, type MirsalClient } from '../../../../src/client.ts';
import { createSample } from '../../../dev/demo-client.ts';
import { addCompany } from '../../../shared/companies.ts';
import { Dice } from '../../../shared/dice.ts';
import type { Objection } from '../../rules/promises.ts';
import { type Cluster, WEBHOOK_TERMS } from '../cluster/cluster.ts';
import { injectFault } from '../cluster/faults.ts';
import { type ChaosReceiver, type Moods, startChaosReceiver } from './receiver.ts';
import { type Delivered, judge, type Listed, type WebhookEvidence } from './verdict.ts';

/*
 * Webhooks under chaos: one company's shipments proceed while the service is killed and its receivers fail, hang and
 * disconnect. When all work is finished, the received webhooks are compared with the feed and the lists of deliveries.
 */

export interface WebhookPlan {
  readonly seed: number;
  readonly shipments: number;
  readonly kills: number;
}

export interface WebhookRound {
  readonly evidence: WebhookEvidence;
  /** How often the receiver reacted in each way. */
  readonly moods: ReadonlyMap<string, number>;
  readonly objections: readonly Objection[];
}

const SHARD = 'shard-1';
/** Half of the requests are taken: deliveries are retried, and shipments make progress. */
const MOODS: Moods = { take: 50, fail: 15, hang: 5, reset: 10, redirect: 10, too_busy: 10 };
/** The lease of a killed process runs out in 17 s; the slowest schedule takes half a minute. */
const PATIENCE_MS = 180_000;

export async function playWebhookRound(cluster: Cluster, plan: WebhookPlan): Promise<WebhookRound> {
  const dice = new Dice(plan.seed);
  let isCalm = false;
  const receiver = await startChaosReceiver(dice, MOODS, () => isCalm);
  const gone = await startChaosReceiver(dice, { take: 3, gone: 1 }, () => false);
  const refusing = await startChaosReceiver(dice, { fail: 1 }, () => false);
  const company = await addCompany(cluster.environment, SHARD);
  const client = clientOf(cluster, company);
  try {
    const endpointId = await subscribe(client, receiver);
    const goneEndpointId = await subscribe(client, gone);
    // One event of each shipment is enough: each is sent ten times before it is given up.
    const refusingEndpointId = await subscribe(client, refusing, ['shipment.created']);
    const killing = killAll(cluster, dice, plan.kills);
    const shipmentIds = await play(client, dice, plan.shipments);
    await killing;
    isCalm = true;
    await waitUntilOver(client, [endpointId, refusingEndpointId]);
    const { state } = await client.webhookEndpoints.get.query({ endpointId: goneEndpointId });
    const evidence: WebhookEvidence = {
      events: await listEvents(client),
      deliveries: await listDeliveries(client, endpointId),
      refused: await listDeliveries(client, refusingEndpointId),
      endpointId,
      shipmentIds,
      attemptsMax: WEBHOOK_TERMS.delaysSeconds.length,
      arrivals: receiver.arrivals,
      forged: [receiver, gone, refusing].flatMap(({ forged }) => forged),
      gone: { answers: gone.counts.get('gone') ?? 0, state },
    };
    return { evidence, moods: receiver.counts, objections: judge(evidence) };
  } finally {
    const end = "update webhook_endpoints set state = 'DELETED' where company_id = ?";
    await cluster.environment.sql(SHARD, end, [company.companyId]);
    for (const one of [receiver, gone, refusing]) one.close();
  }
}

/** Its requests go through the proxy in front of the service, whatever address the service gives itself. */
function clientOf(
  { environment, proxy }: Cluster,
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string },
): MirsalClient {
  const { baseUrl } = environment;
  const address = proxy('service').url;
  return createMirsalClient({
    ...{ baseUrl, clientId, clientSecret, retries: 10 },
    fetch: (url, init) => fetch(url.replace(baseUrl, address), init),
  });
}

async function listEvents(client: MirsalClient): Promise<Listed[]> {
  const events: Listed[] = [];
  for await (const event of listAll(client.events.list, {})) events.push(event);
  return events;
}

async function listDeliveries(client: MirsalClient, endpointId: string): Promise<Delivered[]> {
  const deliveries: Delivered[] = [];
  for await (const { deliveryId } of listAll(client.webhookDeliveries.list, { endpointId })) {
    deliveries.push(await client.webhookDeliveries.get.query({ deliveryId }));
  }
  return deliveries;
}

type EventTypes = Parameters<MirsalClient['webhookEndpoints']['create']['mutate']>[0]['eventTypes'];

async function subscribe(client: MirsalClient, receiver: ChaosReceiver, eventTypes: EventTypes = ['*']) {
  const made = await client.webhookEndpoints.create.mutate({ url: receiver.url, eventTypes });
  receiver.secret = made.signingSecret;
  return made.endpointId;
}

/** Kills the service while shipments are on their way, at moments that the seed chooses. */
async function killAll(cluster: Cluster, dice: Dice, kills: number): Promise<void> {
  for (let number = 1; number <= kills; number += 1) {
    const atMs = dice.between(1000, 4000);
    await injectFault(cluster, { kind: 'kill', target: 'service', atMs, lastsMs: 0, answerBytes: 0 });
  }
}

async function play(client: MirsalClient, dice: Dice, count: number): Promise<string[]> {
  const shipmentIds: string[] = [];
  const fixtures = await insist(() => client.sandbox.bootstrap.mutate({}));
  for (let number = 1; number <= count; number += 1) {
    await delay(dice.between(20, 400));
    const course = dice.pick({ HAPPY_PATH: 5, RECIPIENT_REFUSED: 2, NO_DRIVER: 1, CANCEL: 2 });
    const { shipmentId } = await createSample(client, fixtures, 'chaos');
    shipmentIds.push(shipmentId);
    if (course === 'CANCEL') {
      await insist(() => client.shipments.cancel.mutate({ shipmentId, ifMatch: '*', reasonCode: 'OTHER' }));
    } else {
      await insist(() => client.sandbox.startScenario.mutate({ shipmentId, name: course, stepSeconds: 0 }));
    }
  }
  return shipmentIds;
}

/** Retries what a kill has cut off. These commands may be given twice. */
async function insist<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(500);
    }
  }
}

/** Waits until no delivery is open, and none has become open for as long as shipments need for a step. */
async function waitUntilOver(client: MirsalClient, endpointIds: readonly string[]): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let quietLooks = 0; quietLooks < 5 && performance.now() < deadline; ) {
    const open = await Promise.all(
      endpointIds.flatMap((endpointId) =>
        (['PENDING', 'RETRYING'] as const).map((status) =>
          client.webhookDeliveries.list.query({ endpointId, status, limit: 1 }),
        ),
      ),
    );
    quietLooks = open.every(({ data }) => data.length === 0) ? quietLooks + 1 : 0;
    await delay(500);
  }
}
