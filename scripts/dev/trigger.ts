import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { MirsalClient, MirsalEvent, MirsalInputs } from '../../src/client.ts';
import { failWith, isCommand } from '../shared/command.ts';
import { SetupError } from '../shared/setup-error.ts';
import { createSample, openDemo } from './demo-client.ts';

type Scenario = MirsalInputs['sandbox']['startScenario']['name'];
type EventType = MirsalEvent['type'];

/** How a shipment reaches each event: by itself, by a sandbox scenario, or by a merchant's command. */
const WAYS: Readonly<Partial<Record<EventType, Scenario | 'CREATE' | 'CANCEL' | 'RETRY'>>> = {
  'shipment.created': 'CREATE',
  'shipment.approved': 'CREATE',
  'shipment.offered': 'CREATE',
  'shipment.offer_expired': 'CREATE',
  'shipment.accepted': 'HAPPY_PATH',
  'shipment.picked_up': 'HAPPY_PATH',
  'shipment.out_for_delivery': 'HAPPY_PATH',
  'shipment.delivered': 'HAPPY_PATH',
  'shipment.offer_declined': 'DECLINE_THEN_ACCEPT',
  'shipment.driver_released': 'DRIVER_RELEASES',
  'shipment.dispatch_unresolved': 'NO_DRIVER',
  'shipment.dispatch_retried': 'RETRY',
  'shipment.delivery_failed': 'RECIPIENT_UNREACHABLE',
  'shipment.cancelled': 'CANCEL',
};

const USAGE = `Causes an event in the local service with a real shipment that goes through all earlier states.

  npm run trigger -- shipment.delivered [--company NAME] [--data .data]

  Event types: ${Object.keys(WAYS).join(', ')}
  Other types are sent as test events to every endpoint of the company.`;

/** An offer expires after a minute; all other events take some seconds. */
const PATIENCE_MS = 90_000;
const POLL_MS = 200;

async function trigger(type: string, options: { readonly company: string | undefined; readonly data: string }) {
  const { client } = openDemo(options.data, options.company);
  const way = WAYS[type as EventType];
  if (way === undefined) return sendTestEvents(client, type as EventType);
  const fixtures = await client.sandbox.bootstrap.mutate({});
  const { shipmentId, shipmentNumber } = await createSample(client, fixtures, 'trigger');
  console.log(`Created ${shipmentNumber}; waiting for ${type}`);
  if (way === 'CANCEL') {
    await client.shipments.cancel.mutate({ shipmentId, ifMatch: '*', reasonCode: 'OTHER' });
  } else if (way !== 'CREATE') {
    const name = way === 'RETRY' ? 'NO_DRIVER' : way;
    await client.sandbox.startScenario.mutate({ shipmentId, name, stepSeconds: 0 });
  }
  if (way === 'RETRY') {
    await eventOf(client, shipmentId, 'shipment.dispatch_unresolved');
    await client.shipments.retryDispatch.mutate({ shipmentId, ifMatch: '*' });
  }
  const { id, timestamp, sequence } = await eventOf(client, shipmentId, type as EventType);
  console.log(`${timestamp}  ${type} #${sequence}  ${id}`);
}

/** Waits for the event. */
async function eventOf(client: MirsalClient, shipmentId: string, type: EventType): Promise<MirsalEvent> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const { data } = await client.events.list.query({ shipmentId, type, limit: 1 });
    const [event] = data;
    if (event !== undefined) return event;
    if (performance.now() > deadline)
      throw new SetupError(`${type} did not happen within ${PATIENCE_MS / 1000} s. Check that the service is running.`);
    await delay(POLL_MS);
  }
}

async function sendTestEvents(client: MirsalClient, eventType: EventType): Promise<void> {
  const { data } = await client.webhookEndpoints.list.query({ limit: 100 });
  if (data.length === 0) throw new SetupError('The company has no webhook endpoint; create one with npm run listen.');
  for (const { endpointId, url } of data) {
    const result = await client.webhookEndpoints.sendTestEvent.mutate({ endpointId, eventType });
    console.log(`${url}  ${result.error ?? result.responseStatus}  after ${result.durationMs} ms`);
  }
}

if (isCommand(import.meta.filename)) {
  try {
    const { values, positionals } = parseArgs({
      options: {
        company: { type: 'string' },
        data: { type: 'string', default: '.data' },
        help: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    });
    const [type] = positionals;
    if (values.help || type === undefined) console.log(USAGE);
    else await trigger(type, { company: values.company, data: values.data });
  } catch (error) {
    failWith(error);
  }
}
