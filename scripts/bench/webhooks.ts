import { parseArgs } from 'node:util';
import { failWith, isCommand } from '../shared/command.ts';
import { addCompany } from '../shared/companies.ts';
import { type OwnEnvironment, startEnvironment } from '../shared/environment.ts';
import { setApprovalPolicy } from '../shared/force-state.ts';
import { type Merchant, merchantOf } from '../shared/merchant.ts';
import { makeMortal } from '../shared/mortal-service.ts';
import { type Receiver, type Respond, startReceiver } from '../shared/receiver.ts';
import type { Runtime } from '../shared/service.ts';
import { SetupError } from '../shared/setup-error.ts';
import { webhooksOf } from '../shared/webhooks.ts';
import { percentile } from './statistics.ts';

const USAGE = `Creates shipments at a rate, and measures when receivers hear of them.

  npm run bench:webhooks -- [--runtime worker|deno] [--rate 200] [--seconds 60] [--endpoints 1] [--dead 0]

  Each shipment is one event (shipment.created), sent to every endpoint of its company; a company has at most ten.
  --dead: as many of the endpoints accept a connection and never answer. Times are from the event's own to the receiver's.`;

interface Plan {
  readonly runtime: Runtime;
  readonly rate: number;
  readonly seconds: number;
  readonly endpoints: number;
  readonly dead: number;
}

const ENDPOINTS_OF_COMPANY = 10;
/** How long after the last creation receivers may take to hear of everything. */
const DRAIN_MS = 60_000;
const NEVER: Respond = () => undefined;

async function run(plan: Plan): Promise<void> {
  const mortal = await makeMortal(plan.runtime);
  const environment = await startEnvironment(plan.runtime, {}, mortal.start);
  const receivers: Receiver[] = [];
  try {
    const companies = await addCompanies(environment, plan, receivers);
    const created = await createAtRate(companies, plan);
    const endedAtMs = Date.now();
    const living = receivers.slice(plan.dead);
    const expected = living.map((_, index) => created[companyOf(plan.dead + index)] ?? 0);
    const isHeard = () => living.every(({ received }, index) => received.length >= (expected[index] ?? 0));
    while (!isHeard() && Date.now() - endedAtMs < DRAIN_MS) await new Promise((done) => setTimeout(done, 20));
    report(plan, { created, living, expected, drainMs: Date.now() - endedAtMs });
  } finally {
    await Promise.all(receivers.map((receiver) => receiver.close()));
    await environment.stop();
    mortal.forget();
  }
}

const companyOf = (endpoint: number) => Math.floor(endpoint / ENDPOINTS_OF_COMPANY);

async function addCompanies(environment: OwnEnvironment, plan: Plan, receivers: Receiver[]): Promise<Merchant[]> {
  const merchants: Merchant[] = [];
  for (let endpoint = 0; endpoint < plan.endpoints; endpoint += 1) {
    const index = companyOf(endpoint);
    if (merchants[index] === undefined) {
      const company = await addCompany(environment, 'shard-1');
      // Nothing happens to a shipment after its creation: one event each.
      await setApprovalPolicy(environment, company, 'MANUAL');
      merchants[index] = await merchantOf(environment, company);
    }
    const receiver = await startReceiver(endpoint < plan.dead ? NEVER : undefined);
    receivers.push(receiver);
    const webhooks = await webhooksOf(environment, merchants[index]);
    await webhooks.add(receiver.url, { eventTypes: ['shipment.created'] });
  }
  return merchants;
}

/** Answers how many shipments each company has. */
async function createAtRate(merchants: readonly Merchant[], { rate, seconds }: Plan): Promise<number[]> {
  const created = merchants.map(() => 0);
  const under: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let number = 0; number < rate * seconds; number += 1) {
    const dueAt = startedAt + (number / rate) * 1000;
    const waitMs = dueAt - performance.now();
    if (waitMs > 1) await new Promise((done) => setTimeout(done, waitMs));
    const company = number % merchants.length;
    under.push(
      (merchants[company] as Merchant).create().then(() => {
        created[company] = (created[company] ?? 0) + 1;
      }),
    );
  }
  await Promise.all(under);
  console.log(`${under.length} shipments in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  return created;
}

interface Outcome {
  readonly created: readonly number[];
  readonly living: readonly Receiver[];
  readonly expected: readonly number[];
  readonly drainMs: number;
}

function report(plan: Plan, { living, expected, drainMs }: Outcome): void {
  const waits = living
    .flatMap(({ received }) =>
      received.map(({ text, atMs }) => atMs - Date.parse((JSON.parse(text) as { timestamp: string }).timestamp)),
    )
    .toSorted((first, second) => first - second);
  const missing = living.reduce((sum, { received }, index) => sum + (expected[index] ?? 0) - received.length, 0);
  const share = (part: number) => `${percentile(waits, part).toFixed(0)} ms`;
  console.log(
    `${plan.runtime}, ${plan.rate} events/s for ${plan.seconds} s, ${plan.endpoints} endpoints, ${plan.dead} dead`,
  );
  console.log(`heard ${waits.length}, missing ${missing}; all were heard ${drainMs} ms after the last creation`);
  console.log(`from commit to receiver: p50 ${share(0.5)}, p95 ${share(0.95)}, p99 ${share(0.99)}`);
}

function readPlan(): Plan | undefined {
  const { values } = parseArgs({
    options: {
      runtime: { type: 'string', default: 'worker' },
      rate: { type: 'string', default: '200' },
      seconds: { type: 'string', default: '60' },
      endpoints: { type: 'string', default: '1' },
      dead: { type: 'string', default: '0' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const { runtime } = values;
  if (runtime !== 'worker' && runtime !== 'deno') throw new SetupError('--runtime is worker or deno.');
  const [rate = 0, seconds = 0, endpoints = 0, dead = 0] = [
    values.rate,
    values.seconds,
    values.endpoints,
    values.dead,
  ].map(Number);
  if (
    ![rate, seconds, endpoints, dead].every((number) => Number.isSafeInteger(number) && number >= 0) ||
    dead > endpoints
  )
    throw new SetupError('Rates and counts are whole numbers, and no more are dead than there are.');
  return { runtime, rate, seconds, endpoints, dead };
}

if (isCommand(import.meta.filename)) {
  try {
    const plan = readPlan();
    if (plan === undefined) console.log(USAGE);
    else await run(plan);
    process.exit(0);
  } catch (error) {
    failWith(error);
  }
}
