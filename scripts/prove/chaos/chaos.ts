import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { isCommand, runTool } from '../../shared/command.ts';
import { SetupError } from '../../shared/setup-error.ts';
import { PROVE_SIZES } from '../sizes.ts';
import type { Round } from './check/evidence.ts';
import { startCluster } from './cluster/cluster.ts';
import { Memory } from './memory.ts';
import { describeFailure, describeRound, describeRun, describeWebhooks } from './report.ts';
import { playRound } from './round.ts';
import { playWebhookRound } from './webhooks/round.ts';

const USAGE = `Kills, stops and cuts off the service and its databases under load, and compares the answers with the stored rows.
Then sends webhooks to receivers that fail, hang and break off while the service is killed.

  npm run chaos -- [--seed N] [--rounds ${PROVE_SIZES.chaosRounds}] [--first 1] [--shipments ${PROVE_SIZES.webhookShipments}] [--kills ${PROVE_SIZES.webhookKills}] [--runtime worker|deno]

  --rounds     rounds of load; a round takes some eight seconds. 0 leaves them out.
  --first      the number of the first round. Seed and number decide the faults and what clients do.
  --shipments  shipments of the webhook round. 0 leaves it out.
  --kills      how often the service is killed in the webhook round.

  It stops at the first round that breaks a promise.`;

interface Plan {
  readonly seed: number;
  readonly rounds: number;
  readonly first: number;
  readonly shipments: number;
  readonly kills: number;
  readonly runtime: 'worker' | 'deno';
}

async function run(plan: Plan): Promise<boolean> {
  const { seed, rounds, first, runtime } = plan;
  const cluster = await startCluster(runtime);
  const memory = new Memory();
  const played: Round[] = [];
  try {
    for (let number = first; number < first + rounds; number += 1) {
      const round = await playRound(cluster, { seed, number });
      memory.learn(round.evidence);
      played.push({ ...round, evidence: { ...round.evidence, calls: round.evidence.calls.map(forgetAnswer) } });
      console.log(describeRound(round));
      if (round.objections.length > 0) {
        console.log(describeFailure(round, { seed, runtime }));
        return false;
      }
    }
    const webhooks = plan.shipments === 0 ? undefined : await playWebhookRound(cluster, plan);
    const lost = await memory.lost(cluster);
    if (played.length > 0) console.log(describeRun(played, { seed, runtime }));
    if (webhooks !== undefined) console.log(describeWebhooks(webhooks));
    for (const detail of lost) console.log(`BROKEN acknowledged: ${detail}`);
    const isKept = lost.length === 0 && (webhooks?.objections ?? []).length === 0;
    if (isKept) console.log('Every promise held.');
    return isKept;
  } finally {
    await cluster.stop();
  }
}

/** The rules have read the answers. The report only counts the calls. */
function forgetAnswer<Call extends object>(call: Call): Call {
  return { ...call, text: '', answer: undefined };
}

function readPlan(): Plan | undefined {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: String(randomInt(1, 1e9)) },
      rounds: { type: 'string', default: String(PROVE_SIZES.chaosRounds) },
      first: { type: 'string', default: '1' },
      shipments: { type: 'string', default: String(PROVE_SIZES.webhookShipments) },
      kills: { type: 'string', default: String(PROVE_SIZES.webhookKills) },
      runtime: { type: 'string', default: 'worker' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const { runtime } = values;
  if (values.help === true) return undefined;
  if (runtime !== 'worker' && runtime !== 'deno') throw new SetupError('--runtime is worker or deno.');
  const whole = (name: 'seed' | 'rounds' | 'first' | 'shipments' | 'kills', min: number): number => {
    const number = Number(values[name]);
    if (!/^\d{1,9}$/.test(values[name]) || number < min)
      throw new SetupError(`--${name} is a whole number from ${min} on.`);
    return number;
  };
  return {
    ...{ seed: whole('seed', 1), rounds: whole('rounds', 0), first: whole('first', 1) },
    ...{ shipments: whole('shipments', 0), kills: whole('kills', 0), runtime },
  };
}

if (isCommand(import.meta.filename)) await runTool({ usage: USAGE, readPlan, run });
