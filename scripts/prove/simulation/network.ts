import type { BatchStep } from '../../../db/hrana.ts';
import type { Dice } from '../../shared/dice.ts';
import type { DatabaseServer, Mistreatment } from '../../shared/memory/database-server.ts';
import type { Owner, Schedule } from './schedule.ts';
import type { Deadline } from './virtual-globals.ts';

/*
 * The network between a process and its databases. A batch may be lost before or after it ran, run after its deadline, or
 * be cut in the middle. The server may be busy or overloaded, or no longer sync its commits.
 */

export interface NetworkOptions {
  readonly schedule: Schedule;
  readonly dice: Dice;
  readonly servers: ReadonlyMap<string, DatabaseServer>;
  readonly trace: (line: string) => void;
}

/** Packets on the wire survive the process that sent them. */
const WIRE: Owner = { name: 'wire', isDead: false, standsStillUntilMs: 0 };

/** The outcomes of a batch, per thousand. */
const FATES = {
  well: 955,
  lostBefore: 5,
  refused: 5,
  lostAfter: 10,
  broken: 5,
  late: 5,
  busy: 5,
  overloaded: 4,
  failing: 3,
  cut: 3,
} as const;
type Fate = keyof typeof FATES;

/** Longer than the deadline of a batch. */
const LATE_MS = { min: 2500, max: 40_000 };

export class Network {
  readonly #options: NetworkOptions;
  /** True when the world is being drained: no more faults. */
  isCalm = false;

  constructor(options: NetworkOptions) {
    this.#options = options;
  }

  /** The `fetch` of one process. */
  fetchOf(owner: Owner): (url: string, init: RequestInit) => Promise<Response> {
    return (url, init) => {
      const { hostname, pathname } = new URL(url);
      const [id = ''] = hostname.split('.');
      const server = this.#options.servers.get(id);
      if (server === undefined) throw new Error(`There is no ${url} in this world`);
      const { timeoutMs } = init.signal as unknown as Deadline;
      if (pathname !== '/v3/pipeline') return this.#call(owner, timeoutMs, 'well', () => this.#makeDurable(server));
      const body = JSON.parse(init.body as string) as { requests: [{ batch: { steps: BatchStep[] } }] };
      const { steps } = body.requests[0].batch;
      const fate = this.isCalm ? 'well' : this.#options.dice.pick(FATES);
      return this.#call(owner, timeoutMs, fate, () => this.#runBatch(id, server, steps, fate));
    };
  }

  #makeDurable(server: DatabaseServer): Response {
    server.isDurable = true;
    return answerOf(200, {});
  }

  #runBatch(id: string, server: DatabaseServer, steps: readonly BatchStep[], fate: Fate): Response {
    const { trace, dice } = this.#options;
    if (fate === 'overloaded' || fate === 'failing') return answerOf(fate === 'overloaded' ? 429 : 500, undefined);
    const mistreatment: Mistreatment = {
      isBusy: fate === 'busy',
      ...(fate === 'cut' ? { cutAt: Math.floor(dice.roll() * (steps.length + 1)) } : {}),
    };
    const answer = server.batch(steps, mistreatment);
    const failures = answer.step_errors.flatMap((error) => (error === null ? [] : [error.message]));
    trace(`${id} ${fate} ${steps.length} steps${failures.length > 0 ? `: ${failures.join('; ')}` : ''}`);
    return answerOf(200, { results: [{ type: 'ok', response: { result: answer } }] });
  }

  #call(owner: Owner, timeoutMs: number, fate: Fate, run: () => Response): Promise<Response> {
    const { schedule, dice } = this.#options;
    return new Promise((resolve, reject) => {
      const timeUp = () => reject(new DOMException('The operation timed out', 'TimeoutError'));
      const deadline = schedule.add('deadline', timeoutMs, owner, timeUp);
      const broken = () => {
        deadline.isCancelled = true;
        reject(new TypeError('The connection was reset'));
      };
      if (fate === 'lostBefore') return;
      if (fate === 'refused') {
        schedule.add('refused', dice.between(0, 2), owner, broken);
        return;
      }
      const wayMs = fate === 'late' ? dice.between(LATE_MS.min, LATE_MS.max) : this.#wayMs();
      schedule.add('batch', wayMs, WIRE, () => {
        const response = run();
        if (fate === 'lostAfter') return;
        const isBroken = fate === 'broken' || fate === 'cut';
        schedule.add('answer', this.#wayMs(), owner, () => {
          if (isBroken) return broken();
          deadline.isCancelled = true;
          resolve(response);
        });
      });
    });
  }

  /** Mostly short, sometimes long. */
  #wayMs(): number {
    const { dice } = this.#options;
    return dice.roll() < 0.03 ? dice.between(5, 900) : dice.between(0.1, 5);
  }
}

/** The members of a Response that `sendBatch` reads. A real Response costs more than the batch. */
function answerOf(status: number, body: unknown): Response {
  return { ok: status === 200, status, body: null, json: () => Promise.resolve(body) } as unknown as Response;
}
