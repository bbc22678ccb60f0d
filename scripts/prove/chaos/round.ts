import { Dice } from '../../shared/dice.ts';
import { until } from '../../shared/until.ts';
import type { Objection } from '../rules/promises.ts';
import { check } from './check/check.ts';
import type { Evidence, Recovery } from './check/evidence.ts';
import { type Rows, readRows, together } from './check/rows.ts';

import type { Cluster, Target } from './cluster/cluster.ts';
import { bringAbout, type Fault, planFaults } from './cluster/faults.ts';
import { Caller, type Line } from './load/caller.ts';
import { audit, CLIENTS, liveAll, untilWorking } from './load/crowd.ts';
import type { Call } from './load/history.ts';
import { type Actor, clearStage, type Stage, setStage } from './load/stage.ts';
import { describeBreakOff } from './report.ts';

/*
 * A round: new companies, 16 clients, some seconds of load while things fail; then everything is mended, and what was
 * answered is held against what is stored. One seed decides the faults, when they come and how long they last, and what
 * each client does one after the other. How requests, faults and answers interleave is the machine's: two runs of a seed
 * try the same, and are not the same.
 */

export interface Round {
  readonly number: number;
  readonly faults: readonly Fault[];
  readonly evidence: Evidence;
  readonly objections: readonly Objection[];
}

export interface RoundPlan {
  readonly seed: number;
  readonly number: number;
  /** In place of those that the seed decides. */
  readonly faults?: readonly Fault[];
  /** Done beside the faults: a lie that has to be found out. */
  readonly mischief?: (cluster: Cluster) => Promise<void>;
}

/** At the least: clients go on until everything that was broken works again. */
const LOAD_MS = 4000;
/** Approval is promised within two seconds; a machine that does everything else at once is given more. */
const SETTLE_MS = 10_000;

/** Rejects when something cannot be asked or read at all, with what the service said last. */
export async function playRound(cluster: Cluster, plan: RoundPlan): Promise<Round> {
  try {
    return await play(cluster, plan);
  } catch (error) {
    const { environment, runtime } = cluster;
    const said = environment.service.logs();
    throw new Error(describeBreakOff(plan, { runtime, said }), { cause: error });
  }
}

async function play(cluster: Cluster, plan: RoundPlan): Promise<Round> {
  const { seed, number, mischief } = plan;
  const dice = Dice.ofRound(seed, number);
  const faults = plan.faults ?? planFaults(dice);
  const stage = await setStage(cluster.environment);
  const line: Line = { address: cluster.arrow('service').address, calls: [] };
  const diceOf = (who: number) => Dice.ofRound(seed, number, who);
  try {
    const beganAt = performance.now();
    let areMended = false;
    const isOver = () => areMended && performance.now() > beganAt + LOAD_MS;
    const living = liveAll(stage, line, { diceOf, prefix: `r${number}`, isOver });
    const probersOf = (index: number) =>
      actorsOf(stage, faults[index]?.target).map(
        (actor, who) => new Caller(`prober-${index}-${who}`, actor, diceOf(CLIENTS * (2 + index) + who), line),
      );
    const failing = failAll(cluster, faults, { calls: line.calls, probersOf });
    const ending = failing.finally(() => {
      areMended = true;
    });
    const [recoveries] = await Promise.all([ending, living, mischief?.(cluster)]);
    await settle(cluster, stage);
    await audit(stage, line, diceOf(CLIENTS));
    const received = stage.receiver.received.map(({ headers }) => headers['webhook-id'] ?? '');
    const evidence = { calls: line.calls, rows: await rowsOf(cluster, stage), received, recoveries };
    return { number, faults, evidence, objections: check(evidence) };
  } finally {
    await clearStage(cluster.environment, stage);
  }
}

/** Who notices when this works again. */
function actorsOf({ actors }: Stage, target: Target | undefined): Actor[] {
  return actors.filter(({ company }, index) => {
    if (target === 'service' || target === 'directory') return index > 0;
    return company.shard === target && index > 0;
  });
}

interface Span {
  readonly from: number;
  to: number;
}

/**
 * Brings all of them about, each at its time, and measures how long after it was mended the first creation was answered
 * with a shipment, whoever asked for it.
 */
async function failAll(
  cluster: Cluster,
  faults: readonly Fault[],
  { calls, probersOf }: { readonly calls: readonly Call[]; readonly probersOf: (index: number) => Caller[] },
): Promise<Recovery[]> {
  const beganAt = performance.now();
  const spans = faults.map(({ atMs }): Span => ({ from: beganAt + atMs, to: Number.POSITIVE_INFINITY }));
  const measured = await Promise.all(
    faults.map(async (fault, index): Promise<Recovery[]> => {
      await bringAbout(cluster, fault);
      const mendedAt = performance.now();
      const own = spans[index];
      if (own !== undefined) own.to = mendedAt;
      const probers = probersOf(index);
      await Promise.all(probers.map((prober) => untilWorking(prober, `probe-${index}`)));
      const workedAt = firstCreationAfter(mendedAt, probers, calls);
      // What else was broken meanwhile is not this fault's doing.
      const isDisturbed = spans.some((span) => span !== own && span.from < workedAt && span.to > mendedAt);
      return isDisturbed ? [] : [{ fault: `${fault.kind} ${fault.target}`, ms: workedAt - mendedAt }];
    }),
  );
  return measured.flat();
}

/** Of the companies that the probers are of; theirs come at the latest. */
function firstCreationAfter(mendedAt: number, probers: readonly Caller[], calls: readonly Call[]): number {
  const companies = new Set(probers.map(({ actor }) => actor.company.companyId));
  const ended = calls
    .filter(({ operation, outcome }) => operation === 'create' && outcome === 'ok')
    .filter(({ companyId, endedAt }) => companies.has(companyId) && endedAt >= mendedAt);
  return Math.min(...ended.map(({ endedAt }) => endedAt));
}

/** Until nothing waits for its approval any more. What still waits then is an objection of the rules, not an error. */
async function settle(cluster: Cluster, stage: Stage): Promise<void> {
  const overAt = performance.now() + SETTLE_MS;
  const count = "select count(*) as waiting from shipments where company_id = ? and state = 'PENDING_APPROVAL'";
  for (const { company } of stage.actors) {
    const look = async () => {
      const [row] = await cluster.environment.sql(company.shard, count, [company.companyId]);
      return row?.['waiting'] === 0 || performance.now() > overAt ? true : undefined;
    };
    await until('what is due is done', look, { withinMs: 2 * SETTLE_MS, everyMs: 50 });
  }
}

async function rowsOf(cluster: Cluster, { actors }: Stage): Promise<Rows> {
  const shards = Map.groupBy(actors, ({ company }) => company.shard);
  const read = [...shards].map(([shard, own]) =>
    readRows(
      cluster.database(shard).url,
      own.map(({ company }) => company.companyId),
    ),
  );
  return together(await Promise.all(read));
}
