import type { Environment } from '../../scripts/shared/connection.ts';
import { Chance } from './chance.ts';
import { objectionsTo } from './judge.ts';
import { type Exchange, linkedFrom, linkFaults, nextByLink } from './links.ts';
import { type Choice, describedAt, draftAt } from './plan.ts';
import { describeRequest, type RequestDraft } from './request-draft.ts';
import { Sender } from './send.ts';
import { newSupply, type Supply } from './supply.ts';
import { type Comparison, compare, creationOf } from './validation.ts';

export interface FuzzPlan extends Choice {
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
  /** How often each link of the document was followed to each status. */
  readonly links: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** Validations and the creations with the same body. */
  readonly comparisons: ReadonlyMap<Comparison, number>;
  /** Connections that the fuzzer cut on purpose. */
  readonly cut: number;
  readonly seconds: number;
}

const CONNECTIONS = 64;
/** Valid requests become stale: sessions end, codes are used, shipments change. */
const REQUESTS_A_SUPPLY = 10_000;
/** Requests that follow from one answer, each by a link of the answer before. */
const STEPS_MAX = 5;
/** It stops here, because further findings are mostly repeats. */
const FINDINGS_MAX = 25;

/** Sends the requests of a seed and reports the answers that are not as documented. */
export async function fuzz(environment: Environment, plan: FuzzPlan): Promise<FuzzResult> {
  const startedAtMs = performance.now();
  const tally: Tally = { findings: [], statuses: new Map(), links: new Map(), comparisons: new Map(), cut: 0 };
  const { findings } = tally;
  const indexes = indexesOf(plan);
  for (let first = 0; first < indexes.length && findings.length < FINDINGS_MAX; first += REQUESTS_A_SUPPLY) {
    const round = indexes.slice(first, first + REQUESTS_A_SUPPLY);
    const names = [...new Set(round.map((index) => describedAt(plan, index).name))];
    const supply = plan.supply ?? (await newSupply(environment, linkedFrom(names)));
    // The server closes idle connections, and preparing a supply takes longer than it waits.
    const sender = new Sender(plan.address ?? environment.address, CONNECTIONS);
    await inTurn(round, async (index) => {
      if (findings.length < FINDINGS_MAX) await new Trial(index, { plan, supply, sender, tally }).run();
    });
    sender.close();
  }
  return { ...tally, seconds: (performance.now() - startedAtMs) / 1000 };
}

interface Tally {
  readonly findings: Finding[];
  readonly statuses: Map<string, Map<number, number>>;
  readonly links: Map<string, Map<number, number>>;
  readonly comparisons: Map<Comparison, number>;
  cut: number;
}

interface Means {
  readonly plan: FuzzPlan;
  readonly supply: Supply;
  readonly sender: Sender;
  readonly tally: Tally;
}

/** A request of the plan, and those that follow from its answer. */
class Trial {
  readonly #index: number;
  readonly #means: Means;

  constructor(index: number, means: Means) {
    this.#index = index;
    this.#means = means;
  }

  async run(): Promise<void> {
    const { plan, supply } = this.#means;
    const draft = draftAt(plan, this.#index, supply);
    const answer = await this.#ask(draft);
    if (answer === undefined) return;
    await this.#create({ draft, answer });
    if (draft.method === 'POST') await this.#followLinks({ draft, answer });
  }

  /** Sends it and judges the answer. Undefined if there is none, or it is not as documented. */
  async #ask(draft: RequestDraft, link?: string): Promise<Response | undefined> {
    const { sender, tally } = this.#means;
    let answer: Response | undefined;
    try {
      answer = await sender.send(draft);
    } catch (error) {
      await this.#find(draft, undefined, [`no answer: ${String(error)}`]);
      return undefined;
    }
    if (answer === undefined) {
      tally.cut += 1;
      return undefined;
    }
    const { name } = draft.operation;
    count(tally.statuses, name, answer.status);
    if (link !== undefined) count(tally.links, link, answer.status);
    const faults = await objectionsTo(draft, answer);
    if (link !== undefined) faults.push(...linkFaults(link, { draft, answer }));
    await this.#find(draft, answer, faults);
    return faults.length > 0 ? undefined : answer;
  }

  async #find(draft: RequestDraft, answer: Response | undefined, faults: readonly string[]): Promise<void> {
    if (faults.length === 0) return;
    const end = answer === undefined ? '' : `${answer.status} ${(await answer.clone().text()).slice(0, 1500)}`;
    const told = `request ${this.#index} (${draft.spoilt.join(', ') || 'good'})\n    ${describeRequest(draft)}\n  answered ${end}`;
    this.#means.tally.findings.push({ index: this.#index, operation: draft.operation.name, faults, told });
  }

  /** After a validation, creates the shipment and validates it again. */
  async #create({ draft, answer }: Exchange): Promise<void> {
    const creation = creationOf(draft);
    if (creation === undefined) return;
    const created = await this.#ask(creation);
    const after = await this.#ask(draft);
    if (created === undefined || after === undefined) return;
    const comparison = await compare(answer, created, after);
    const { comparisons } = this.#means.tally;
    if (typeof comparison === 'string') comparisons.set(comparison, (comparisons.get(comparison) ?? 0) + 1);
    else await this.#find(creation, created, comparison);
  }

  async #followLinks(first: Exchange): Promise<void> {
    const { plan, supply } = this.#means;
    const chance = new Chance(plan.seed, -this.#index - 1);
    let last = first;
    for (let step = 0; step < STEPS_MAX; step += 1) {
      const next = await nextByLink(last, supply, chance);
      if (typeof next === 'string') await this.#find(last.draft, last.answer, [next]);
      if (next === undefined || typeof next === 'string') return;
      const answer = await this.#ask(next.draft, next.link);
      if (answer === undefined) return;
      last = { draft: next.draft, answer };
    }
  }
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

function count(statuses: Map<string, Map<number, number>>, name: string, status: number): void {
  const own = statuses.get(name) ?? new Map<number, number>();
  own.set(status, (own.get(status) ?? 0) + 1);
  statuses.set(name, own);
}

/** The result as text. */
export function report({ seed, requests }: FuzzPlan, result: FuzzResult): string {
  const { findings, statuses, links, comparisons, cut, seconds } = result;
  const compared = [...comparisons].map(([name, times]) => `${times} ${name}`).join(', ');
  return [
    ...findings.map(({ operation, faults, told }) => `BROKEN ${operation}: ${faults.join('; ')}\n  ${told}`),
    `seed ${seed}: ${requests} requests, ${cut} of them cut, in ${seconds.toFixed(1)} s: ${tally(statuses)}`,
    `  links followed: ${links.size} of the document, answered ${tally(links) || '-'}`,
    `  validations compared with creations: ${compared || '-'}`,
    findings.length === 0 ? 'Every answer was as documented.' : `${findings.length} answers were not as documented.`,
  ].join('\n');
}

function tally(counts: ReadonlyMap<string, ReadonlyMap<number, number>>): string {
  const total = new Map<number, number>();
  for (const own of counts.values())
    for (const [status, times] of own) total.set(status, (total.get(status) ?? 0) + times);
  return [...total]
    .toSorted(([one], [other]) => one - other)
    .map(([status, times]) => `${status} ${times}`)
    .join(', ');
}
