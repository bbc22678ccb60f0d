import { CommitMeter } from '../../../db/commit-meter.ts';
import { type CommitLimits, GroupCommitter } from '../../../db/group-committer.ts';
import type { CommitRequest } from '../../../db/writer.ts';
import { prometheusMetrics } from '../../../src/platform/deno/prometheus.ts';

const LIMITS = {
  groupUnitsMax: 3,
  groupBytesMax: 1000,
  queueUnitsMax: 4,
  queueBytesMax: 3000,
  queueTimeoutMs: 1000,
  commitTimeoutMs: 1000,
  retryPauseMs: 1,
};

interface Batch {
  readonly markers: string[];
  readonly commit: () => void;
  readonly answerBusy: () => void;
  readonly answerNotDurable: () => void;
  readonly refuse: () => void;
  /** Fails one unit's statement; the rest commits as after a rolled back savepoint. */
  readonly fail: (marker: string, message: string) => void;
  readonly cut: () => void;
}

/** A queue in front of a database whose answers and clock the test controls. */
export class ScriptedDatabase {
  nowMs = 0;
  restored = 0;
  canRestore = true;
  /** The claims that rows of the database have, and those that it was asked for. */
  readonly taken: string[] = [];
  readonly lookedUp: string[][] = [];
  canLookUp = true;
  readonly woken: CommitRequest[] = [];
  /** Receives the committed requests. */
  onCommitted = (committed: readonly CommitRequest[]): void => void this.woken.push(...committed);
  readonly #batches: Batch[] = [];
  readonly #waiting: ((batch: Batch) => void)[] = [];

  readonly metrics = prometheusMetrics();
  readonly committer: GroupCommitter;

  constructor(limits: CommitLimits = LIMITS) {
    this.committer = new GroupCommitter({
      connection: {
        url: 'http://database',
        authToken: undefined,
        requireDurable: true,
        report: () => undefined,
        fetch: (_url, init) => this.#receive(init),
      },
      restoreDurability: () => {
        this.restored += 1;
        return Promise.resolve(this.canRestore);
      },
      findTaken: (claims) => {
        this.lookedUp.push([...claims]);
        if (!this.canLookUp) return new Promise(() => undefined);
        return Promise.resolve(this.taken.filter((claim) => claims.includes(claim)));
      },
      onCommitted: (committed) => this.onCommitted(committed),
      monotonicMs: () => this.nowMs,
      meter: new CommitMeter(this.metrics, 'shard-1'),
      limits,
    });
  }

  commit(marker: string, exclusiveKey?: string) {
    return this.committer.commit({ statements: [{ sql: `INSERT ${marker}`, args: [] }], exclusiveKey });
  }

  nextBatch(): Promise<Batch> {
    const batch = this.#batches.shift();
    return batch === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(batch);
  }

  #receive(init: RequestInit): Promise<Response> {
    const { requests } = JSON.parse(textOf(init)) as {
      requests: [{ batch: { steps: { stmt: { sql: string } }[] } }];
    };
    const texts = requests[0].batch.steps.map((step) => step.stmt.sql);
    return new Promise((resolve, reject) => {
      const answer = (failing: (sql: string) => boolean, message: string) => {
        const step_errors = texts.map((sql) => (failing(sql) ? { message } : null));
        const step_results = step_errors.map((error) => (error === null ? { rows: [] } : null));
        resolve(Response.json({ results: [{ type: 'ok', response: { result: { step_results, step_errors } } }] }));
      };
      const batch = {
        markers: texts.filter((sql) => sql.startsWith('INSERT ')).map((sql) => sql.slice('INSERT '.length)),
        commit: () => answer(() => false, ''),
        answerBusy: () => answer((sql) => sql.startsWith('BEGIN'), 'database is locked'),
        answerNotDurable: () => answer((sql) => sql.includes('pragma_synchronous'), 'malformed JSON'),
        refuse: () => answer((sql) => sql.startsWith('INSERT '), 'UNIQUE constraint failed: parcel.name'),
        fail: (marker: string, message: string) => answer((sql) => sql === `INSERT ${marker}`, message),
        cut: () => reject(new Error('Network connection lost')),
      };
      const waiting = this.#waiting.shift();
      if (waiting === undefined) this.#batches.push(batch);
      else waiting(batch);
    });
  }
}

function textOf({ body }: RequestInit): string {
  if (typeof body !== 'string') throw new Error('The body is no text');
  return body;
}
