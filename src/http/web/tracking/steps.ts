import { STATE_FACTS } from '../../../contract/shipment-state.ts';
import type { TrackedEventType, Tracking } from '../../../contract/tracking.ts';

/** The steps of a delivery, as recipients see them. */
const STEPS = ['ordered', 'driver', 'picked_up', 'out', 'delivered'] as const;
export type StepName = (typeof STEPS)[number] | 'failed' | 'cancelled';

export interface DeliveryStep {
  readonly name: StepName;
  readonly status: 'done' | 'current' | 'ahead' | 'failed' | 'cancelled';
  /** An instant in the format of the API, or null for a step that is not reached. */
  readonly occurredAt: string | null;
}

const EVENTS = {
  ordered: 'shipment.created',
  driver: 'shipment.accepted',
  picked_up: 'shipment.picked_up',
  out: 'shipment.out_for_delivery',
  delivered: 'shipment.delivered',
  failed: 'shipment.delivery_failed',
  cancelled: 'shipment.cancelled',
} as const satisfies Record<StepName, TrackedEventType>;

/** The five steps. A failed or cancelled shipment has only the steps that it reached, and then its end. */
export function stepsOf({
  state,
  step,
  timeline,
}: Pick<Tracking, 'state' | 'step' | 'timeline'>): readonly DeliveryStep[] {
  const timeOf = (name: StepName) => timeline.findLast(({ type }) => type === EVENTS[name])?.occurredAt ?? null;
  const behind = (name: StepName): DeliveryStep => ({ name, status: 'done', occurredAt: timeOf(name) });
  const { outcome } = STATE_FACTS[state];
  if (outcome === 'failed' || outcome === 'cancelled') {
    return [...STEPS.slice(0, step).map(behind), { name: outcome, status: outcome, occurredAt: timeOf(outcome) }];
  }
  return STEPS.map((name, index): DeliveryStep => {
    if (index + 1 > step) return { name, status: 'ahead', occurredAt: null };
    return index + 1 === step && outcome === null
      ? { name, status: 'current', occurredAt: timeOf(name) }
      : behind(name);
  });
}
