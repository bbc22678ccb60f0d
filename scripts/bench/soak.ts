import { parseArgs } from 'node:util';
import { runTool } from '../shared/command.ts';
import type { Runtime } from '../shared/service.ts';
import { SetupError } from '../shared/setup-error.ts';
import { fillShipments } from './fill.ts';
import { type LoadResult, type Phase, runLoad, type Stream } from './load.ts';
import { startReceiver } from './receiver.ts';
import { describeOthers, type Findings, finish, SOAK } from './result.ts';
import { runInFolder, stopwatch } from './run.ts';
import { type BenchService, createSample, launcherOf, startBenchService } from './service.ts';
import { describeDriver, judge, tableOf } from './soak-verdict.ts';
import { addEndpoint, mixOf, stockUp } from './stock.ts';
import { settle } from './usage.ts';

const USAGE = `Floods the service with five times its capacity, and checks what it promises under overload.

  npm run bench:soak -- [--runtime worker|deno] [--seconds 60] [--times 5] [--connections 4000]

It measures the capacity for a mix of all hot operations. Then requests of the same mix arrive at a multiple of that rate,
whether or not earlier ones were answered. Exits with 1 if a promise is broken.`;

interface Settings {
  readonly runtime: Runtime;
  readonly seconds: number;
  readonly times: number;
  readonly connections: number;
}

const SHIPMENTS = 10_000;
const SHIPMENTS_READ = 1000;
const CAPACITY_CONNECTIONS = 64;
const CAPACITY_SECONDS = 10;
const WARM_UP_SECONDS = 5;
/** The share of the capacity that is sent before and after the flood. */
const CALM_SHARE = 0.2;
const CALM_SECONDS = 10;
const AFTER_SECONDS = 20;

async function run(settings: Settings, folder: string): Promise<Findings> {
  const log = stopwatch();
  log(`starting the service on ${settings.runtime}`);
  const service = await startBenchService({ folder, launch: await launcherOf(settings.runtime, folder) });
  const receiver = await startReceiver();
  const { mixes, account, database } = await prepare(service, receiver.url, settings);
  const processes = { service: service.worker.pids, sqld: [database.pid, service.directory.pid] };
  const send = (streams: readonly Stream[], connections: number, phases: readonly Phase[]): Promise<LoadResult> =>
    runLoad({ port: service.worker.port, connections, streams, phases, processes });

  log('measuring the capacity');
  const measured = await send(mixes[0], CAPACITY_CONNECTIONS, [
    { name: 'warm-up', seconds: WARM_UP_SECONDS, rate: undefined },
    { name: 'capacity', seconds: CAPACITY_SECONDS, rate: undefined },
  ]);
  const [, full] = measured.phases;
  if (full === undefined) throw new Error('Two phases were asked for');
  const capacity = full.succeededWithin / full.seconds;
  await settle([...service.worker.pids, database.pid]);

  log(`${settings.seconds} s at ${settings.times} times ${capacity.toFixed(0)} requests a second`);
  const soaked = await send(mixes[1], settings.connections, [
    { name: 'before', seconds: CALM_SECONDS, rate: capacity * CALM_SHARE },
    { name: 'flood', seconds: settings.seconds, rate: capacity * settings.times },
    { name: 'after', seconds: AFTER_SECONDS, rate: capacity * CALM_SHARE },
  ]);
  const [calm, flooded, after] = soaked.phases;
  if (calm === undefined || flooded === undefined || after === undefined)
    throw new Error('Three phases were asked for');
  log('looking for what was created');
  const stored = await countStored(database, account.companyId, soaked.created);
  const findings = { capacity, calm, flood: flooded, after, creations: { accepted: soaked.created.length, stored } };
  receiver.close();
  const phases = [full, calm, flooded, after];
  return {
    settings,
    circumstances: [
      `${settings.connections} connections, ${settings.seconds} s at ${settings.times} times the capacity.`,
      describeDriver(flooded),
      describeOthers(phases),
    ],
    tables: [tableOf(phases)],
    verdicts: judge(findings),
    measurements: { ...findings, capacityPhase: full, webhooksReceived: receiver.received() },
  };
}

/** Makes shipments to read, a stock of commands for the capacity and one for the flood, and a webhook endpoint. */
async function prepare(service: BenchService, receiverUrl: string, { seconds }: Settings) {
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
  // More than any machine has reached so far.
  const first = await stockUp(subject, origin, { series: 1, cancellations: 3000, pickUps: 2000 });
  const size = { series: 2, cancellations: 400 * seconds, pickUps: 200 * seconds };
  const second = await stockUp(subject, origin, size);
  await addEndpoint(baseUrl, account, receiverUrl);
  return { mixes: [mixOf(first), mixOf(second)] as const, account, database };
}

const REFERENCES_AT_ONCE = 5000;

/** Counts the company's shipments with these references. */
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

/** Undefined if only the usage was asked for. */
function readSettings(): Settings | undefined {
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
  const { runtime } = values;
  if (runtime !== 'worker' && runtime !== 'deno') throw new SetupError('--runtime is worker or deno.');
  const [seconds = 0, times = 0, connections = 0] = [values.seconds, values.times, values.connections].map(Number);
  if (![seconds, times, connections].every((number) => Number.isSafeInteger(number) && number > 0 && number <= 10_000))
    throw new SetupError('--seconds, --times and --connections are whole numbers of 1 to 10000.');
  return { runtime, seconds, times, connections };
}

async function runAndPrint(settings: Settings): Promise<boolean> {
  const startedAt = new Date();
  const findings = await runInFolder((folder) => run(settings, folder));
  finish(`soak-${settings.runtime}`, startedAt, findings);
  return findings.verdicts.every(({ isReached }) => isReached !== false);
}

await runTool({ usage: USAGE, readPlan: readSettings, run: runAndPrint, leavesRunning: true });
