import * as z from 'zod';
import { normalizeShortAddress } from '../core/short-address.ts';
import { addViolation } from './values.ts';

/** A short code as people type it. It becomes its normal form. */
export const shortAddress = ({ isHeader = false } = {}) =>
  z
    .string()
    .transform((value, context): string => {
      const code = normalizeShortAddress(isHeader ? headerText(value) : value);
      if (code === undefined) addViolation(context, 'PATTERN_MISMATCH', 'shortAddress');
      return code ?? z.NEVER;
    })
    .meta({ override: { type: 'string' as const } });

/** Headers come as one character for each byte (RFC 9110 section 5.5), so Arabic digits in them are in pieces. */
function headerText(value: string): string {
  if (/[\u0100-\uffff]/.test(value)) return value;
  return new TextDecoder().decode(Uint8Array.from(value, (character) => character.charCodeAt(0)));
}
