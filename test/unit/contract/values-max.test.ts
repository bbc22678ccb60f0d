import { expect, test } from 'vitest';
import * as z from 'zod';
import { metadataRequest } from '../../../src/contract/metadata-request.ts';
import { shipmentRequest } from '../../../src/contract/shipment.ts';
import { batchRequest } from '../../../src/contract/shipment-batch.ts';
import { valuesMaxOf } from '../../../src/contract/values-max.ts';
import { METADATA_KEYS_MAX } from '../../../src/core/limits.ts';

/** A creation with every member: 13, of the recipient and the destination 4 each, 100 items of 6, and 20 requirements. */
const CREATION = 13 + 4 + 4 + 100 * (1 + 6) + 20;

test('the values of a schema are those of its largest value', () => {
  expect(valuesMaxOf(z.strictObject(shipmentRequest))).toBe(CREATION);
  expect(valuesMaxOf(z.strictObject(batchRequest))).toBe(3 + 500 * (1 + 5 + CREATION));
  expect(valuesMaxOf(z.strictObject({ of: z.optional(z.array(z.string()).max(7)) }))).toBe(8);
  expect(valuesMaxOf(z.union([z.string(), z.array(z.number()).max(3)]))).toBe(3);
});

test('an open object counts as more than it may have', () => {
  expect(valuesMaxOf(z.strictObject(metadataRequest))).toBeGreaterThan(METADATA_KEYS_MAX);
});
