import { Dice } from '../../shared/dice.ts';
import { until } from '../../shared/until.ts';
import { check } from './check/check.ts';
import type { Recovery, Round } from './check/evidence.ts';
import { readRows, type ShardRows, together } from './check/rows.ts';
import type { Cluster, FaultTarget } from './cluster/cluster.ts';
import { type Fault, injectFault, planFaults } from './cluster/faults.ts';
import { killAtDoor, killInBatch } from './kills.ts';
import { Caller, type Line } from './load/caller.ts';
import { audit, auditBatches, CLIENTS, liveAll, untilWorking } from './load/crowd.ts';
import type { RecordedCall } from './load/history.ts';
import { clearRound, type RoundCompany, type RoundSetup, setUpRound } from './load/round-setup.ts';
import { watchAll } from './load/watcher.ts';
import { describeBreakOff } from './report.ts';

/*
 * A round: new companies, 16 clients and some seconds of load while things fail. Then everything is repaired, and the answers
 * are compared with the stored rows. The seed decides the faults, their times and the actions of each client. It does not
 * decide how they interleave, so two runs of one seed are similar, not equal.
 */

export interface RoundPlan {
  readonly seed: number;
  readonly number: number;
  /** Instead of those that the seed decides. */
  readonly faults?: readonly Fault[];
  /** A planted fault that the rules must notice. */
  readonly mischief?: (cluster: Cluster) => Promise<void>;
}

/** The minimum: clients continue until everything works again. */
const LOAD_MS = 4000;
/** Approval is promised within two seconds. A busy machine gets more. */
const SETTLE_MS = 10_000;
/** Fifty items a second, and five seconds after a part that failed. */
const BATCH_SETTLE_MS = 30_000;

/** Rejects with the last log lines when a request or a read fails that no fault explains. */
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
  const setup = await setUpRound(cluster.environment);
  const line: Line = { address: cluster.proxy('service').url, calls: [] };
  const diceOf = (who: number) => Dice.ofRound(seed, number, who);
  const pages = watchAll(setup.actors, line, cluster.environment.baseUrl);
  try {
    const beganAt = performance.now();
    let areMended = false;
    const isOver = () => areMended && performance.now() > beganAt + LOAD_MS;
    const living = liveAll(setup, line, { diceOf, prefix: `r${number}`, isOver });
    const probersOf = (index: number) =>
      actorsOf(setup, faults[index]?.target).map(
        (actor, who) => new Caller(`prober-${index}-${who}`, actor, diceOf(CLIENTS * (2 + index) + who), line),
      );
    const failing = failAll(cluster, faults, { calls: line.calls, probersOf });
    const ending = failing.finally(() => {
      areMended = true;
    });
    const [recoveries] = await Promise.all([ending, living, mischief?.(cluster)]);
    const doorKills = mischief === undefined ? await killAtDoor(cluster, setup, line, diceOf(CLIENTS + 10)) : 0;
    const batchKills = mischief === undefined ? await killInBatch(cluster, setup, line, diceOf(CLIENTS + 11)) : 0;
    await settleBatches(cluster, setup);
    await auditBatches(setup, line, diceOf);
    await settle(cluster, setup);
    await audit(setup, line, diceOf(CLIENTS));
    const watched = await pages.finish();
    const received = setup.receiver.received.map(({ headers }) => headers['webhook-id'] ?? '');
    const evidence = { calls: line.calls, rows: await rowsOf(cluster, setup), received, recoveries, watched };
    return { number, faults, evidence, batchKills, doorKills, objections: check(evidence) };
  } finally {
    await pages.finish();
    await clearRound(cluster.environment, setup);
  }
}

/** The companies that show when a target works again. */
function actorsOf({ actors }: RoundSetup, target: FaultTarget | undefined): RoundCompany[] {
  return actors.filter(({ company }, index) => {
    if (target === 'service' || target === 'directory') return index > 0;
    return company.shard === target && index > 0;
  });
}

interface Span {
  readonly from: number;
  to: number;
}

/** Causes each fault at its time, and measures the time from its repair to the first successful creation of any client. */
async function failAll(
  cluster: Cluster,
  faults: readonly Fault[],
  { calls, probersOf }: { readonly calls: readonly RecordedCall[]; readonly probersOf: (index: number) => Caller[] },
): Promise<Recovery[]> {
  const beganAt = performance.now();
  const spans = faults.map(({ atMs }): Span => ({ from: beganAt + atMs, to: Number.POSITIVE_INFINITY }));
  const measured = await Promise.all(
    faults.map(async (fault, index): Promise<Recovery[]> => {
      await injectFault(cluster, fault);
      const mendedAt = performance.now();
      const own = spans[index];
      if (own !== undefined) own.to = mendedAt;
      const probers = probersOf(index);
      await Promise.all(probers.map((prober) => untilWorking(prober, `probe-${index}`)));
      const workedAt = firstCreationAfter(mendedAt, probers, calls);
      // Another fault at the same time may have caused the delay.
      const isDisturbed = spans.some((span) => span !== own && span.from < workedAt && span.to > mendedAt);
      return isDisturbed ? [] : [{ fault: `${fault.kind} ${fault.target}`, ms: workedAt - mendedAt }];
    }),
  );
  return measured.flat();
}

/** Only the companies of the probers count. */
function firstCreationAfter(mendedAt: number, probers: readonly Caller[], calls: readonly RecordedCall[]): number {
  const companies = new Set(probers.map(({ actor }) => actor.company.companyId));
  const ended = calls
    .filter(({ operation, outcome }) => operation === 'create' && outcome === 'ok')
    .filter(({ companyId, endedAt }) => companies.has(companyId) && endedAt >= mendedAt);
  return Math.min(...ended.map(({ endedAt }) => endedAt));
}

/** Waits until no batch is running. If one still is, the rule `batch` objects. */
async function settleBatches(cluster: Cluster, { actors }: RoundSetup): Promise<void> {
  const overAt = performance.now() + BATCH_SETTLE_MS;
  const count = "select count(*) as running from shipment_batches where company_id = ? and state = 'RUNNING'";
  for (const { company } of actors) {
    const look = async () => {
      const [row] = await cluster.environment.sql(company.shard, count, [company.companyId]);
      return row?.['running'] === 0 || performance.now() > overAt ? true : undefined;
    };
    await until('batches have ended', look, { withinMs: 2 * BATCH_SETTLE_MS, everyMs: 50 });
  }
}

/** Waits until no shipment waits for approval. If one still does, the rule `owed` objects. */
async function settle(cluster: Cluster, setup: RoundSetup): Promise<void> {
  const overAt = performance.now() + SETTLE_MS;
  const count = "select count(*) as waiting from shipments where company_id = ? and state = 'PENDING_APPROVAL'";
  for (const { company } of setup.actors) {
    const look = async () => {
      const [row] = await cluster.environment.sql(company.shard, count, [company.companyId]);
      return row?.['waiting'] === 0 || performance.now() > overAt ? true : undefined;
    };
    await until('what is due is done', look, { withinMs: 2 * SETTLE_MS, everyMs: 50 });
  }
}

async function rowsOf(cluster: Cluster, { actors }: RoundSetup): Promise<ShardRows> {
  const shards = Map.groupBy(actors, ({ company }) => company.shard);
  const read = [...shards].map(([shard, own]) =>
    readRows(
      cluster.database(shard).url,
      own.map(({ company }) => company.companyId),
    ),
  );
  return together(await Promise.all(read));
}
