import * as z from 'zod';
import { codePointLength } from '../core/text.ts';
import { foldedOf } from '../core/typed/folded.ts';
import { readText } from '../core/typed/text.ts';
import { SHIPMENT_KINDS } from './resolution-state.ts';
import { cityCode, externalReference } from './shipment.ts';
import { metadataFilter } from './shipment-metadata.ts';
import { PAYMENT_METHODS, SHIPMENT_STATES, type ShipmentState } from './shipment-state.ts';
import { addViolation, instant, logged, placeCode } from './values.ts';

/* Filters of the list of shipments. */

const SEARCH_LENGTH_MIN = 2;
const SEARCH_LENGTH_MAX = 64;

/** What people type to find a shipment. Spaces at its ends and invisible characters, which come along in copies, are removed. */
const searchText = z
  .string()
  .transform((value, context): string => {
    const text = readText(value.normalize('NFC').replaceAll(/\p{Cf}/gu, ''));
    if (!text.isWellFormed() || text.includes('\0')) addViolation(context, 'PATTERN_MISMATCH', 'storable');
    else if (codePointLength(foldedOf(text)) < SEARCH_LENGTH_MIN) addViolation(context, 'TOO_SHORT', SEARCH_LENGTH_MIN);
    else if (codePointLength(text) > SEARCH_LENGTH_MAX) addViolation(context, 'TOO_LONG', SEARCH_LENGTH_MAX);
    return text;
  })
  .meta({ override: { type: 'string' as const, minLength: SEARCH_LENGTH_MIN, maxLength: SEARCH_LENGTH_MAX } });

/** States, separated by commas: a query parameter may appear only once. */
const states = logged(
  z
    .string()
    .transform((value, context): ShipmentState[] => {
      const names = value.split(',');
      const known = SHIPMENT_STATES.filter((state) => names.includes(state));
      if (names.some((name) => !KNOWN.has(name))) addViolation(context, 'NOT_IN_ENUM', SHIPMENT_STATES.join(', '));
      else if (known.length < names.length) addViolation(context, 'DUPLICATE_ITEM');
      return known;
    })
    .meta({
      override: {
        type: 'array' as const,
        items: { type: 'string' as const, enum: [...SHIPMENT_STATES] },
        minItems: 1,
        uniqueItems: true,
      },
    }),
);
const KNOWN: ReadonlySet<string> = new Set(SHIPMENT_STATES);

/** Query parameters that choose shipments. All of them must be true for a shipment in the list. */
export const shipmentFilter = {
  state: z.optional(states),
  externalReference: z.optional(externalReference()),
  createdFrom: z.optional(instant),
  createdTo: z.optional(instant),
  branchCode: z.optional(placeCode()),
  cityCode: z.optional(cityCode()),
  paymentMethod: z.optional(z.enum(PAYMENT_METHODS)),
  address: z.optional(z.enum(['blocked'])),
  kind: z.optional(z.enum(SHIPMENT_KINDS)),
  metadata: z.optional(metadataFilter),
  q: z.optional(searchText),
};
export type ShipmentFilter = z.output<z.ZodObject<typeof shipmentFilter>>;
