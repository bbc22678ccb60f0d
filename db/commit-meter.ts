import type { Metrics } from '../src/ports/metrics.ts';
import { UNAVAILABLE_REASONS, type UnitOutcome } from './commit.ts';

/** Ends of units that somebody may be watching for. */
const TROUBLES = ['invalid', 'unknown', ...UNAVAILABLE_REASONS] as const;

interface Group {
  readonly tookMs: number;
  /** Of its first unit. */
  readonly waitedMs: number;
  /** Units that waited behind it. */
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
    // Usually all units of a group end alike.
    const told = new Map<string, number>();
    for (const outcome of outcomes) {
      const name = outcome.status === 'unavailable' ? outcome.reason : outcome.status;
      told.set(name, (told.get(name) ?? 0) + 1);
    }
    for (const [name, units] of told) this.count(name, units);
  }
}
