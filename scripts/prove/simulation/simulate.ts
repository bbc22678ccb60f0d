import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import * as z from 'zod';
import { failWith, isCommand } from '../../shared/command.ts';
import { SetupError } from '../../shared/setup-error.ts';
import { MUST_BE_SEEN } from './must-be-seen.ts';
import { runWorld, type WorldEnd } from './run-world.ts';

/*
 * Lives simulated worlds until together they have taken as many steps: the first with the seed, each further one with
 * the next. A world that breaks a rule is told with its seed, which makes it break again at the same step.
 */

const USAGE = `Looks for what a seed can break in the simulated service.

  npm run simulate -- [--seed N] [--steps M] [--jobs J]
      At least M steps (a million by default), in worlds with the seeds N, N + 1, …, on J processors.
      A seed that was reported is repeated with --seed SEED --steps 1.`;

/** Steps of a world until it is drained, which takes it some ten thousand more. */
const WORLD_STEPS = 50_000;

interface Orders {
  readonly seed: number;
  readonly steps: number;
  readonly jobs: number;
}

/** What a worker tells of a world. Errors lose their class on the way. */
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
  /** What the rules have not been tried on. */
  readonly neverSeen: readonly string[];
}

/** Stops at the first world that breaks a rule. */
async function simulate({ seed, steps, jobs }: Orders, tell: (report: Report) => void): Promise<Findings> {
  const begunMs = performance.now();
  const ended: Report[] = [];
  let next = seed;
  const isOver = () => sum(ended, 'steps') >= steps || ended.some(({ failure }) => failure !== undefined);
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
  const neverSeen = MUST_BE_SEEN.filter((what) => !ended.some(({ seen }) => seen.has(what)));
  const [taken, shipments] = [sum(ended, 'steps'), sum(ended, 'shipments')];
  return { worlds: ended.length, steps: taken, shipments, seconds, broken, neverSeen };
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
  steps: whole.default(1_000_000),
  jobs: whole.min(1).default(availableParallelism()),
});

async function runFromCommandLine(): Promise<void> {
  const option = { type: 'string' } as const;
  const { values } = parseArgs({ options: { seed: option, steps: option, jobs: option } });
  const parsed = orders.safeParse(values);
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

if (!isMainThread) workForOthers();
else if (isCommand(import.meta.filename)) await runFromCommandLine().catch(failWith);
