import { loadCities } from '../../ui/browser/kit/city-field.tsx';
import { keyOf } from '../../ui/browser/kit/kept-draft.ts';
import { type Inputs, service } from '../../ui/browser/service/calls.ts';
import { patiently, pause } from './upload-patience.ts';
import { requestOfRow } from './upload-request.ts';
import type { UploadRow } from './upload-rows.ts';
import type { RowBasis } from './upload-state.ts';
import { keyOfRow } from './upload-verdicts.ts';
import { type BatchRead, readBatch } from './use-batch.ts';

/* Rows are checked and created in parts, one batch after the other. */

interface PartOrder {
  readonly mode: Inputs['shipmentBatches']['create']['mode'];
  readonly basis: RowBasis;
  /** The id of the draft. */
  readonly id: string;
  readonly signal: AbortSignal;
}

/** Sends rows as one batch and returns its id. Sent again, the same rows have the same batch, and their shipments the same keys. */
export async function sendPart(rows: readonly UploadRow[], { mode, basis, id, signal }: PartOrder): Promise<string> {
  const { priceLimit, defaults, payments = {}, weights = {} } = basis;
  const whole = { defaults, payments, weights, cities: await loadCities() };
  const items = await Promise.all(
    rows.map(async (row) => {
      const shipment = requestOfRow(row, whole);
      const key = await keyOfRow(row, id, shipment);
      return { key, shipment, ...(priceLimit === '' ? {} : { priceLimit }) };
    }),
  );
  // A check answers what is true now, so it has no key.
  const once = mode === 'CREATE' ? { idempotencyKey: await keyOf(id, { items }) } : {};
  const order = { mode, onInvalid: 'SKIP', items, ...once } as const;
  return (await patiently(() => service.shipmentBatches.create.mutate(order), signal)).batchId;
}

const LOOK_MS = 1_000;

/** The batch once it has ended. `onLook` is called with how many of its items have an outcome. */
export async function endOf(batchId: string, signal: AbortSignal, onLook?: (done: number) => void): Promise<BatchRead> {
  for (;;) {
    const read = await patiently(() => readBatch(batchId), signal);
    const { state, counts } = read.batch;
    onLook?.(counts.total - counts.pending);
    if (state !== 'RUNNING') return read;
    await pause(LOOK_MS, signal);
  }
}
