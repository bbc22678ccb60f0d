import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { listAll, type MirsalClient } from '../../../src/client.ts';
import { createSample } from '../../dev/demo-client.ts';
import { isCommand, runTool } from '../../shared/command.ts';
import { Dice } from '../../shared/dice.ts';
import type { Runtime } from '../../shared/service.ts';
import { SetupError } from '../../shared/setup-error.ts';
import { RULES } from '../rules/promises.ts';
import { type ChaosReceiver, type Moods, startChaosReceiver } from './receiver.ts';
import { type ChaosService, startChaosService } from './service.ts';
import { type Delivered, judge, type Listed, type WebhookEvidence } from './verdict.ts';

const USAGE = `Sends events to receivers of the worst kind while the service is killed, and sees what became of them.

  npm run chaos:webhooks -- [--seed 1] [--shipments 30] [--kills 3] [--runtime deno|worker]

  Every event has to have been taken at least once, or be EXHAUSTED; a shipment's events in their order. A promise that
  the run gave nothing to judge by has not held: then take more shipments.`;

interface Plan {
  readonly seed: number;
  readonly shipments: number;
  readonly kills: number;
  readonly runtime: Runtime;
}

/** Half of what comes is taken: the schedule gets its work, and shipments go on. */
const MOODS: Moods = { take: 50, fail: 15, hang: 5, reset: 10, redirect: 10, too_busy: 10 };
/** Ten attempts in some seconds instead of three days. */
const TERMS = { delaysSeconds: [0, 0.2, 0.5, 1, 1, 1, 2, 2, 2, 2], timeoutMs: 1500 };
/** Leases of what a kill has cut off run out in 17 s; the slowest schedule takes half a minute. */
const PATIENCE_MS = 180_000;

async function run(plan: Plan): Promise<boolean> {
  const dice = new Dice(plan.seed);
  let isCalm = false;
  const receiver = await startChaosReceiver(dice, MOODS, () => isCalm);
  const gone = await startChaosReceiver(dice, { take: 3, gone: 1 }, () => false);
  const refusing = await startChaosReceiver(dice, { fail: 1 }, () => false);
  const service = await startChaosService(plan.runtime, { WEBHOOK_TERMS: JSON.stringify(TERMS) });
  try {
    const { client } = service;
    const endpointId = await subscribe(client, receiver);
    const goneEndpointId = await subscribe(client, gone);
    // One event of each shipment is enough to be given up: each costs all its attempts.
    const refusingEndpointId = await subscribe(client, refusing, ['shipment.created']);
    const killing = kill(service, dice, plan.kills);
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
      attemptsMax: TERMS.delaysSeconds.length,
      arrivals: receiver.arrivals,
      forged: [receiver, gone, refusing].flatMap(({ forged }) => forged),
      gone: { answers: gone.counts.get('gone') ?? 0, state },
    };
    const objections = judge(evidence);
    console.log(`seed ${plan.seed} on ${plan.runtime}: ${plan.shipments} shipments, ${plan.kills} kills`);
    console.log(describe(evidence, receiver));
    for (const { rule, detail } of objections) console.log(`NOT HELD ${rule} (${RULES[rule].promise}): ${detail}`);
    console.log(objections.length === 0 ? 'Every promise held.' : `${objections.length} objections.`);
    return objections.length === 0;
  } finally {
    await service.stop();
    for (const one of [receiver, gone, refusing]) one.close();
  }
}

function describe({ events, deliveries, refused, arrivals, gone }: WebhookEvidence, { counts }: ChaosReceiver): string {
  const attempts = deliveries.reduce((sum, delivery) => sum + delivery.attempts.length, 0);
  const taken = arrivals.filter(({ isTaken }) => isTaken).map(({ event }) => event.id);
  const moods = [...counts].map(([mood, count]) => `${mood} ${count}`).join(', ');
  const twice = taken.length - new Set(taken).size;
  return [
    `${events.length} events, ${attempts} attempts written down, ${twice} taken more than once`,
    `receiver: ${moods}; ${refused.length} deliveries where nothing is taken; gone answered ${gone.answers} times`,
  ].join('\n');
}

async function listEvents(client: MirsalClient): Promise<Listed[]> {
  const events: Listed[] = [];
  for await (const event of listAll(client.events.list, {})) events.push(event);
  return events;
}

/** What the interface tells of the way of events to an endpoint. */
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

/** Kills at moments that the seed chooses, while shipments are on their way. */
async function kill(service: ChaosService, dice: Dice, kills: number): Promise<void> {
  for (let number = 1; number <= kills; number += 1) {
    await delay(dice.between(1000, 4000));
    await service.killAndRestart();
  }
}

async function play(client: MirsalClient, dice: Dice, count: number): Promise<string[]> {
  const shipmentIds: string[] = [];
  const fixtures = await client.sandbox.bootstrap.mutate({});
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

/** What a kill has cut off is asked again: both commands may be given twice. */
async function insist(call: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      await call();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(500);
    }
  }
}

/** No delivery is on its way any more, nor becomes one: nothing new has come for as long as shipments need for a step. */
async function waitUntilOver(client: MirsalClient, endpointIds: readonly string[]): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  let quietLooks = 0;
  while (quietLooks < 5) {
    if (performance.now() > deadline) return;
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

function readPlan(): Plan | undefined {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      shipments: { type: 'string', default: '30' },
      kills: { type: 'string', default: '3' },
      runtime: { type: 'string', default: 'deno' },
      help: { type: 'boolean', default: false },
    },
  });
  const { runtime } = values;
  if (values.help) return undefined;
  if (runtime !== 'worker' && runtime !== 'deno') throw new SetupError('--runtime is worker or deno.');
  const [seed, shipments, kills] = [values.seed, values.shipments, values.kills].map(Number);
  if (![seed, shipments, kills].every((number) => Number.isSafeInteger(number) && Number(number) >= 0)) {
    throw new SetupError('--seed, --shipments and --kills are whole numbers.');
  }
  return { seed: seed ?? 1, shipments: shipments ?? 0, kills: kills ?? 0, runtime };
}

if (isCommand(import.meta.filename)) await runTool({ usage: USAGE, readPlan, run });
