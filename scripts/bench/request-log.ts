import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Measured, measure, type PreparedRequest, rateOf } from './load.ts';
import { createRequest, getRequests } from './requests.ts';
import { type Column, describeOthers, type Findings, isQuiet, type StudyOptions, tableOf } from './result.ts';
import { OTHERS, RATES, type Rounds, roundsOf } from './rounds.ts';
import { type BenchService, createNamed, launcherOf, startBenchService } from './service.ts';
import { median } from './statistics.ts';
import { settle } from './usage.ts';

const FULL = { rounds: 16, seconds: 2 };
const QUICK = { rounds: 2, seconds: 2 };
const CONNECTIONS = 64;
const WARM_UP_SECONDS = 1;
/** In the first round V8 still compiles the code. */
const FIRST_WARM_UP_SECONDS = 3;
/** So many shipments are read that hardly any request is a repeat, of which the log keeps only the count. */
const SHIPMENTS_READ = 300;
const LOSS_MAX = 0.03;

const OPERATIONS = ['GET by id', 'create'] as const;

interface Side {
  readonly service: BenchService;
  readonly requests: Readonly<Record<(typeof OPERATIONS)[number], readonly PreparedRequest[]>>;
  readonly measured: Record<(typeof OPERATIONS)[number], Measured[]>;
}

/** What the request log costs: the same requests to two services, one with and one without a log, in turn. */
export async function measureRequestLog({ folder, isQuick, log }: StudyOptions): Promise<Findings> {
  const settings = isQuick ? QUICK : FULL;
  log('starting a service with a request log and one without');
  const sides = { with: await openSide(folder, 'with-log'), without: await openSide(folder, 'without-log') };
  for (let round = 0; round < settings.rounds; round += 1) {
    for (const operation of OPERATIONS) {
      // The order changes, so that no disturbance always meets the same side.
      const order = round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const);
      for (const name of order) {
        log(`round ${round + 1}: ${operation}, ${name} the log`);
        const { service, requests, measured } = sides[name];
        const warmUpSeconds = round === 0 ? FIRST_WARM_UP_SECONDS : WARM_UP_SECONDS;
        const times = { warmUpSeconds, seconds: settings.seconds };
        const load = { port: service.worker.port, connections: CONNECTIONS, requests: requests[operation] };
        measured[operation].push(await measure({ ...load, ...times, processes: processesOf(service) }));
        await settle(Object.values(processesOf(service)).flat());
      }
    }
  }
  const rows = OPERATIONS.map((operation) => {
    const [one, other] = [sides.with.measured[operation], sides.without.measured[operation]];
    return { operation, with: roundsOf(one), without: roundsOf(other), ...comparedBy(one, other) };
  });
  const columns: readonly Column<Rounds & { readonly operation: string; readonly side: string }>[] = [
    ['operation', ({ operation }) => operation],
    ['log', ({ side }) => side],
    ...RATES,
    OTHERS,
  ];
  const all = OPERATIONS.flatMap((operation) => [
    ...sides.with.measured[operation],
    ...sides.without.measured[operation],
  ]);
  return {
    settings,
    circumstances: [`${CONNECTIONS} connections.`, describeOthers(all)],
    tables: [
      tableOf(
        rows.flatMap(({ operation, with: one, without: other }) => [
          { operation, side: 'with', ...one },
          { operation, side: 'without', ...other },
        ]),
        columns,
      ),
      tableOf(rows, [
        ['operation', ({ operation }) => operation],
        ['pairs', ({ pairs }) => pairs],
        ['rate with to without', ({ rate }) => rate, 3],
        ['lowest', ({ lowest }) => lowest, 3],
        ['highest', ({ highest }) => highest, 3],
        ['service CPU with to without', ({ serviceCpu }) => serviceCpu, 3],
        ['sqld CPU with to without', ({ sqldCpu }) => sqldCpu, 3],
      ]),
    ],
    verdicts: rows.map(({ operation, rate, pairs }) => ({
      what: `${operation}, loss of throughput by the log, at most ${100 * LOSS_MAX} %`,
      told: pairs === 0 ? 'no quiet pair' : `${(100 * (1 - rate)).toFixed(1)} % in the median of ${pairs} pairs`,
      isReached: pairs === 0 ? undefined : 1 - rate <= LOSS_MAX,
    })),
    measurements: rows.map(({ operation }) => ({
      operation,
      with: sides.with.measured[operation],
      without: sides.without.measured[operation],
    })),
  };
}

async function openSide(parent: string, name: 'with-log' | 'without-log'): Promise<Side> {
  const folder = join(parent, name);
  mkdirSync(folder);
  const launch = await launcherOf('worker', folder);
  const hasRequestLog = name === 'with-log';
  const service = await startBenchService({ folder, launch, companies: 1, shards: 1, hasRequestLog });
  const [account] = service.accounts;
  const [database] = service.shards;
  if (account === undefined || database === undefined) throw new Error('There is no company to load.');
  await database.setApprovalPolicy(account.companyId, 'MANUAL');
  const ids: string[] = [];
  for (let index = 0; index < SHIPMENTS_READ; index += 1)
    ids.push(await createNamed(service.baseUrl, account, `shipment-to-read-${index}`));
  return {
    service,
    requests: { 'GET by id': getRequests(account.token, ids), create: [createRequest(account.token, account)] },
    measured: { 'GET by id': [], create: [] },
  };
}

function processesOf({ worker, directory, shards, logs }: BenchService) {
  const databases = [directory, ...shards, ...(logs === undefined ? [] : [logs])];
  return { service: worker.pids, sqld: databases.map(({ pid }) => pid) };
}

/** The sides in pairs of one round, which share most of what disturbs them. Pairs with a disturbed side do not count. */
function comparedBy(one: readonly Measured[], other: readonly Measured[]) {
  const pairs = one.flatMap((left, round) => {
    const right = other[round];
    return right === undefined ? [] : [{ left, right }];
  });
  const quiet = pairs.filter(({ left, right }) => isQuiet(left) && isQuiet(right));
  const ratios = (of: (one: Measured) => number, from = pairs) => from.map(({ left, right }) => of(left) / of(right));
  const cpuOf = (name: string) => (measured: Measured) => (measured.cpuMs[name] ?? Number.NaN) / measured.succeeded;
  const rates = ratios(rateOf, quiet);
  return {
    pairs: quiet.length,
    rate: median(rates),
    lowest: rates.length === 0 ? undefined : Math.min(...rates),
    highest: rates.length === 0 ? undefined : Math.max(...rates),
    serviceCpu: median(ratios(cpuOf('service'))),
    sqldCpu: median(ratios(cpuOf('sqld'))),
  };
}
