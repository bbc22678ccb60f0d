import { parseArgs } from 'node:util';
import { runTool } from '../shared/command.ts';
import { SetupError } from '../shared/setup-error.ts';
import { fillShipments } from './fill.ts';
import { type Flooded, flood, type Phase, type Stream } from './flood.ts';
import { addEndpoint } from './links.ts';
import { describeMachine, listVersions } from './machine.ts';
import { mixOf, stockUp } from './mix.ts';
import { startReceiver } from './receiver.ts';
import { keepResult, runInFolder, stopwatch } from './run.ts';
import { type BenchRuntime, launcherOf, RUNTIMES } from './runtimes.ts';
import { type BenchService, createSample, startService } from './service.ts';
import { SOAK } from './settings.ts';
import { settle } from './settle.ts';
import { printSoak, type SoakReport } from './soak-report.ts';
import { judge } from './soak-verdict.ts';

const USAGE = `Asks of the service five times what it can do, and sees whether it stays in order.

  npm run bench:soak -- [--runtime worker|deno] [--seconds 60] [--times 5] [--connections 4000]

First it measures the capacity for a mix of all hot operations. Then requests of the same mix come at as many times that
rate, whether or not earlier ones were answered. Ends with 1 when a promise was not kept.`;

interface Plan {
  readonly runtime: BenchRuntime;
  readonly seconds: number;
  readonly times: number;
  readonly connections: number;
}

const SHIPMENTS = 10_000;
const SHIPMENTS_READ = 1000;
const CAPACITY_CONNECTIONS = 64;
const CAPACITY_SECONDS = 10;
const WARM_UP_SECONDS = 5;
/** Ordinary load, before and after: of the capacity. */
const CALM_SHARE = 0.2;
const CALM_SECONDS = 10;
const AFTER_SECONDS = 20;

async function run(plan: Plan, folder: string): Promise<SoakReport> {
  const log = stopwatch();
  const startedAt = new Date().toISOString();
  log(`starting the service on ${plan.runtime}`);
  const service = await startService({ folder, launch: await launcherOf(plan.runtime, folder) });
  const receiver = await startReceiver();
  const { mixes, account, database } = await prepare(service, receiver.url, plan);
  const processes = { service: service.worker.pids, sqld: [database.pid, service.directory.pid] };
  const send = (streams: readonly Stream[], connections: number, phases: readonly Phase[]): Promise<Flooded> =>
    flood({ port: service.worker.port, connections, streams, phases, processes });

  log('measuring the capacity');
  const measured = await send(mixes[0], CAPACITY_CONNECTIONS, [
    { name: 'warm-up', seconds: WARM_UP_SECONDS, rate: undefined },
    { name: 'capacity', seconds: CAPACITY_SECONDS, rate: undefined },
  ]);
  const [, full] = measured.phases;
  if (full === undefined) throw new Error('Two phases were asked for');
  const capacity = full.succeededWithin / full.seconds;
  await settle([...service.worker.pids, database.pid]);

  log(`${plan.seconds} s at ${plan.times} times ${capacity.toFixed(0)} requests a second`);
  const soaked = await send(mixes[1], plan.connections, [
    { name: 'before', seconds: CALM_SECONDS, rate: capacity * CALM_SHARE },
    { name: 'flood', seconds: plan.seconds, rate: capacity * plan.times },
    { name: 'after', seconds: AFTER_SECONDS, rate: capacity * CALM_SHARE },
  ]);
  const [calm, flooded, after] = soaked.phases;
  if (calm === undefined || flooded === undefined || after === undefined)
    throw new Error('Three phases were asked for');
  log('looking for what was created');
  const stored = await countStored(database, account.companyId, soaked.created);
  const findings = { capacity, calm, flood: flooded, after, creations: { accepted: soaked.created.length, stored } };
  const promises = judge(findings);
  receiver.close();
  return {
    startedAt,
    plan,
    promises,
    capacityPhase: full,
    webhooksReceived: receiver.received(),
    ...findings,
    machine: describeMachine(),
    versions: listVersions(),
  };
}

/** Shipments to read, a stock of commands for the capacity and one for the flood, and somebody who is told of events. */
async function prepare(service: BenchService, receiverUrl: string, { seconds }: Plan) {
  const [account] = service.accounts;
  const [database] = service.shards;
  if (account === undefined || database === undefined) throw new SetupError('There is no company to load.');
  const { baseUrl } = service;
  const sampleId = await createSample(baseUrl, account);
  await fillShipments(database, sampleId, SHIPMENTS);
  const sql = 'SELECT id FROM shipments WHERE company_id = ? AND rowid % ? = 0 LIMIT ?';
  const rows = await database.query(sql, [account.companyId, SHIPMENTS / SHIPMENTS_READ, SHIPMENTS_READ]);
  const subject = { account, baseUrl, ids: rows.map(({ id }) => String(id)) };
  const origin = { database, sampleId };
  // More than any machine that this was run on could do.
  const first = await stockUp(subject, origin, { series: 1, cancellations: 3000, pickUps: 2000 });
  const size = { series: 2, cancellations: 400 * seconds, pickUps: 200 * seconds };
  const second = await stockUp(subject, origin, size);
  await addEndpoint(baseUrl, account, receiverUrl);
  return { mixes: [mixOf(first), mixOf(second)] as const, account, database };
}

const REFERENCES_AT_ONCE = 5000;

/** How many of these references are shipments of the company. */
async function countStored(
  database: BenchService['directory'],
  companyId: string,
  references: readonly string[],
): Promise<number> {
  let stored = 0;
  for (let from = 0; from < references.length; from += REFERENCES_AT_ONCE) {
    const some = references.slice(from, from + REFERENCES_AT_ONCE);
    const sql = `SELECT count(*) AS stored FROM json_each(?) AS sought
      INNER JOIN shipments ON shipments.company_id = ? AND shipments.external_reference = sought.value`;
    const [row] = await database.query(sql, [JSON.stringify(some), companyId]);
    stored += Number(row?.['stored']);
  }
  return stored;
}

/** Undefined when only the usage was asked for. */
function readPlan(): Plan | undefined {
  const option = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      runtime: { ...option, default: 'worker' },
      seconds: { ...option, default: String(SOAK.seconds) },
      times: { ...option, default: String(SOAK.times) },
      connections: { ...option, default: String(SOAK.connections) },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const runtime = RUNTIMES.find((one) => one === values.runtime);
  if (runtime === undefined) throw new SetupError('--runtime is worker or deno.');
  const [seconds = 0, times = 0, connections = 0] = [values.seconds, values.times, values.connections].map(Number);
  if (![seconds, times, connections].every((number) => Number.isSafeInteger(number) && number > 0 && number <= 10_000))
    throw new SetupError('--seconds, --times and --connections are whole numbers of 1 to 10000.');
  return { runtime, seconds, times, connections };
}

async function runAndTell(plan: Plan): Promise<boolean> {
  const report = await runInFolder((folder) => run(plan, folder));
  keepResult(`soak-${plan.runtime}`, report);
  process.stdout.write(printSoak(report));
  return report.promises.every(({ isReached }) => isReached !== false);
}

await runTool({ usage: USAGE, readPlan, run: runAndTell, leavesRunning: true });
