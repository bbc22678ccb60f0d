import type { Ending } from './http-connection.ts';
import type { Phase, PhaseResult } from './load.ts';
import { percentile } from './statistics.ts';
import type { Turn } from './turns.ts';

/** An overloaded service may answer these. */
const REFUSALS: readonly Ending[] = [429, 503];

interface Second {
  succeeded: number;
  refused: number;
  failed: number;
  readonly latenciesMs: number[];
}

/** Slower than any answer should be, even of a grouped commit behind others. */
const SLOW_MS = 2000;

/** Counts how the requests of one phase ended. */
export class LoadTally {
  readonly phase: Phase;
  readonly startedAt: number;
  due = 0;
  sent = 0;
  heldBack = 0;
  errors = 0;
  slowRequests = 0;
  succeededWithin = 0;
  readonly lagsMs: number[] = [];
  readonly #endings: Record<string, Record<string, number>> = {};
  readonly #latenciesMs: number[] = [];
  readonly #seconds: Second[];

  constructor(phase: Phase, startedAt: number) {
    this.phase = phase;
    this.startedAt = startedAt;
    this.#seconds = Array.from({ length: phase.seconds }, () => ({
      succeeded: 0,
      refused: 0,
      failed: 0,
      latenciesMs: [],
    }));
  }

  get endsAt(): number {
    return this.startedAt + this.phase.seconds * 1000;
  }

  /** Counts a request that could not be sent when it was due. */
  hold(dueAt: number): void {
    this.heldBack += 1;
    const second = this.#secondOf(dueAt);
    if (second !== undefined) second.failed += 1;
  }

  note(
    { stream, expectStatus }: Pick<Turn, 'stream' | 'expectStatus'>,
    ending: Ending,
    { dueAt, endedAt }: { readonly dueAt: number; readonly endedAt: number },
  ): void {
    if (ending !== expectStatus) this.errors += 1;
    if (endedAt - dueAt > SLOW_MS) this.slowRequests += 1;
    const endings = (this.#endings[stream] ??= {});
    endings[ending] = (endings[ending] ?? 0) + 1;
    const second = this.#secondOf(dueAt);
    if (typeof ending === 'number' && ending >= 200 && ending < 300) {
      this.#latenciesMs.push(endedAt - dueAt);
      second?.latenciesMs.push(endedAt - dueAt);
      if (second !== undefined) second.succeeded += 1;
    } else if (second !== undefined) {
      if (REFUSALS.includes(ending)) second.refused += 1;
      else second.failed += 1;
    }
  }

  sumUp(used: Pick<PhaseResult, 'driverPercent' | 'othersPercent' | 'cpuMs' | 'rssMegabytes'>): PhaseResult {
    const sorted = Float64Array.from(this.#latenciesMs).sort();
    const lags = Float64Array.from(this.lagsMs).sort();
    const { due, sent, heldBack, errors, slowRequests, succeededWithin } = this;
    return {
      name: this.phase.name,
      seconds: this.phase.seconds,
      due,
      sent,
      heldBack,
      errors,
      slowRequests,
      succeededWithin,
      endings: this.#endings,
      succeeded: sorted.length,
      p50Ms: percentile(sorted, 0.5),
      p95Ms: percentile(sorted, 0.95),
      p99Ms: percentile(sorted, 0.99),
      longestMs: sorted.at(-1) ?? 0,
      lagP99Ms: percentile(lags, 0.99),
      lagMostMs: lags.at(-1) ?? 0,
      bySecond: this.#seconds.map(({ latenciesMs, ...counts }) => ({
        ...counts,
        p95Ms: percentile(Float64Array.from(latenciesMs).sort(), 0.95),
      })),
      ...used,
    };
  }

  #secondOf(at: number): Second | undefined {
    return this.#seconds[Math.min(this.#seconds.length - 1, Math.floor((at - this.startedAt) / 1000))];
  }
}
