import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { isCommand, runTool } from '../../shared/command.ts';
import { SetupError } from '../../shared/setup-error.ts';
import { startCluster } from './cluster/cluster.ts';
import { Memory } from './memory.ts';
import { describeFailure, describeRound, describeRun } from './report.ts';
import { playRound, type Round } from './round.ts';

const USAGE = `Kills, stops and cuts off the service and its databases under load, and holds what was answered against what is stored.

  npm run chaos -- [--seed N] [--rounds 200] [--first 1] [--runtime worker|deno]

  Rounds are numbered from --first on; seed and number decide the faults and what clients do. Stops at the first round
  that breaks a promise.`;

interface Plan {
  readonly seed: number;
  readonly rounds: number;
  readonly first: number;
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
    const lost = await memory.lost(cluster);
    console.log(describeRun(played, { seed, runtime }));
    for (const detail of lost) console.log(`BROKEN: ${detail}`);
    if (lost.length === 0) console.log('Every promise held.');
    return lost.length === 0;
  } finally {
    await cluster.stop();
  }
}

/** Of what has been judged only its end is counted later. */
function forgetAnswer<Call extends object>(call: Call): Call {
  return { ...call, text: '', answer: undefined };
}

function readPlan(): Plan | undefined {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: String(randomInt(1, 1e9)) },
      rounds: { type: 'string', default: '200' },
      first: { type: 'string', default: '1' },
      runtime: { type: 'string', default: 'worker' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const { runtime } = values;
  if (values.help === true) return undefined;
  if (runtime !== 'worker' && runtime !== 'deno') throw new SetupError('--runtime is worker or deno.');
  const whole = (name: 'seed' | 'rounds' | 'first'): number => {
    if (!/^[1-9]\d{0,8}$/.test(values[name])) throw new SetupError(`--${name} is a whole number from 1 on.`);
    return Number(values[name]);
  };
  return { seed: whole('seed'), rounds: whole('rounds'), first: whole('first'), runtime };
}

if (isCommand(import.meta.filename)) await runTool({ usage: USAGE, readPlan, run });
