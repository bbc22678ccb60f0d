import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import type { OwnEnvironment } from '../shared/connection.ts';
import { startEnvironment } from '../shared/environment.ts';
import { type ProxyHooks, proxyDatabases } from '../shared/http-proxy.ts';
import { type Receiver, startReceiver } from '../shared/receiver.ts';
import { newSandbox } from '../shared/sandbox.ts';
import { createLink } from '../shared/tracking.ts';
import { webhooksOf } from '../shared/webhooks.ts';
import { type Findings, tableOf } from './result.ts';
import { sum } from './statistics.ts';

/*
 * The work of the databases for one shipment, from creation to delivery, as libSQL counts it: docs/scale.md. Steps run
 * one after the other, so no two share a commit. Under load there are fewer requests, but the same rows.
 */

/** The steps in the life of one shipment, which docs/scale.md counts. */
const SETTINGS = { positions: 20, views: 3, reads: 2 };
/** The follow-up work of a step (webhooks, searches for drivers) is finished when no request was made for this time. */
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

type LifeWork = readonly [step: string, work: () => Promise<unknown>];

/** The steps of a shipment's life, in order. */
async function stepsOf(environment: OwnEnvironment, receiver: Receiver): Promise<LifeWork[]> {
  const sandbox = await newSandbox(environment, 'shard-1');
  await (await webhooksOf(environment, sandbox.merchant)).add(receiver.url);
  const driver = await sandbox.signIn();
  let shipmentId = '';
  let token = '';
  const act = (action: string): LifeWork => [
    `driver: ${action}`,
    async () => ok(await driver.act(shipmentId, { action })),
  ];
  const position = { action: 'REPORT_POSITION', position: { latitude: 24.8, longitude: 46.6 } };
  const times = (count: number, work: () => Promise<unknown>) => async () => {
    for (let done = 0; done < count; done += 1) await work();
  };
  const { reads, views, positions } = SETTINGS;
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

/** The steps of a life, each with what it asked of the databases. */
export async function measureLife(): Promise<LifeFindings> {
  const receiver = await startReceiver();
  const environment = await startEnvironment('deno');
  const databases = await countDatabases(environment.variables);
  try {
    await environment.restart(databases.variables);
    const steps: LifeStep[] = [];
    for (const [step, work] of await stepsOf(environment, receiver)) {
      const before = await settled(databases);
      const receivedBefore = receiver.received.length;
      await work();
      const after = await settled(databases);
      steps.push({
        step,
        webhooks: receiver.received.length - receivedBefore,
        requests: after.requests - before.requests,
        rowsRead: after.rowsRead - before.rowsRead,
        rowsWritten: after.rowsWritten - before.rowsWritten,
      });
    }
    return { settings: SETTINGS, circumstances: [], tables: [tableOfSteps(steps)], verdicts: [], measurements: steps };
  } finally {
    await environment.stop();
    await receiver.close();
    databases.close();
  }
}

interface LifeFindings extends Findings {
  readonly measurements: readonly LifeStep[];
}

/** Runs one step and its follow-up work. */
interface LifeStep extends Counted {
  readonly step: string;
  readonly webhooks: number;
}

function tableOfSteps(steps: readonly LifeStep[]) {
  const all = (name: Exclude<keyof LifeStep, 'step'>) => sum(steps.map((step) => step[name]));
  const [webhooks, requests] = [all('webhooks'), all('requests')];
  const total = { step: 'all', webhooks, requests, rowsRead: all('rowsRead'), rowsWritten: all('rowsWritten') };
  return tableOf<LifeStep>(
    [...steps, total],
    [
      ['step', ({ step }) => step],
      ['webhooks', ({ webhooks }) => webhooks],
      ['requests to libSQL', ({ requests }) => requests],
      ['rows read', ({ rowsRead }) => rowsRead],
      ['rows written', ({ rowsWritten }) => rowsWritten],
    ],
  );
}

/** The work of libSQL servers as they count it. Rows include those of indexes. */
interface Counted {
  readonly requests: number;
  readonly rowsRead: number;
  readonly rowsWritten: number;
}

interface CountedDatabases {
  /** The given databases, with the addresses of counting proxies. */
  readonly variables: Readonly<Record<string, string>>;
  /** The sums of all databases since the start. Throws if counting failed. */
  counted(): Counted;
  close(): void;
}

const stepResult = z.looseObject({ rows_read: z.int(), rows_written: z.int() }).nullable();
const pipelineAnswer = z.looseObject({
  results: z.array(
    z.looseObject({
      response: z.looseObject({ result: z.looseObject({ step_results: z.array(stepResult) }).optional() }).optional(),
    }),
  ),
});

/** Puts proxies in front of the databases in a service's variables, which add up the costs in their answers. */
async function countDatabases(variables: Readonly<Record<string, string>>): Promise<CountedDatabases> {
  const total = { requests: 0, rowsRead: 0, rowsWritten: 0 };
  let fault: unknown;
  const after: ProxyHooks['after'] = ({ status, body }, path) => {
    if (status !== 200 || !path.endsWith('/pipeline')) return;
    try {
      count(body);
    } catch (error) {
      fault ??= error;
    }
  };
  const count = (answer: string): void => {
    total.requests += 1;
    for (const { response } of pipelineAnswer.parse(JSON.parse(answer)).results)
      for (const step of response?.result?.step_results ?? []) {
        total.rowsRead += step?.rows_read ?? 0;
        total.rowsWritten += step?.rows_written ?? 0;
      }
  };
  return {
    ...(await proxyDatabases(variables, () => ({ after }))),
    counted() {
      if (fault !== undefined) throw new Error('An answer of a database is of no known shape', { cause: fault });
      return { ...total };
    },
  };
}
