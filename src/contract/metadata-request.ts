import * as z from 'zod';
import { METADATA_KEYS_MAX, METADATA_VALUE_LENGTH_MAX } from '../core/limits.ts';
import { codePointLength } from '../core/text.ts';
import { isStorable, METADATA_KEY, metadataDescribed } from './shipment-metadata.ts';
import { addViolation } from './values.ts';

type Metadata = Readonly<Record<string, string>>;

/** All entries of a shipment. A record of zod would drop `__proto__` without a word. */
const entries = (z.unknown() as z.ZodType<unknown, Metadata>)
  .transform((sent, context): Metadata => {
    const metadata: Record<string, string> = {};
    const isObject = typeof sent === 'object' && sent !== null && Object.getPrototypeOf(sent) === Object.prototype;
    if (sent === undefined) addViolation(context, 'REQUIRED');
    else if (sent === null) addViolation(context, 'NULL_NOT_ALLOWED');
    else if (!isObject) addViolation(context, 'TYPE_MISMATCH', 'object');
    else if (Object.keys(sent).length > METADATA_KEYS_MAX) addViolation(context, 'TOO_MANY_ITEMS', METADATA_KEYS_MAX);
    else
      for (const [key, each] of Object.entries(sent)) {
        if (!METADATA_KEY.test(key)) addViolation(context, 'PATTERN_MISMATCH', 'metadataKey', [key]);
        if (each === null) addViolation(context, 'NULL_NOT_ALLOWED', undefined, [key]);
        else if (typeof each !== 'string') addViolation(context, 'TYPE_MISMATCH', 'string', [key]);
        else if (codePointLength(each) > METADATA_VALUE_LENGTH_MAX)
          addViolation(context, 'TOO_LONG', METADATA_VALUE_LENGTH_MAX, [key]);
        else if (!isStorable(each)) addViolation(context, 'PATTERN_MISMATCH', 'storable', [key]);
        else metadata[key] = each;
      }
    return metadata;
  })
  // The document takes the override, the types of the client the rest.
  .meta({ ...metadataDescribed, override: metadataDescribed });

/** Members of the request that replaces the metadata. */
export const metadataRequest = { metadata: entries };
