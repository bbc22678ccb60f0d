import { useEffect, useRef } from 'preact/hooks';
import { PAGE_LIMIT_MAX } from '../../core/limits.ts';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { type Loaded, useEvery, useLoaded } from '../../ui/browser/service/loading.ts';

export interface BatchRead {
  readonly batch: Outputs['shipmentBatches']['get'];
  /** Every item, in the order of the batch; none while it runs. */
  readonly items: Outputs['shipmentBatches']['listItems']['data'];
}

const POLL_MS = 1_000;

/** Follows batches to their ends. Further ones may begin meanwhile. */
export function useBatches(batchIds: readonly string[]): Loaded<readonly BatchRead[]> {
  const ended = useRef(new Map<string, BatchRead>());
  const loaded = useLoaded(batchIds[0] ?? '', async () => {
    const reads: BatchRead[] = [];
    for (const batchId of batchIds) {
      const read = ended.current.get(batchId) ?? (await readBatch(batchId));
      if (read.batch.state !== 'RUNNING') ended.current.set(batchId, read);
      reads.push(read);
    }
    return reads;
  });
  const isRunning = loaded.value?.some(({ batch }) => batch.state === 'RUNNING') === true;
  useEvery(POLL_MS, loaded.reload, loaded.failure === undefined && isRunning);
  useEffect(() => {
    if (batchIds.length > 1) loaded.reload();
  }, [batchIds.length]);
  return loaded;
}

/** A batch, and its items once it has ended. */
export async function readBatch(batchId: string): Promise<BatchRead> {
  const batch = await service.shipmentBatches.get.query({ batchId });
  return { batch, items: batch.state === 'RUNNING' ? [] : await readItems(batchId) };
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
