import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { failWith } from '../../shared/command.ts';
import { SetupError } from '../../shared/setup-error.ts';
import { type FuzzPlan, fuzz, report } from './fuzz.ts';
import { startTarget } from './target.ts';

const USAGE = `Asks the service what nobody should, and sees whether every answer is as documented.

  npm run fuzz -- [--seed N] [--requests 20000] [--only INDEX] [--runtime worker|deno]

  The seed is printed; with it the same requests are sent again, and with --only one of them.`;

const RUNTIMES = ['worker', 'deno'] as const;

try {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: String(randomInt(1e9)) },
      requests: { type: 'string', default: '20000' },
      only: { type: 'string' },
      runtime: { type: 'string', default: 'worker' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) console.log(USAGE);
  else process.exitCode = (await run(planOf(values), values.runtime)) ? 0 : 1;
} catch (error) {
  failWith(error);
}

async function run(plan: FuzzPlan, name: string): Promise<boolean> {
  const runtime = RUNTIMES.find((one) => one === name);
  if (runtime === undefined) throw new SetupError(`--runtime is ${RUNTIMES.join(' or ')}.`);
  const environment = await startTarget(runtime);
  try {
    const result = await fuzz(environment, plan);
    console.log(report(plan, result));
    return result.findings.length === 0;
  } finally {
    await environment.stop();
  }
}

function planOf(values: { seed: string; requests: string; only?: string | undefined }): FuzzPlan {
  const { seed, requests, only } = values;
  return {
    seed: wholeNumber('seed', seed),
    requests: wholeNumber('requests', requests),
    only: only === undefined ? undefined : wholeNumber('only', only),
  };
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new SetupError(`--${name} is a whole number.`);
  return Number(text);
}
