import { PAGE_LIMIT_MAX } from '../../core/limits.ts';
import type { Inputs, Outputs } from '../../ui/browser/service/calls.ts';
import type { BatchRead } from './use-batch.ts';

/* The shipments of an upload, for its result. */

type Shipment = Outputs['shipments']['get'];

/** Shipments become visible in the list a moment after their batch has begun, and a moment before it counts as ended. */
const MARGIN_MS = 60_000;
/** Further pages, because other programs may create shipments at the same time. */
const MORE_PAGES = 10;

interface Calls {
  readonly list: (query: Inputs['shipments']['list']) => Promise<Outputs['shipments']['list']>;
  readonly get: (shipmentId: Shipment['shipmentId']) => Promise<Shipment>;
}

/** The shipments of batches by id: from one list of their time, and one by one those that were created before. */
export async function readShipments(
  reads: readonly BatchRead[],
  { list, get }: Calls,
): Promise<ReadonlyMap<string, Shipment>> {
  const missing = new Set(reads.flatMap(({ items }) => items.flatMap(({ shipmentId }) => shipmentId ?? [])));
  const found = new Map<string, Shipment>();
  const keep = (shipment: Shipment) => {
    if (missing.delete(shipment.shipmentId)) found.set(shipment.shipmentId, shipment);
  };
  const pagesMax = Math.ceil(missing.size / PAGE_LIMIT_MAX) + MORE_PAGES;
  const time = timeOf(reads);
  let cursor: string | undefined;
  for (let page = 0; page < pagesMax && missing.size > 0; page += 1) {
    const read = await list({ ...time, cursor, limit: PAGE_LIMIT_MAX });
    read.data.forEach(keep);
    cursor = read.page.nextCursor ?? undefined;
    if (cursor === undefined) break;
  }
  for (const shipmentId of missing) keep(await get(shipmentId));
  return found;
}

/** From a moment before the first batch to a moment after the last. */
function timeOf(reads: readonly BatchRead[]) {
  const starts = reads.map(({ batch }) => Date.parse(batch.createdAt));
  const ends = reads.map(({ batch }) => Date.parse(batch.completedAt ?? batch.createdAt));
  return {
    createdFrom: new Date(Math.min(...starts) - MARGIN_MS).toISOString(),
    createdTo: new Date(Math.max(...ends) + MARGIN_MS).toISOString(),
  };
}
