import { loadCities } from '../../ui/browser/kit/city-field.tsx';
import { keyOf } from '../../ui/browser/kit/kept-draft.ts';
import { type Inputs, service } from '../../ui/browser/service/calls.ts';
import { failureOf } from '../../ui/browser/service/failure.ts';
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

/** More tries than a full minute of a used up allowance takes. */
const TRIES_MAX = 20;
const BUSY_MS = 3_000;

/** Repeats a call that is refused only for now, after the time that the service names: a rate limit, or other batches of the company. */
export async function patiently<Answer>(call: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      const { code, problem } = failureOf(error);
      const isBusy = code === 'RATE_LIMITED' || code === 'BATCH_TOO_MANY_RUNNING';
      if (!isBusy || tries >= TRIES_MAX) throw error;
      await pause((problem?.retryAfterSeconds ?? 0) * 1000 || BUSY_MS, signal);
    }
  }
}

/** Rejects when the page is left. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal.reason instanceof Error ? signal.reason : new Error('left'));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve();
    }, ms);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
