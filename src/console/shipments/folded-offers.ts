import type { Outputs } from '../../ui/browser/service/calls.ts';

export type Entry = Outputs['shipments']['timeline']['data'][number];

/** A line of the timeline: one event, or repeated offers with what became of each. */
export interface TimelineLine {
  readonly entries: readonly [Entry, ...Entry[]];
  /** Offers to drivers, if there are several; otherwise 0. */
  readonly offers: number;
}

const OF_OFFERS: ReadonlySet<Entry['type']> = new Set([
  'shipment.offered',
  'shipment.offer_declined',
  'shipment.offer_expired',
]);

/** Folds offers that follow each other into one line. An offer alone stays as it is. */
export function foldOffers(entries: readonly Entry[]): readonly TimelineLine[] {
  const runs: [Entry, ...Entry[]][] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    if (run !== undefined && OF_OFFERS.has(run[0].type) && OF_OFFERS.has(entry.type)) run.push(entry);
    else runs.push([entry]);
  }
  return runs.flatMap((run): TimelineLine[] => {
    const offers = run.filter(({ type }) => type === 'shipment.offered').length;
    return offers > 1 ? [{ entries: run, offers }] : run.map((entry) => ({ entries: [entry], offers: 0 }));
  });
}
