import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import type { OwnEnvironment } from '../../test/support/connection.ts';
import { startEnvironment } from '../../test/support/environment.ts';
import { startReceiver } from '../../test/support/receiver.ts';
import { newSandbox } from '../../test/support/sandbox.ts';
import { startService } from '../../test/support/service.ts';
import { createLink } from '../../test/support/tracking.ts';
import { webhooksOf } from '../../test/support/webhooks.ts';
import { failWith } from '../command.ts';
import { type Counted, type CountProxy, startCountProxy } from './count-proxy.ts';
import { printTable } from './report.ts';

/*
 * What one shipment asks of the databases, from its creation to its delivery, by libSQL's own count: docs/scale.md. Each
 * step is done alone, so no two share a commit: under load requests are fewer, rows the same.
 */

const POSITIONS = 20;
const VIEWS = 3;
const READS = 2;
/** What a step sets off, webhooks and looks for drivers, is over when nothing was asked for so long. */
const QUIET_MS = 1500;

type Variables = Readonly<Record<string, string>>;
const address = z.looseObject({ url: z.url() });

async function behindProxies(all: Variables, proxies: CountProxy[]): Promise<Variables> {
  const behind = async (database: z.output<typeof address>) => {
    const proxy = await startCountProxy(database.url);
    proxies.push(proxy);
    return { ...database, url: proxy.url };
  };
  const directory = address.parse(JSON.parse(all['LIBSQL_DIRECTORY'] ?? ''));
  const shards = z.array(address).parse(JSON.parse(all['LIBSQL_SHARDS'] ?? ''));
  return {
    ...all,
    LIBSQL_DIRECTORY: JSON.stringify(await behind(directory)),
    LIBSQL_SHARDS: JSON.stringify(await Promise.all(shards.map(behind))),
  };
}

function sumOf(proxies: readonly CountProxy[]): Counted {
  return proxies
    .map((proxy) => proxy.counted())
    .reduce((one, other) => ({
      requests: one.requests + other.requests,
      rowsRead: one.rowsRead + other.rowsRead,
      rowsWritten: one.rowsWritten + other.rowsWritten,
    }));
}

async function settled(proxies: readonly CountProxy[]): Promise<Counted> {
  for (;;) {
    const before = sumOf(proxies);
    await delay(QUIET_MS);
    const after = sumOf(proxies);
    if (after.requests === before.requests) return after;
  }
}

type Step = readonly [what: string, work: () => Promise<unknown>];

/** The steps of a life, in their order. */
async function stepsOf(environment: OwnEnvironment, receiverUrl: string): Promise<Step[]> {
  const sandbox = await newSandbox(environment, 'shard-1');
  await (await webhooksOf(environment, sandbox.merchant)).add(receiverUrl);
  const driver = await sandbox.signIn();
  let shipmentId = '';
  let token = '';
  const act = (action: string): Step => [`driver: ${action}`, async () => ok(await driver.act(shipmentId, { action }))];
  const position = { action: 'REPORT_POSITION', position: { latitude: 24.8, longitude: 46.6 } };
  const times = (count: number, work: () => Promise<unknown>) => async () => {
    for (let done = 0; done < count; done += 1) await work();
  };
  return [
    ['idle', () => delay(10 * QUIET_MS)],
    ['creation, approval, offer', async () => ({ shipmentId } = await sandbox.create())],
    [`merchant: ${READS} reads`, times(READS, () => sandbox.read(shipmentId))],
    ['driver: list of offers', async () => ok(await driver.get('/offers'))],
    act('ACCEPT'),
    ['tracking link', async () => ({ token } = await createLink(sandbox.merchant, shipmentId))],
    [`${VIEWS} views`, times(VIEWS, async () => ok(await environment.fetch(`/t/${token}`)))],
    act('PICK_UP'),
    act('DEPART'),
    [`driver: ${POSITIONS} positions`, times(POSITIONS, async () => ok(await driver.act(shipmentId, position)))],
    act('DELIVER'),
  ];
}

async function ok(response: Response): Promise<void> {
  if (!response.ok) throw new Error(`${response.url} was answered ${response.status}: ${await response.text()}`);
  await response.text();
}

try {
  const proxies: CountProxy[] = [];
  const receiver = await startReceiver();
  const environment = await startEnvironment('deno', {}, async (all) =>
    startService('deno', await behindProxies(all, proxies)),
  );
  try {
    const rows: string[][] = [];
    for (const [what, work] of await stepsOf(environment, receiver.url)) {
      const before = await settled(proxies);
      const heard = receiver.received.length;
      await work();
      const after = await settled(proxies);
      rows.push([
        what,
        String(receiver.received.length - heard),
        ...(['requests', 'rowsRead', 'rowsWritten'] as const).map((name) => String(after[name] - before[name])),
      ]);
    }
    const columns = [1, 2, 3, 4].map((column) => String(rows.reduce((sum, row) => sum + Number(row[column]), 0)));
    const headings = ['step', 'webhooks', 'requests', 'rows read', 'rows written'];
    console.log(printTable(headings, [...rows, ['all', ...columns]]).join('\n'));
  } finally {
    await environment.stop();
    await receiver.close();
    for (const proxy of proxies) proxy.close();
  }
} catch (error) {
  failWith(error);
}
