import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { PROVE_SIZES } from '../../scripts/prove/sizes.ts';
import { failWith } from '../../scripts/shared/command.ts';
import { SetupError } from '../../scripts/shared/setup-error.ts';
import { type FuzzPlan, fuzz, report } from './fuzz.ts';
import { startTarget } from './target.ts';

const USAGE = `Sends malformed requests and checks every answer against the OpenAPI document.

  npm run fuzz -- [--seed N] [--requests ${PROVE_SIZES.fuzzRequests}] [--only INDEX] [--operation NAME] [--runtime worker|deno]

  --seed   the same seed sends the same requests. The default is random and is printed.
  --only   sends a single request of the seed.
  --operation  sends requests of one operation only, such as shipmentValidations.create.`;

const RUNTIMES = ['worker', 'deno'] as const;

try {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: String(randomInt(1e9)) },
      requests: { type: 'string', default: String(PROVE_SIZES.fuzzRequests) },
      only: { type: 'string' },
      operation: { type: 'string' },
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

function planOf(values: {
  seed: string;
  requests: string;
  only?: string | undefined;
  operation?: string | undefined;
}): FuzzPlan {
  const { seed, requests, only, operation } = values;
  return {
    seed: wholeNumber('seed', seed),
    requests: wholeNumber('requests', requests),
    only: only === undefined ? undefined : wholeNumber('only', only),
    operations: operation === undefined ? undefined : [operation],
  };
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new SetupError(`--${name} is a whole number.`);
  return Number(text);
}
