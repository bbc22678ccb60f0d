import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseArgs } from 'node:util';
import { type MirsalEvent, verifyWebhook, WebhookVerificationError } from '../../src/client.ts';
import { failWith, isCommand } from '../shared/command.ts';
import { listenLocally } from '../shared/ports.ts';
import { SetupError } from '../shared/setup-error.ts';
import { type DemoAccess, openDemo } from './demo-client.ts';

const USAGE = `Receives the webhooks of a sample company of the local service, verifies, prints and forwards them. It refuses the forged
requests of a test event with checks, and accepts the repeated one.

  npm run listen -- [--forward http://localhost:3000/hooks] [--events shipment.delivered,…] [--company NAME] [--data .data]

  --forward   forwards each request unchanged to this address and answers with its status
  --events    event types, separated by commas (default: all)
  --company   name of a sample company (default: the first)
  --data      data folder of the running service`;

/** Identifies endpoints of earlier runs that were killed. */
const DESCRIPTION = 'npm run listen';
const FORWARD_TIMEOUT_MS = 14_000;
/** Headers that belong to one connection and not to the request. */
const OF_CONNECTION = new Set(['connection', 'content-length', 'host', 'transfer-encoding', 'keep-alive']);

interface Options {
  readonly forward: URL | undefined;
  readonly events: string[] | undefined;
  readonly company: string | undefined;
  readonly data: string;
}

function readOptions(): Options | undefined {
  const { values } = parseArgs({
    options: {
      forward: { type: 'string' },
      events: { type: 'string' },
      company: { type: 'string' },
      data: { type: 'string', default: '.data' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const { forward } = values;
  if (forward !== undefined && !URL.canParse(forward)) throw new SetupError(`--forward ${forward} is not an address.`);
  return {
    forward: forward === undefined ? undefined : new URL(forward),
    events: values.events?.split(',').map((type) => type.trim()),
    company: values.company,
    data: values.data,
  };
}

async function listen(options: Options): Promise<void> {
  const demo = openDemo(options.data, options.company);
  let secret = '';
  const server = createServer((request, response) => {
    answer(request, response, { secret, forward: options.forward }).catch((error: unknown) => {
      console.error(String(error));
      response.writeHead(500).end();
    });
  });
  const address = await listenLocally(server);
  await forgetEarlier(demo);
  const endpoint = await demo.client.webhookEndpoints.create.mutate({
    url: `${address}/`,
    description: DESCRIPTION,
    eventTypes: (options.events ?? ['*']) as ['*'],
  });
  secret = endpoint.signingSecret;
  console.log(`Receiving events of ${demo.company.name} at ${endpoint.url}. Signing secret: ${secret}`);
  console.log(
    options.forward === undefined ? 'Events are printed here.' : `Events are forwarded to ${options.forward.href}`,
  );
  console.log('Press Ctrl-C to stop. To cause an event, run in another shell: npm run trigger -- shipment.delivered\n');
  await stopped();
  await demo.client.webhookEndpoints.delete.mutate({ endpointId: endpoint.endpointId, ifMatch: '*' });
  server.closeAllConnections();
  server.close();
}

async function forgetEarlier({ client }: DemoAccess): Promise<void> {
  const { data } = await client.webhookEndpoints.list.query({ limit: 100 });
  for (const { endpointId, description } of data) {
    if (description === DESCRIPTION) await client.webhookEndpoints.delete.mutate({ endpointId, ifMatch: '*' });
  }
}

/** Events that have come, to show which come again. */
const seen = new Set<string>();

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { secret, forward }: { readonly secret: string; readonly forward: URL | undefined },
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const startedMs = performance.now();
  let line: string;
  try {
    line = lineOf(await verifyWebhook(secret, { headers: request.headers, body: body.toString('utf8') }));
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    console.log(`refused: ${error.code}`);
    response.writeHead(400).end();
    return;
  }
  const status = forward === undefined ? 204 : await passOn(forward, request, body);
  const id = String(request.headers['webhook-id']);
  const repeated = seen.has(id) ? '  (again)' : '';
  seen.add(id);
  const came = forward === undefined ? '' : `  ${status} after ${Math.round(performance.now() - startedMs)} ms`;
  console.log(`${line}${repeated}${came}`);
  response.writeHead(status).end();
}

/** The status of the forwarded request, or 502 without a response. */
async function passOn(forward: URL, request: IncomingMessage, body: Buffer): Promise<number> {
  const headers = Object.entries(request.headers).filter(([name]) => !OF_CONNECTION.has(name));
  try {
    const answered = await fetch(forward, {
      method: 'POST',
      headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(FORWARD_TIMEOUT_MS),
    });
    await answered.body?.cancel();
    return answered.status;
  } catch (error) {
    console.log(`${forward.href} did not answer: ${String(error)}`);
    return 502;
  }
}

function lineOf({ timestamp, type, shipmentId, sequence, data }: MirsalEvent): string {
  const subject = shipmentId === null ? '' : `  ${data.shipment?.shipmentNumber ?? shipmentId} #${sequence}`;
  return `${timestamp.slice(11, 23)}  ${type}${subject}`;
}

function stopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}

if (isCommand(import.meta.filename)) {
  try {
    const options = readOptions();
    if (options === undefined) console.log(USAGE);
    else await listen(options);
  } catch (error) {
    failWith(error);
  }
}
