import * as z from 'zod';
import {
  BATCH_ITEM_KIBIBYTES_MAX,
  BATCH_ITEMS_MAX,
  IDEMPOTENCY_KEY_LENGTH_MAX,
  IDEMPOTENCY_KEY_LENGTH_MIN,
} from '../core/limits.ts';
import type { Violation } from '../core/result.ts';
import { priceLimitOfItem, priceLockText } from './price-lock.ts';
import { type ShipmentRequest, shipmentRequest } from './shipment.ts';
import { BATCH_ITEM_STATES, BATCH_MODES, BATCH_STATES, ON_INVALID } from './shipment-state.ts';
import { shortAddress } from './short-address.ts';
import { addViolation, instantOut, text, uuidOut } from './values.ts';
import { violationsOf } from './violations.ts';

const itemKey = text({
  min: IDEMPOTENCY_KEY_LENGTH_MIN,
  max: IDEMPOTENCY_KEY_LENGTH_MAX,
  // The characters that a header transmits unchanged, as in Idempotency-Key.
  pattern: /^[\x20-\x7e]*$/,
  words: 'headerText',
});

function batchMembers<Shipment extends z.ZodType>(shipment: Shipment) {
  const item = z.strictObject({
    key: itemKey,
    priceLock: z.optional(priceLockText()).describe('The header Price-Lock of this creation.'),
    nationalAddress: z.optional(shortAddress()).describe('The header National-Address of this creation.'),
    priceLimit: z.optional(priceLimitOfItem()),
    shipment,
  });
  return {
    mode: z.enum(BATCH_MODES),
    onInvalid: z
      .enum(ON_INVALID)
      .describe('STOP checks all items first and creates nothing if one is refused. SKIP creates the others.'),
    items: z.array(item).min(1).max(BATCH_ITEMS_MAX),
  };
}

const wholeRequest = z.strictObject(shipmentRequest);

/** Members of a batch as the reference describes them. */
export const batchRequest = batchMembers(wholeRequest);

/** The same with shipments that may break any rule: each is judged when its turn comes. */
export const openBatchRequest = batchMembers(
  z.custom<z.input<typeof wholeRequest>>().check((context) => {
    const { value } = context as { readonly value: unknown };
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      addViolation(context, 'TYPE_MISMATCH', 'object');
    // Each violation of a shipment takes memory when its turn comes.
    else if (JSON.stringify(value).length > BATCH_ITEM_KIBIBYTES_MAX * 1024)
      addViolation(context, 'TOO_LONG', BATCH_ITEM_KIBIBYTES_MAX * 1024);
  }),
);

/** One shipment of a batch; its first violations if it breaks rules of the schema. */
export function readBatchShipment(
  raw: unknown,
): { readonly ok: true; readonly request: ShipmentRequest } | { readonly ok: false; readonly violations: Violation[] } {
  const parsed = wholeRequest.safeParse(raw);
  if (parsed.success) return { ok: true, request: parsed.data };
  const violations = violationsOf(parsed.error.issues, raw).map(({ field, code, limit }) => ({ field, code, limit }));
  return { ok: false, violations };
}

const count = z.number().meta({ override: { type: 'integer' as const, minimum: 0, maximum: BATCH_ITEMS_MAX } });

/** How many items of a batch are in each state. */
const batchCounts = z
  .strictObject({
    total: count.describe('All items of the batch.'),
    created: count.describe('Items whose shipments this batch has created.'),
    replayed: count.describe('Items whose shipments existed already: their keys were used with the same body.'),
    refused: count.describe('Items that a creation would be refused for. Each has a problem.'),
    skipped: count.describe('Items that were not tried, because the batch stopped.'),
    pending: count.describe('Items that wait for their turn.'),
    valid: count.describe('Items of mode VALIDATE that a creation would accept.'),
  })
  .meta({ id: 'ShipmentBatchCounts' });
export type BatchCounts = z.output<typeof batchCounts>;

const batchState = z.enum(BATCH_STATES);

export const startedBatch = z
  .strictObject({ batchId: uuidOut, state: batchState, counts: batchCounts })
  .meta({ id: 'StartedShipmentBatch' });
export type StartedBatch = z.output<typeof startedBatch>;

export const shipmentBatch = z
  .strictObject({
    batchId: uuidOut,
    mode: z.enum(BATCH_MODES),
    state: batchState,
    counts: batchCounts,
    createdAt: instantOut,
    completedAt: z.nullable(instantOut),
  })
  .meta({ id: 'ShipmentBatch' });
export type ShipmentBatch = z.output<typeof shipmentBatch>;

export const batchItemState = z.enum(BATCH_ITEM_STATES);

export const shipmentBatchItem = z
  .strictObject({
    index: z.number().meta({ override: { type: 'integer' as const, minimum: 0, maximum: BATCH_ITEMS_MAX - 1 } }),
    key: z.string(),
    state: batchItemState,
    shipmentId: z.nullable(uuidOut),
    problem: z
      .nullable(z.looseObject({}))
      .meta({
        override: { anyOf: [{ $ref: '#/components/schemas/Problem' }, { type: 'null' as const }] },
      })
      .describe(
        'The problem that a creation of this item alone would have been answered with. Also of a SKIPPED item, unless another item was refused.',
      ),
  })
  .meta({ id: 'ShipmentBatchItem' });
export type ShipmentBatchItem = z.output<typeof shipmentBatchItem>;
