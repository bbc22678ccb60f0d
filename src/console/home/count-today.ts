import type { ShipmentState } from '../../contract/shipment-state.ts';
import { STATE_WORDS, type Tone } from '../../ui/state.tsx';

/** Today's shipments in figures. */
export interface TodayCounts {
  readonly created: number;
  /** Whether there are more of today than were counted. */
  readonly isMore: boolean;
  readonly byTone: Readonly<Record<Tone, number>>;
}

interface NewestShipments {
  readonly data: readonly { readonly createdAt: string; readonly state: ShipmentState }[];
  readonly page: { readonly hasMore: boolean };
}

/** Counts the shipments created since local midnight, among the newest shipments. */
export function countToday({ data, page }: NewestShipments, now: Date): TodayCounts {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const today = data.filter(({ createdAt }) => Date.parse(createdAt) >= midnight);
  const byTone: Record<Tone, number> = { running: 0, waiting: 0, good: 0, bad: 0, over: 0 };
  for (const { state } of today) byTone[STATE_WORDS[state].tone] += 1;
  return { created: today.length, isMore: page.hasMore && today.length === data.length, byTone };
}
