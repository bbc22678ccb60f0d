import { setTimeout as delay } from 'node:timers/promises';
import { failWith } from '../shared/command.ts';
import type { OwnEnvironment } from '../shared/connection.ts';
import { startEnvironment } from '../shared/environment.ts';
import { type Receiver, startReceiver } from '../shared/receiver.ts';
import { newSandbox } from '../shared/sandbox.ts';
import { createLink } from '../shared/tracking.ts';
import { webhooksOf } from '../shared/webhooks.ts';
import { type Counted, type CountedDatabases, countDatabases } from './databases-counted.ts';
import { LIFE_HEADINGS, type LifeStep, lifeRows } from './life-report.ts';
import { describeMachine, listVersions } from './machine.ts';
import { printTable } from './report.ts';
import { keepResult } from './run.ts';
import { LIFE } from './settings.ts';

/*
 * What one shipment asks of the databases, from its creation to its delivery, by libSQL's own count: docs/scale.md. Each
 * step is done alone, so no two share a commit: under load requests are fewer, rows the same.
 */

/** What a step sets off, webhooks and looks for drivers, is over when nothing was asked for so long. */
const QUIET_MS = 1500;
const IDLE_SECONDS = 15;

async function settled(databases: CountedDatabases): Promise<Counted> {
  for (;;) {
    const before = databases.counted();
    await delay(QUIET_MS);
    const after = databases.counted();
    if (after.requests === before.requests) return after;
  }
}

type Step = readonly [step: string, work: () => Promise<unknown>];

/** The steps of a life, in their order. */
async function stepsOf(environment: OwnEnvironment, receiver: Receiver): Promise<Step[]> {
  const sandbox = await newSandbox(environment, 'shard-1');
  await (await webhooksOf(environment, sandbox.merchant)).add(receiver.url);
  const driver = await sandbox.signIn();
  let shipmentId = '';
  let token = '';
  const act = (action: string): Step => [`driver: ${action}`, async () => ok(await driver.act(shipmentId, { action }))];
  const position = { action: 'REPORT_POSITION', position: { latitude: 24.8, longitude: 46.6 } };
  const times = (count: number, work: () => Promise<unknown>) => async () => {
    for (let done = 0; done < count; done += 1) await work();
  };
  const { reads, views, positions } = LIFE;
  return [
    [`nothing, ${IDLE_SECONDS} s`, () => delay(IDLE_SECONDS * 1000)],
    ['creation, approval, offer', async () => ({ shipmentId } = await sandbox.create())],
    [`merchant: ${reads} reads`, times(reads, () => sandbox.read(shipmentId))],
    ['driver: list of offers', async () => ok(await driver.get('/offers'))],
    act('ACCEPT'),
    ['tracking link', async () => ({ token } = await createLink(sandbox.merchant, shipmentId))],
    [`${views} views`, times(views, async () => ok(await environment.fetch(`/t/${token}`)))],
    act('PICK_UP'),
    act('DEPART'),
    [`driver: ${positions} positions`, times(positions, async () => ok(await driver.act(shipmentId, position)))],
    act('DELIVER'),
  ];
}

async function ok(response: Response): Promise<void> {
  if (!response.ok) throw new Error(`${response.url} was answered ${response.status}: ${await response.text()}`);
  await response.text();
}

async function live(): Promise<LifeStep[]> {
  const receiver = await startReceiver();
  const environment = await startEnvironment('deno');
  const databases = await countDatabases(environment.variables);
  try {
    await environment.restart(databases.variables);
    const steps: LifeStep[] = [];
    for (const [step, work] of await stepsOf(environment, receiver)) {
      const before = await settled(databases);
      const heard = receiver.received.length;
      await work();
      const after = await settled(databases);
      steps.push({
        step,
        webhooks: receiver.received.length - heard,
        requests: after.requests - before.requests,
        rowsRead: after.rowsRead - before.rowsRead,
        rowsWritten: after.rowsWritten - before.rowsWritten,
      });
    }
    return steps;
  } finally {
    await environment.stop();
    await receiver.close();
    databases.close();
  }
}

try {
  const startedAt = new Date().toISOString();
  const steps = await live();
  const result = { startedAt, plan: LIFE, steps, machine: describeMachine(), versions: listVersions() };
  console.log(printTable(LIFE_HEADINGS, lifeRows(result)).join('\n'));
  keepResult('life', result);
} catch (error) {
  failWith(error);
}
