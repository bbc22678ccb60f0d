import type { Metrics } from '../src/ports/metrics.ts';
import { UNAVAILABLE_REASONS, type UnitOutcome } from './commit.ts';

/** Outcomes that alerts watch. They are counted as 0 from the start, because an alert misses a series that starts at 1. */
const TROUBLES = ['invalid', 'unknown', ...UNAVAILABLE_REASONS] as const;

interface Group {
  readonly tookMs: number;
  /** How long its first unit waited in the queue. */
  readonly waitedMs: number;
  /** Units that stayed in the queue behind it. */
  readonly left: number;
}

/** Measures the commits of one database. */
export class CommitMeter {
  readonly #metrics: Metrics;
  readonly databaseId: string;

  constructor(metrics: Metrics, databaseId: string) {
    this.#metrics = metrics;
    this.databaseId = databaseId;
    for (const outcome of TROUBLES) this.count(outcome, 0);
  }

  count(outcome: string, units = 1): void {
    this.#metrics.count('commit_units', [this.databaseId, outcome], units);
  }

  measureGroup(outcomes: readonly UnitOutcome[], { tookMs, waitedMs, left }: Group): void {
    const waitedSeconds = Math.max(0, waitedMs) / 1000;
    this.#metrics.measure('commit', [tookMs / 1000, waitedSeconds, outcomes.length, left], [this.databaseId]);
    // Usually all units of a group have the same outcome.
    const unitsByOutcome = new Map<string, number>();
    for (const outcome of outcomes) {
      const name = outcome.status === 'unavailable' ? outcome.reason : outcome.status;
      unitsByOutcome.set(name, (unitsByOutcome.get(name) ?? 0) + 1);
    }
    for (const [name, units] of unitsByOutcome) this.count(name, units);
  }
}
