import type { CompanyScope } from '../access/require.ts';
import { isTerminal } from '../contract/shipment-state.ts';
import { type Result, unavailable } from '../core/result.ts';
import { type ClockBook, companyStore } from '../domain/clocks/company-clock.ts';
import { type CommandOrder, executeCommand, type OrderDependencies } from '../domain/shipments/command.ts';
import type { ShipmentRow } from '../domain/shipments/store.ts';
import type { Metrics } from '../ports/metrics.ts';
import { traced } from '../ports/tracer.ts';
import { SerialQueue } from './serial-queue.ts';

/** Commands that may wait for one shipment. Normal clients send far fewer; above it a command gets 503. */
const WAITING_MAX = 256;
/** If the commands ahead take longer than this, the database is unavailable. */
const WAIT_MS = 3000;

export interface LaneDependencies extends Omit<OrderDependencies, 'clock'> {
  readonly clockBook: ClockBook;
  readonly metrics: Metrics;
}

/**
 * The lane of one shipment, on either runtime. It runs commands one after the other and caches the row after the last
 * one. The cache only saves a read: every command commits with a compare-and-set on the version, so a stale row or a
 * second lane is harmless.
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
    const queuedAtMs = this.#monotonicMs();
    const measureWait = (outcome: 'ran' | 'refused') => {
      if (!isIdle) dependencies.metrics.measure('lane_wait', [(this.#monotonicMs() - queuedAtMs) / 1000], [outcome]);
    };
    const command = async () => {
      measureWait('ran');
      const clock = await dependencies.clockBook.clockOf(dependencies.database, scope.companyId);
      if (!clock.ok) return clock;
      const own = { ...dependencies, ...companyStore(dependencies, clock.value) };
      const answer = await executeCommand(own, scope, order, this.#lastSeen);
      // The recipient of an ended shipment may be forgotten at any time, so its row is read again.
      this.#lastSeen = answer.ok && !isTerminal(answer.value.state) ? answer.value : undefined;
      return answer;
    };
    const result = await traced('lane command', (span) => {
      span.set('command', order.command.name);
      return this.#queue.run(command);
    });
    if (result !== undefined) return result;
    measureWait('refused');
    return unavailable();
  }
}
