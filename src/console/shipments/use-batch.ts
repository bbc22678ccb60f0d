import { PAGE_LIMIT_MAX } from '../../core/limits.ts';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { type Loaded, useEvery, useLoaded } from '../../ui/browser/service/loading.ts';

export interface BatchRead {
  readonly batch: Outputs['shipmentBatches']['get'];
  /** Every item, in the order of the batch; none while it runs. */
  readonly items: Outputs['shipmentBatches']['listItems']['data'];
}

const POLL_MS = 1_000;

/** Follows a batch to its end, and then reads its items. */
export function useBatch(batchId: string): Loaded<BatchRead> {
  const loaded = useLoaded(batchId, async () => {
    const batch = await service.shipmentBatches.get.query({ batchId });
    return { batch, items: batch.state === 'RUNNING' ? [] : await readItems(batchId) };
  });
  useEvery(POLL_MS, loaded.reload, loaded.failure === undefined && loaded.value?.batch.state === 'RUNNING');
  return loaded;
}

async function readItems(batchId: string): Promise<BatchRead['items']> {
  const items = [];
  let cursor: string | undefined;
  do {
    const page = await service.shipmentBatches.listItems.query({ batchId, cursor, limit: PAGE_LIMIT_MAX });
    items.push(...page.data);
    cursor = page.page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return items;
}
