import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import * as z from 'zod';
import { failWith, isCommand } from '../../shared/command.ts';
import { SetupError } from '../../shared/setup-error.ts';
import { PROVE_SIZES } from '../sizes.ts';
import { runWorld, type WorldEnd } from './run-world.ts';

/*
 * Runs simulated worlds until they have taken the given number of steps in total: the first with the seed, each further
 * one with the next seed. If a world breaks a rule, its seed is printed; the same seed breaks it again at the same
 * step.
 */

const USAGE = `Runs the service and its surroundings in one process, from one seed, and checks every rule at each commit.

  npm run simulate -- [--seed 1] [--steps ${PROVE_SIZES.simulationSteps}] [--steps-max 0] [--jobs J]

  --seed       the seed of the first world; the next worlds have the next seeds
  --steps      the steps of all worlds together
  --steps-max  continue up to this many steps until every rare event has been seen
  --jobs       worlds at a time; by default one for each processor

  To repeat a world whose seed was reported: --seed SEED --steps 1`;

/** Steps of a world before it is drained. Draining takes some ten thousand more. */
const WORLD_STEPS = 50_000;

interface Orders {
  readonly seed: number;
  readonly steps: number;
  /** If it is more than `steps`: continue up to this many until every rare event has been seen. */
  readonly stepsMax: number;
  readonly jobs: number;
}

/** The report of a worker about a world. Errors lose their class between threads. */
interface Report extends Omit<WorldEnd, 'failure'> {
  readonly failure: string | undefined;
  readonly last: readonly string[];
}

interface Findings {
  readonly worlds: number;
  readonly steps: number;
  readonly shipments: number;
  readonly seconds: number;
  readonly broken: readonly Report[];
  /** Things that never happened, so that no rule could judge them. */
  readonly neverSeen: readonly string[];
}

/** Stops at the first world that breaks a rule. */
async function simulate({ seed, steps, stepsMax, jobs }: Orders, tell: (report: Report) => void): Promise<Findings> {
  const begunMs = performance.now();
  const ended: Report[] = [];
  let next = seed;
  const unseen = () => MUST_BE_SEEN.filter((what) => !ended.some(({ seen }) => seen.has(what)));
  const isOver = () => {
    const taken = sum(ended, 'steps');
    const isEnough = taken >= steps && (taken >= stepsMax || unseen().length === 0);
    return isEnough || ended.some(({ failure }) => failure !== undefined);
  };
  const live = async (): Promise<void> => {
    const worker = new Worker(import.meta.filename);
    try {
      while (!isOver()) {
        const report = await askWorker(worker, next++);
        ended.push(report);
        tell(report);
      }
    } finally {
      await worker.terminate();
    }
  };
  const workers = Math.min(jobs, Math.max(1, Math.ceil(steps / WORLD_STEPS)));
  await Promise.all(Array.from({ length: workers }, live));
  const seconds = (performance.now() - begunMs) / 1000;
  const broken = ended.filter(({ failure }) => failure !== undefined);
  const [taken, shipments] = [sum(ended, 'steps'), sum(ended, 'shipments')];
  return { worlds: ended.length, steps: taken, shipments, seconds, broken, neverSeen: unseen() };
}

function askWorker(worker: Worker, seed: number): Promise<Report> {
  return new Promise((resolve, reject) => {
    worker.once('message', (report: Report) => {
      worker.off('error', reject);
      resolve(report);
    });
    worker.once('error', reject);
    worker.postMessage(seed);
  });
}

function sum(reports: readonly Report[], what: 'steps' | 'shipments'): number {
  return reports.reduce((total, report) => total + report[what], 0);
}

function workForOthers(): void {
  parentPort?.on('message', (seed: number) => {
    void runWorld({ seed }, WORLD_STEPS).then(({ failure, ...end }) => {
      const error = failure?.error;
      const told = error instanceof Error ? (error.stack ?? error.message) : error;
      const report: Report = {
        ...end,
        failure: failure === undefined ? undefined : String(told),
        last: failure?.last ?? [],
      };
      parentPort?.postMessage(report);
    });
  });
}

const whole = z.coerce.number().int().min(0);
const orders = z.strictObject({
  seed: whole.default(1),
  steps: whole.default(PROVE_SIZES.simulationSteps),
  stepsMax: whole.default(0),
  jobs: whole.min(1).default(availableParallelism()),
});

async function runFromCommandLine(): Promise<void> {
  const option = { type: 'string' } as const;
  const help = { type: 'boolean', short: 'h' } as const;
  const options = { seed: option, steps: option, 'steps-max': option, jobs: option, help };
  const { help: isHelp, 'steps-max': stepsMax, ...given } = parseArgs({ options }).values;
  if (isHelp === true) return console.log(USAGE);
  const parsed = orders.safeParse({ ...given, stepsMax });
  if (!parsed.success) throw new SetupError(USAGE);
  const findings = await simulate(parsed.data, ({ seed, steps, shipments, digest, failure }) =>
    console.log(
      `seed ${seed}: ${steps} steps, ${shipments} shipments, trace ${digest}${failure === undefined ? '' : ', BROKEN'}`,
    ),
  );
  const { worlds, steps, shipments, seconds, broken, neverSeen } = findings;
  for (const { last, failure, seed } of broken) {
    console.log(['', ...last, failure, `Once more: npm run simulate -- --seed ${seed} --steps 1`].join('\n'));
  }
  const speed = Math.round(steps / seconds);
  console.log(
    `${steps} steps in ${worlds} worlds with ${shipments} shipments, ${seconds.toFixed(1)} s, ${speed} steps/s`,
  );
  if (neverSeen.length > 0) console.log(`never seen: ${neverSeen.join('; ')}`);
  if (broken.length > 0) process.exitCode = 1;
}

/**
 * What must happen within a million steps, because a rule about something that never happens proves nothing. Edges that
 * only operators can take are not among them.
 */
const MUST_BE_SEEN: readonly string[] = [
  'delivered with money',
  'delivered with a PIN',
  'wrong PIN',
  'failed with a record',
  'delivered without money',
  'ACCEPTED to ACCEPTED: shipment.amended',
  'ACCEPTED to CANCELLED: shipment.cancelled',
  'ACCEPTED to PICKED_UP: shipment.picked_up',
  'ACCEPTED to READY_FOR_DISPATCH: shipment.driver_released',
  'DISPATCH_UNRESOLVED to CANCELLED: shipment.cancelled',
  'DISPATCH_UNRESOLVED to READY_FOR_DISPATCH: shipment.dispatch_retried',
  'OFFERED to ACCEPTED: shipment.accepted',
  'OFFERED to OFFERED: shipment.amended',
  'OFFERED to CANCELLED: shipment.cancelled',
  'OFFERED to READY_FOR_DISPATCH: shipment.offer_declined',
  'OFFERED to READY_FOR_DISPATCH: shipment.offer_expired',
  'OUT_FOR_DELIVERY to DELIVERED: shipment.delivered',
  'OUT_FOR_DELIVERY to DELIVERY_FAILED: shipment.delivery_failed',
  'PENDING_APPROVAL to CANCELLED: shipment.cancelled',
  'PENDING_APPROVAL to READY_FOR_DISPATCH: shipment.approved',
  'PICKED_UP to DELIVERY_FAILED: shipment.delivery_failed',
  'PICKED_UP to OUT_FOR_DELIVERY: shipment.out_for_delivery',
  'READY_FOR_DISPATCH to CANCELLED: shipment.cancelled',
  'READY_FOR_DISPATCH to DISPATCH_UNRESOLVED: shipment.dispatch_unresolved',
  'READY_FOR_DISPATCH to OFFERED: shipment.offered',
  'create 200',
  'create 201',
  'lock price 200',
  'create 409 PRICE_LIMIT_EXCEEDED',
  'create 422 PRICE_LOCK_EXPIRED',
  'create 422 PRICE_LOCK_MISMATCH',
  'reuse lock 201',
  'reuse lock 409 PRICE_LOCK_USED',
  'create 409 IDEMPOTENCY_REQUEST_IN_PROGRESS',
  'create 409 EXTERNAL_REFERENCE_CONFLICT',
  'create 503 ROUTING_PROVIDER_UNAVAILABLE',
  'create 503 SERVICE_UNAVAILABLE',
  'reuse key 422 IDEMPOTENCY_KEY_REUSED',
  'reuse reference 409 EXTERNAL_REFERENCE_CONFLICT',
  'get foreign 403 ACCESS_DENIED',
  'cancel 409 SHIPMENT_NOT_CANCELLABLE',
  'cancel 412 PRECONDITION_FAILED',
  'cancel 409 PRICE_LIMIT_EXCEEDED',
  'amend 409 AMENDMENT_NOT_ALLOWED',
  'amend 409 PRICE_LIMIT_EXCEEDED',
  'amend 412 PRECONDITION_FAILED',
  'accept 200',
  'accept 409 AMENDMENT_NOT_ALLOWED',
  'accept 412 PRECONDITION_FAILED',
  'reject 200',
  'a change waits',
  'a change that waited is APPLIED',
  'a change that waited is EXPIRED',
  'a change that waited is REJECTED',
  'a company accepts a change for more',
  'a recipient amends for more',
  'a recipient amends for nothing more',
  'a refusal',
  'a session that is over',
  'recipient guess 422 OTP_INVALID',
  'recipient pry 401 AUTHENTICATION_REQUIRED',
  'recipient read 200',
  'recipient refuse 409 AMENDMENT_NOT_ALLOWED',
  'recipient sign-in 429 OTP_RATE_LIMITED',
  'twenty amendments',
  'window AGREED to ASKED',
  'window AGREED to MET',
  'window AGREED to MISSED',
  'window ASKED to AGREED',
  'amended for nothing',
  'amended for more',
  'amended for less',
  'amend or cancel: 200,412',
  'cancelled as previewed: fee',
  'cancelled as previewed: free',
  'address MISMATCH',
  'address NOT_FOUND',
  'address UNVERIFIED',
  'address VERIFIED',
  'offered: UNVERIFIED',
  'offered: VERIFIED',
  'offered: overridden',
  'set address 200',
  'override address 200',
  'put off duty',
  'follow 200',
  'follow 404 TRACKING_LINK_UNAVAILABLE',
  'revoke 204',
  'a return of a delivery',
  'a later return of a delivery',
  'return 201',
  'return 409 RETURN_QUANTITY_EXCEEDED',
  'a rating',
  'rate 303',
  'replay 202',
  'hold 200',
  'release 200',
  'scenario 202',
  'reset 200',
  'clock 200',
  'advance 202',
  'advance 409 CLOCK_ADVANCING',
  'a clock stands',
  'an advance ends',
  'delivery SUCCEEDED',
  'delivery RETRYING',
  'an endpoint pauses',
  'delivery EXHAUSTED',
  'delivery SKIPPED',
  'a phone is lost with goods',
  'waits in addressBlocked',
  'waits in unresolved',
  'waits in strandedGoods',
  'crash',
  'standstill',
  'forgetfulServer',
  'leap',
  'move',
];

if (!isMainThread) workForOthers();
else if (isCommand(import.meta.filename)) await runFromCommandLine().catch(failWith);
