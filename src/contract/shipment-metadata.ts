import * as z from 'zod';
import { METADATA_KEY_LENGTH_MAX, METADATA_KEYS_MAX, METADATA_VALUE_LENGTH_MAX } from '../core/limits.ts';
import { codePointLength } from '../core/text.ts';
import { addViolation } from './values.ts';

/* Metadata: texts that a merchant's system keeps with a shipment. */

/** `__proto__` has a meaning of its own in every object of JavaScript. */
export const METADATA_KEY = new RegExp(`^(?!__proto__$)[A-Za-z0-9_.-]{1,${METADATA_KEY_LENGTH_MAX}}$`);

export const metadataDescribed = {
  type: 'object' as const,
  additionalProperties: { type: 'string' as const, maxLength: METADATA_VALUE_LENGTH_MAX },
  propertyNames: { type: 'string' as const, pattern: METADATA_KEY.source },
  maxProperties: METADATA_KEYS_MAX,
};

/** Databases do not store NUL and halves of surrogate pairs. */
export function isStorable(sent: string): boolean {
  return sent.isWellFormed() && !sent.includes('\0');
}

export const metadataOut = z.record(z.string(), z.string()).meta({ id: 'Metadata', override: metadataDescribed });

export const shipmentMetadata = z
  .strictObject({
    metadata: metadataOut,
    version: z
      .number()
      .meta({
        override: { type: 'integer' as const, minimum: 0 },
      })
      .describe(
        'Of the metadata, not of the shipment: 0 until it is set for the first time. The entity tag is this version.',
      ),
  })
  .meta({ id: 'ShipmentMetadata' });
export type ShipmentMetadata = z.output<typeof shipmentMetadata>;

/** One entry, as lists look for it. */
export interface MetadataEntry {
  readonly key: string;
  readonly value: string;
}

/** `key:value`. A key has no colon, so the first one ends it. */
export const metadataFilter = z
  .string()
  .transform((sent, context): MetadataEntry => {
    const colon = sent.indexOf(':');
    const entry = { key: sent.slice(0, Math.max(0, colon)), value: sent.slice(colon + 1) };
    const isShort = codePointLength(entry.value) <= METADATA_VALUE_LENGTH_MAX;
    if (colon < 1 || !METADATA_KEY.test(entry.key) || !isShort || !isStorable(entry.value))
      addViolation(context, 'PATTERN_MISMATCH', 'key:value');
    return entry;
  })
  .meta({
    override: {
      type: 'string' as const,
      minLength: 2,
      maxLength: METADATA_KEY_LENGTH_MAX + 1 + METADATA_VALUE_LENGTH_MAX,
      pattern: `^[A-Za-z0-9_.-]{1,${METADATA_KEY_LENGTH_MAX}}:`,
    },
  });
