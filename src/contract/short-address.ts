import * as z from 'zod';
import { normalizeShortAddress } from '../core/short-address.ts';
import { addViolation } from './values.ts';

/** A short code as people type it. It becomes its normal form. */
export const shortAddress = () =>
  z
    .string()
    .transform((value, context): string => {
      const code = normalizeShortAddress(value) ?? normalizeShortAddress(bytesAsUtf8(value));
      if (code === undefined) addViolation(context, 'PATTERN_MISMATCH', 'shortAddress');
      return code ?? z.NEVER;
    })
    .meta({ override: { type: 'string' as const } });

/** Headers come as one character for each byte (RFC 9110 section 5.5), so Arabic digits in them are in pieces. */
function bytesAsUtf8(text: string): string {
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  return new TextDecoder().decode(bytes);
}
