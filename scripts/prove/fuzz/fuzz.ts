import type { Environment } from '../../shared/connection.ts';
import { objectionsTo } from './judge.ts';
import { describedAt, draftAt } from './plan.ts';
import { describeRequest, type RequestDraft } from './request-draft.ts';
import { Sender } from './send.ts';
import { newSupply, type Supply } from './supply.ts';

export interface FuzzPlan {
  readonly seed: number;
  readonly requests: number;
  /** Sends only the request with this index. */
  readonly only?: number | undefined;
  /** The address of a proxy in front of the service. */
  readonly address?: string;
  /** Valid requests of every operation, if they exist already. */
  readonly supply?: Supply;
}

/** A request whose answer is not as documented. */
export interface Finding {
  readonly index: number;
  readonly operation: string;
  readonly faults: readonly string[];
  /** The request and its answer, for people. */
  readonly told: string;
}

export interface FuzzResult {
  readonly findings: readonly Finding[];
  /** How often each operation was answered with each status. */
  readonly statuses: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** Connections that the fuzzer cut on purpose. */
  readonly cut: number;
  readonly seconds: number;
}

const CONNECTIONS = 64;
/** Valid requests become stale: sessions end, codes are used, shipments change. */
const REQUESTS_A_SUPPLY = 10_000;
/** It stops here, because further findings are mostly repeats. */
const FINDINGS_MAX = 25;

/** Sends the requests of a seed and reports the answers that are not as documented. */
export async function fuzz(environment: Environment, plan: FuzzPlan): Promise<FuzzResult> {
  const startedAtMs = performance.now();
  const findings: Finding[] = [];
  const statuses = new Map<string, Map<number, number>>();
  let cut = 0;
  const tryOne = async (index: number, supply: Supply, sender: Sender) => {
    const draft = draftAt(plan.seed, index, supply);
    const answer = await sender.send(draft).catch((error: unknown) => error);
    if (answer === undefined) cut += 1;
    else findings.push(...(await findingOf(index, draft, answer)));
    if (answer instanceof Response) count(statuses, draft.operation.name, answer.status);
  };
  const indexes = indexesOf(plan);
  for (let first = 0; first < indexes.length && findings.length < FINDINGS_MAX; first += REQUESTS_A_SUPPLY) {
    const round = indexes.slice(first, first + REQUESTS_A_SUPPLY);
    const names = [...new Set(round.map((index) => describedAt(plan.seed, index).name))];
    const supply = plan.supply ?? (await newSupply(environment, names));
    // The server closes idle connections, and preparing a supply takes longer than it waits.
    const sender = new Sender(plan.address ?? environment.address, CONNECTIONS);
    await inTurn(round, (index) =>
      findings.length < FINDINGS_MAX ? tryOne(index, supply, sender) : Promise.resolve(),
    );
    sender.close();
  }
  return { findings, statuses, cut, seconds: (performance.now() - startedAtMs) / 1000 };
}

function indexesOf({ requests, only }: FuzzPlan): number[] {
  return only === undefined ? Array.from({ length: requests }, (_, index) => index) : [only];
}

/** Runs as many at a time as there are connections. */
async function inTurn(indexes: readonly number[], work: (index: number) => Promise<void>): Promise<void> {
  const left = indexes.values();
  const one = async () => {
    for (const index of left) await work(index);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
}

async function findingOf(index: number, draft: RequestDraft, answer: unknown): Promise<Finding[]> {
  const faults = answer instanceof Response ? await objectionsTo(draft, answer) : [`no answer: ${String(answer)}`];
  if (faults.length === 0) return [];
  const end = answer instanceof Response ? `${answer.status} ${(await answer.clone().text()).slice(0, 1500)}` : '';
  const told = `request ${index} (${draft.spoilt.join(', ') || 'good'})\n    ${describeRequest(draft)}\n  answered ${end}`;
  return [{ index, operation: draft.operation.name, faults, told }];
}

function count(statuses: Map<string, Map<number, number>>, name: string, status: number): void {
  const own = statuses.get(name) ?? new Map<number, number>();
  own.set(status, (own.get(status) ?? 0) + 1);
  statuses.set(name, own);
}

/** The result as text. */
export function report({ seed, requests }: FuzzPlan, { findings, statuses, cut, seconds }: FuzzResult): string {
  const total = new Map<number, number>();
  for (const own of statuses.values())
    for (const [status, times] of own) total.set(status, (total.get(status) ?? 0) + times);
  const tally = [...total].toSorted(([one], [other]) => one - other).map(([status, times]) => `${status} ${times}`);
  return [
    ...findings.map(({ operation, faults, told }) => `BROKEN ${operation}: ${faults.join('; ')}\n  ${told}`),
    `seed ${seed}: ${requests} requests, ${cut} of them cut, in ${seconds.toFixed(1)} s: ${tally.join(', ')}`,
    findings.length === 0 ? 'Every answer was as documented.' : `${findings.length} answers were not as documented.`,
  ].join('\n');
}
