import { type PhaseResult, runLoad } from './load.ts';
import { createRequest } from './requests.ts';
import { describeOthers, type Findings, isQuiet, type StudyOptions, tableOf } from './result.ts';
import { launcherOf, startBenchService } from './service.ts';
import { percentile } from './statistics.ts';
import { addEndpoint, startReceiver } from './stock.ts';

const FULL = { seconds: 60, eventsPerSecond: 200 };
const QUICK = { ...FULL, seconds: 10 };
const CONNECTIONS = 256;
const WARM_UP_SECONDS = 5;
/** Deliveries of the last seconds still arrive. */
const REST_SECONDS = 5;
const DELAY_P95_MS_MAX = 250;

/** How late webhooks reach one endpoint of a company that creates shipments at a steady rate. */
export async function measureWebhooks({ folder, runtime, isQuick, log }: StudyOptions): Promise<Findings> {
  const settings = { runtime, ...(isQuick ? QUICK : FULL) };
  log(`starting the service on ${runtime}`);
  const service = await startBenchService({ folder, launch: await launcherOf(runtime, folder) });
  const [account] = service.accounts;
  const [database] = service.shards;
  if (account === undefined || database === undefined) throw new Error('There is no company to load.');
  await database.setApprovalPolicy(account.companyId, 'MANUAL');
  const arrivals: { readonly sentAtMs: number; readonly delayMs: number }[] = [];
  const receiver = await startReceiver((body) => {
    const sentAtMs = Date.parse(/"timestamp":"([^"]+)"/.exec(body)?.[1] ?? '');
    arrivals.push({ sentAtMs, delayMs: Date.now() - sentAtMs });
  });
  await addEndpoint(service.baseUrl, account, receiver.url);
  const { seconds, eventsPerSecond: rate } = settings;
  log(`${seconds} s of ${rate} events a second`);
  const startedAtMs = Date.now() + WARM_UP_SECONDS * 1000;
  const { phases } = await runLoad({
    port: service.worker.port,
    connections: CONNECTIONS,
    streams: [{ name: 'create', share: 1, requests: [createRequest(account.token, account)] }],
    phases: [
      { name: 'warm-up', seconds: WARM_UP_SECONDS, rate },
      { name: 'measured', seconds, rate },
      { name: 'rest', seconds: REST_SECONDS, rate: 0 },
    ],
    processes: { service: service.worker.pids, sqld: [database.pid, service.directory.pid] },
  });
  receiver.close();
  const [, load] = phases;
  if (load === undefined) throw new Error('Three phases were asked for');
  const isMeasured = (ms: number) => ms >= startedAtMs && ms < startedAtMs + seconds * 1000;
  const delays = delaysOf(arrivals.flatMap(({ sentAtMs, delayMs }) => (isMeasured(sentAtMs) ? [delayMs] : [])));
  const found = { ...load, ...delays };
  return {
    settings,
    circumstances: ['From the time of the event, shortly before its commit, to its arrival.', describeOthers([load])],
    tables: [
      tableOf<PhaseResult & Delays>(
        [found],
        [
          ['created/s', ({ succeeded }) => succeeded / seconds],
          ['webhooks/s', ({ webhooks }) => webhooks / seconds],
          ['delay p50 ms', ({ delayP50Ms }) => delayP50Ms],
          ['delay p95 ms', ({ delayP95Ms }) => delayP95Ms],
          ['delay p99 ms', ({ delayP99Ms }) => delayP99Ms],
          ['creation p95 ms', ({ p95Ms }) => p95Ms],
          ['service ms', ({ cpuMs, sent }) => (cpuMs['service'] ?? Number.NaN) / sent, 2],
          ['sqld ms', ({ cpuMs, sent }) => (cpuMs['sqld'] ?? Number.NaN) / sent, 2],
        ],
      ),
    ],
    verdicts: [
      {
        what: `95 % of webhooks within ${DELAY_P95_MS_MAX} ms`,
        isReached: isQuiet(load) ? delays.delayP95Ms <= DELAY_P95_MS_MAX : undefined,
        told: `${delays.delayP95Ms.toFixed(0)} ms`,
      },
    ],
    measurements: found,
  };
}

interface Delays {
  readonly webhooks: number;
  readonly delayP50Ms: number;
  readonly delayP95Ms: number;
  readonly delayP99Ms: number;
}

function delaysOf(delaysMs: readonly number[]): Delays {
  const sorted = delaysMs.toSorted((first, second) => first - second);
  const at = (share: number) => percentile(sorted, share);
  return { webhooks: sorted.length, delayP50Ms: at(0.5), delayP95Ms: at(0.95), delayP99Ms: at(0.99) };
}
