import { parseArgs } from 'node:util';
import { runTool } from '../shared/command.ts';
import type { Runtime } from '../shared/service.ts';
import { SetupError } from '../shared/setup-error.ts';
import { finish, SCALE } from './result.ts';
import { runInFolder, stopwatch } from './run.ts';
import { measureShards } from './scale-shards.ts';
import { measureSizes } from './scale-sizes.ts';

const USAGE = `Measures the service with more data and with more shards.

  npm run bench:scale -- [--only sizes|shards] [--sizes 10000,1000000,5000000] [--rounds 3] [--seconds 4] [--runtime worker|deno]

  --only     one of the two
  --sizes    how many shipments a company has; each needs about 6 kB of disk
  --rounds   how often each number of shards is measured
  --seconds  how long each measurement takes, after a warm-up`;

export interface ScaleSettings {
  readonly only: 'sizes' | 'shards' | undefined;
  readonly sizes: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
  readonly runtime: Runtime;
}

/** Undefined if only the usage was asked for. */
function readSettings(): ScaleSettings | undefined {
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
  const { only, runtime } = values;
  if (only !== undefined && only !== 'sizes' && only !== 'shards') throw new SetupError('--only is sizes or shards.');
  if (runtime !== 'worker' && runtime !== 'deno') throw new SetupError('--runtime is worker or deno.');
  const sizes = values.sizes
    .split(',')
    .map(Number)
    .toSorted((first, second) => first - second);
  const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
  if (![...sizes, rounds, seconds].every((number) => Number.isSafeInteger(number) && number > 0))
    throw new SetupError('--sizes, --rounds and --seconds are whole numbers.');
  return { only, sizes, rounds, seconds, runtime };
}

async function run(settings: ScaleSettings, folder: string): Promise<true> {
  const options = { folder, log: stopwatch(), ...settings };
  const startedAt = new Date();
  if (settings.only !== 'sizes') finish('scale-shards', startedAt, { settings, ...(await measureShards(options)) });
  if (settings.only !== 'shards') finish('scale-sizes', startedAt, { settings, ...(await measureSizes(options)) });
  return true;
}

await runTool({
  usage: USAGE,
  readPlan: readSettings,
  run: (settings) => runInFolder((folder) => run(settings, folder)),
  leavesRunning: true,
});
