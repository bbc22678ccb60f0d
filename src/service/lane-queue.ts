import type { CompanyScope } from '../access/require.ts';
import { type Result, unavailable } from '../core/result.ts';
import { type CommandDependencies, type CommandOrder, executeCommand } from '../domain/shipments/command.ts';
import type { ShipmentRow } from '../domain/shipments/store.ts';
import type { Metrics } from '../ports/metrics.ts';
import { SerialQueue } from './serial-queue.ts';

/** Commands waiting on one shipment. Nobody means to send that many; past it each is told to come back. */
const WAITING_MAX = 256;
/** Commands ahead that take longer than this mean that the database is away. */
const WAIT_MS = 3000;

export interface LaneDependencies extends CommandDependencies {
  readonly metrics: Metrics;
}

/**
 * The lane of one shipment, on either runtime: its commands one by one, and its row as the last of them left it. The
 * row only saves a read; every command still commits on the version it saw, so a stale row or a second lane is harmless.
 */
export class LaneQueue {
  readonly #queue: SerialQueue;
  readonly #monotonicMs: () => number;
  #lastSeen: ShipmentRow | undefined;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
    this.#queue = new SerialQueue({ waitingMax: WAITING_MAX, waitMs: WAIT_MS, monotonicMs });
  }

  get isIdle(): boolean {
    return this.#queue.isIdle;
  }

  async execute(
    dependencies: LaneDependencies,
    scope: CompanyScope,
    order: CommandOrder,
  ): Promise<Result<ShipmentRow>> {
    const { isIdle } = this.#queue;
    const askedMs = this.#monotonicMs();
    const tell = (outcome: 'ran' | 'refused') => {
      if (!isIdle) dependencies.metrics.measure('lane_wait', [(this.#monotonicMs() - askedMs) / 1000], [outcome]);
    };
    const result = await this.#queue.run(async () => {
      tell('ran');
      const answer = await executeCommand(dependencies, scope, order, this.#lastSeen);
      this.#lastSeen = answer.ok ? answer.value : undefined;
      return answer;
    });
    if (result !== undefined) return result;
    tell('refused');
    return unavailable();
  }
}

/** A lane is named for company and shipment: who merely knows an id stands in a line of his own. */
export function laneNameOf(scope: CompanyScope, { shipmentId }: CommandOrder): string {
  return `${scope.companyId}/${shipmentId}`;
}
