import { parseArgs } from 'node:util';
import { runTool } from '../shared/command.ts';
import { SetupError } from '../shared/setup-error.ts';
import { describeMachine, listVersions } from './machine.ts';
import { keepResult, runInFolder, stopwatch } from './run.ts';
import { type BenchRuntime, RUNTIMES } from './runtimes.ts';
import { printShards, printSizes } from './scale-report.ts';
import { measureShards } from './scale-shards.ts';
import { measureSizes } from './scale-sizes.ts';
import { SCALE } from './settings.ts';
import { syncTimes } from './sync-times.ts';

const USAGE = `Measures the service as its data grows, and as its shards become more.

  npm run bench:scale -- [--only sizes|shards] [--sizes 10000,1000000,5000000] [--rounds 3] [--seconds 4] [--runtime worker|deno]

  --only     one of the two
  --sizes    how many shipments a company has; the largest takes about 6 kB of disk each
  --rounds   how often each number of shards is measured, in turn
  --seconds  how long each measurement takes, after two seconds to warm up`;

interface Plan {
  readonly only: 'sizes' | 'shards' | undefined;
  readonly sizes: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
  readonly runtime: BenchRuntime;
}

/** Undefined when only the usage was asked for. */
function readPlan(): Plan | undefined {
  const option = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      only: option,
      sizes: { ...option, default: SCALE.sizes.join() },
      rounds: { ...option, default: String(SCALE.rounds) },
      seconds: { ...option, default: String(SCALE.seconds) },
      runtime: { ...option, default: SCALE.runtime },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const { only } = values;
  if (only !== undefined && only !== 'sizes' && only !== 'shards') throw new SetupError('--only is sizes or shards.');
  const runtime = RUNTIMES.find((one) => one === values.runtime);
  if (runtime === undefined) throw new SetupError('--runtime is worker or deno.');
  const sizes = values.sizes
    .split(',')
    .map(Number)
    .toSorted((first, second) => first - second);
  const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
  if (![...sizes, rounds, seconds].every((number) => Number.isSafeInteger(number) && number > 0))
    throw new SetupError('--sizes, --rounds and --seconds are whole numbers.');
  return { only, sizes, rounds, seconds, runtime };
}

async function run(plan: Plan, folder: string): Promise<true> {
  const log = stopwatch();
  const facts = { startedAt: new Date().toISOString(), plan, machine: describeMachine(), versions: listVersions() };
  const syncMs = await syncTimes(folder);
  const options = { folder, log, ...plan };
  if (plan.only !== 'sizes') {
    const shards = { ...facts, syncMs, ...(await measureShards(options)) };
    keepResult('scale-shards', shards);
    process.stdout.write(printShards(shards));
  }
  if (plan.only !== 'shards') {
    const sizes = { ...facts, syncMs, ...(await measureSizes(options)) };
    keepResult('scale-sizes', sizes);
    process.stdout.write(printSizes(sizes));
  }
  return true;
}

await runTool({
  usage: USAGE,
  readPlan,
  run: (plan) => runInFolder((folder) => run(plan, folder)),
  leavesRunning: true,
});
