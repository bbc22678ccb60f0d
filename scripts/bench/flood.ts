import { SetupError } from '../shared/setup-error.ts';
import { fillShipments } from './fill.ts';
import { describeDriver, judge, tableOfPhases } from './flood-verdict.ts';
import { type LoadResult, type Phase, rateOf, runLoad, type Stream } from './load.ts';
import { describeOthers, type Findings, type StudyOptions } from './result.ts';
import { type BenchService, createSample, launcherOf, startBenchService } from './service.ts';
import { addEndpoint, mixOf, startReceiver, stockUp } from './stock.ts';
import { settle } from './usage.ts';

const FULL = { seconds: 60, times: 5, connections: 4000 };
const QUICK = { ...FULL, seconds: 15 };
const SHIPMENTS = 10_000;
const SHIPMENTS_READ = 1000;
const CAPACITY_CONNECTIONS = 64;
const CAPACITY_SECONDS = 10;
const WARM_UP_SECONDS = 5;
/** The share of the capacity that is sent before and after the flood. */
const CALM_SHARE = 0.2;
const CALM_SECONDS = 10;
const AFTER_SECONDS = 20;

/** Measures the capacity for a mix of all hot operations, and then sends a multiple of it, whether or not it is answered. */
export async function measureFlood({ folder, runtime, isQuick, log }: StudyOptions): Promise<Findings> {
  const settings = { runtime, ...(isQuick ? QUICK : FULL) };
  log(`starting the service on ${runtime}`);
  const service = await startBenchService({ folder, launch: await launcherOf(runtime, folder) });
  const receiver = await startReceiver();
  const { mixes, account, database } = await prepare(service, receiver.url, settings.seconds);
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
  const capacity = rateOf(full);
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
    tables: [tableOfPhases(phases)],
    verdicts: judge(findings),
    measurements: { ...findings, capacityPhase: full, webhooksReceived: receiver.received() },
  };
}

/** Makes shipments to read, a stock of commands for the capacity and one for the flood, and a webhook endpoint. */
async function prepare(service: BenchService, receiverUrl: string, seconds: number) {
  const [account] = service.accounts;
  const [database] = service.shards;
  if (account === undefined || database === undefined) throw new SetupError('There is no company to load.');
  const { baseUrl } = service;
  const sampleId = await createSample(baseUrl, account);
  await fillShipments(database, sampleId, SHIPMENTS);
  const ids = await database.idsOf(account.companyId, SHIPMENTS, SHIPMENTS_READ);
  const subject = { account, baseUrl, ids };
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
