import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { check } from '../../scripts/prove/chaos/check/check.ts';
import type { Round } from '../../scripts/prove/chaos/check/evidence.ts';
import { type Cluster, startCluster } from '../../scripts/prove/chaos/cluster/cluster.ts';
import { Memory } from '../../scripts/prove/chaos/memory.ts';
import { describeFailure, describeRound, describeWebhooks } from '../../scripts/prove/chaos/report.ts';
import { playRound } from '../../scripts/prove/chaos/round.ts';
import { playWebhookRound } from '../../scripts/prove/chaos/webhooks/round.ts';
import { rulesOf } from '../../scripts/prove/rules/promises.ts';
import { PROVE_SIZES } from '../../scripts/prove/sizes.ts';
import { loseCommits, pretendToCommit } from './lies/forgetful-database.ts';
import { LIES_OF_ANSWERS } from './lies/of-answers.ts';
import { LIES_OF_ROWS } from './lies/of-rows.ts';

/*
 * Chaos with a fixed seed, and then the negative controls: every rule must object to evidence that breaks it.
 * `npm run chaos` plays other seeds, and runs on Deno too.
 */

const SEED = 93;
const ROUNDS = PROVE_SIZES.chaosRounds;
const PLANTED_LIES = [...LIES_OF_ROWS, ...LIES_OF_ANSWERS];
/** A round takes some eight seconds on an idle machine. */
const ROUNDS_TIMEOUT_MS = 900_000;
/** Deliveries that are given up take half a minute, and leases of killed processes 17 s each. */
const WEBHOOKS_TIMEOUT_MS = 400_000;

describe('while processes are killed, stopped and cut off', () => {
  let cluster: Cluster | undefined;
  const rounds: Round[] = [];
  const memory = new Memory();
  const started = () => {
    if (cluster === undefined) throw new Error('The cluster did not start');
    return cluster;
  };
  beforeAll(async () => {
    cluster = await startCluster('worker');
    for (let number = 1; number <= ROUNDS; number += 1) {
      const round = await playRound(cluster, { seed: SEED, number });
      memory.learn(round.evidence);
      rounds.push(round);
      console.log(describeRound(round));
    }
  }, ROUNDS_TIMEOUT_MS);
  afterAll(async () => {
    await cluster?.stop();
  });

  it('no promise is broken in 20 rounds', async () => {
    expect(rounds).toHaveLength(ROUNDS);
    const failures = rounds.map(atAnySpeed).filter(({ objections }) => objections.length > 0);
    expect(failures.map((round) => describeFailure(round, { seed: SEED, runtime: 'worker' }))).toEqual([]);
    expect(await memory.lost(started())).toEqual([]);
  });

  it(
    'no promise about webhooks is broken while receivers fail',
    async () => {
      const { webhookShipments: shipments, webhookKills: kills } = PROVE_SIZES;
      const round = await playWebhookRound(started(), { seed: SEED, shipments, kills });
      console.log(describeWebhooks(round));
      expect(round.objections).toEqual([]);
    },
    WEBHOOKS_TIMEOUT_MS,
  );

  it('the rounds have every outcome of a request and every kind of fault', () => {
    const calls = rounds.flatMap(({ evidence }) => evidence.calls);
    for (const outcome of ['ok', 'refused', 'unknown']) {
      expect(calls.filter((call) => call.outcome === outcome).length, outcome).toBeGreaterThan(ROUNDS);
    }
    const kinds = new Set(rounds.flatMap(({ faults }) => faults.map(({ kind }) => kind)));
    expect([...kinds].toSorted()).toEqual(['cut', 'cut_answer', 'hold', 'kill', 'replace', 'stop']);
    expect(rounds.flatMap(({ evidence }) => evidence.recoveries).length).toBeGreaterThan(0);
    expect(rounds.flatMap(({ evidence }) => evidence.watched).some(({ told }) => told > 0)).toBe(true);
  });

  it('every round kills the service in the middle of a batch', () => {
    expect(rounds.map(({ batchKills }) => batchKills)).toEqual(rounds.map(() => 1));
  });

  it('every round kills the service between the end at the door and its answer, and the repeat is answered', () => {
    expect(rounds.map(({ doorKills }) => doorKills)).toEqual(rounds.map(() => 1));
  });

  it.each(PLANTED_LIES)('$name is noticed', ({ rule, plant }) => {
    const lies = rounds
      .map(atAnySpeed)
      .filter(({ objections }) => objections.length === 0)
      .flatMap(({ evidence }) => plant(evidence) ?? []);
    const [planted] = lies;
    if (planted === undefined) throw new Error('No round has what this lie is about');
    expect(check(planted).map((objection) => objection.rule)).toContain(rule);
  });

  it('every rule has a lie that breaks it', () => {
    expect(new Set(PLANTED_LIES.map(({ rule }) => rule))).toEqual(new Set(rulesOf('chaos')));
  });

  it.each([
    ['a database that was restored from an old copy', loseCommits],
    ['a database that reports lost units as committed', pretendToCommit],
  ])('%s is noticed', async (_name, mischief) => {
    const { objections, evidence } = await playRound(started(), {
      ...{ seed: SEED, number: ROUNDS + 1, faults: [], mischief },
    });
    expect(objections.map(({ rule }) => rule)).toContain('acknowledged');
    // Later rounds would notice it too.
    const later = new Memory();
    later.learn(evidence);
    expect(await later.lost(started())).not.toEqual([]);
  });
});

/** Leaves the rule `recovery` out: its time depends on how busy the machine is. */
function atAnySpeed(round: Round): Round {
  return {
    ...round,
    evidence: { ...round.evidence, recoveries: [] },
    objections: round.objections.filter(({ rule }) => rule !== 'recovery'),
  };
}
