import * as z from 'zod';
import { priceLockText } from '../src/contract/price-lock.ts';
import { shortAddress } from '../src/contract/short-address.ts';
import { addViolation, logged } from '../src/contract/values.ts';
import { type Decimal, parseDecimal } from '../src/core/decimal.ts';
import { IDEMPOTENCY_KEY_LENGTH_MAX, IDEMPOTENCY_KEY_LENGTH_MIN, PRICE_LIMIT_DIGITS_MAX } from '../src/core/limits.ts';
import { type Precondition, parsePrecondition } from '../src/core/precondition.ts';

/** Header parameters, with their names in a procedure's input. */

/** Visible ASCII and the space: the characters that a header transmits unchanged. */
const KEY_CHARACTERS = /^[\x20-\x7e]*$/;

/** `Idempotency-Key`, raw or as a structured-field string (RFC 9651 section 3.3.3) without its quotes. */
export const idempotencyKey = z
  .string()
  .transform((value, context): string => {
    const key = unquote(value);
    if (key === undefined || !KEY_CHARACTERS.test(key)) addViolation(context, 'PATTERN_MISMATCH');
    else if (key.length < IDEMPOTENCY_KEY_LENGTH_MIN) addViolation(context, 'TOO_SHORT', IDEMPOTENCY_KEY_LENGTH_MIN);
    else if (key.length > IDEMPOTENCY_KEY_LENGTH_MAX) addViolation(context, 'TOO_LONG', IDEMPOTENCY_KEY_LENGTH_MAX);
    return key ?? z.NEVER;
  })
  .meta({
    override: { type: 'string' as const, minLength: IDEMPOTENCY_KEY_LENGTH_MIN, maxLength: IDEMPOTENCY_KEY_LENGTH_MAX },
  });

/** The same for procedures that do not need a key. */
export const optionalKey = z.optional(idempotencyKey);

/** `If-Match`: strong numeric entity tags, or `*`. */
export const ifMatch = logged(
  z
    .string()
    .transform((value, context): Precondition => {
      const precondition = parsePrecondition(value);
      if (precondition === undefined) addViolation(context, 'PATTERN_MISMATCH', 'an entity tag such as "3", or *');
      return precondition ?? z.NEVER;
    })
    .meta({ override: { type: 'string' as const }, example: '"3"' }),
);

/** A plain amount, without sign and exponent. */
const AMOUNT = /^(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,2})?$/;

/** `Price-Limit`: an amount in SAR with VAT. The call is refused if it would cost more. */
export const priceLimit = z.optional(
  logged(
    z
      .string()
      .transform((value, context): Decimal => {
        const amount = AMOUNT.test(value) ? parseDecimal(value) : undefined;
        const isShort = value.replace('.', '').length <= PRICE_LIMIT_DIGITS_MAX;
        if (amount === undefined || !isShort)
          addViolation(context, 'PATTERN_MISMATCH', 'an amount such as 30 or 29.50');
        return amount ?? z.NEVER;
      })
      .meta({
        override: {
          type: 'string' as const,
          pattern: AMOUNT.source,
        },
        example: '34.50',
      })
      .describe(
        'The most that this call may cost, in SAR with VAT; 0 means only if it is free. Above it the answer is 409 PRICE_LIMIT_EXCEEDED and nothing is changed. A repeat with the same idempotency key gets the first answer whatever the limit.',
      ),
  ),
);

/** `Price-Lock`: the price that an operation has locked. */
export const priceLock = z.optional(
  priceLockText().describe(
    'The priceLock of POST /v2/external/price-locks. The shipment costs what the lock says, net of VAT, whatever the tariff is now. One lock is for one shipment. A repeat with the same idempotency key gets the first answer with any lock or none.',
  ),
);

/** `National-Address`: the short code of the destination. */
export const nationalAddress = z.optional(
  shortAddress({ isHeader: true }).describe(
    'The short code of the destination, such as RRRD2929. It is checked against the national registry after the answer; GET .../national-address has the result. A repeat with the same idempotency key gets the first answer with any code or none.',
  ),
);

/** `If-None-Match`: the tags that the client has. Unknown tags match nothing. */
export const ifNoneMatch = logged(z.string()).meta({ override: { type: 'string' as const } });

/** `Prefer` (RFC 7240). A preference that is unknown or malformed is ignored. */
export const prefer = logged(
  z
    .string()
    .transform((value) => ({
      waitSeconds: Number(/(?:^|,)\s*wait\s*=\s*"?(\d{1,4})"?\s*(?:[,;]|$)/i.exec(value)?.[1] ?? 0),
    }))
    .meta({ override: { type: 'string' as const }, example: 'wait=10' }),
);

function unquote(value: string): string | undefined {
  if (!value.startsWith('"')) return value;
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(value);
  return quoted?.[1]?.replaceAll(/\\(["\\])/g, '$1');
}
