import * as z from 'zod';
import { isBase64Url } from '../core/base64url.ts';
import { literalDecimal } from '../core/decimal.ts';
import {
  LOCK_SECONDS_DEFAULT,
  LOCK_SECONDS_MAX,
  LOCK_SECONDS_MIN,
  PRICE_LIMIT_DIGITS_MAX,
  PRICE_LOCK_LENGTH_MAX,
} from '../core/limits.ts';
import { frozenTerms, lockRecord, priceEstimate } from './price-estimate.ts';
import { cityCode, coordinate, money } from './shipment.ts';
import { addViolation, decimal, integer, placeCode } from './values.ts';

/** It has the form of a lock, and opens nowhere. */
const PRICE_LOCK_EXAMPLE = 'q1Jd0mU5cXo3Zk9hVw2LrQeNbTf8GxPzKi4CyE7sAhM6Rj_lB0vD-YuOgWnS';

/** Members of a request for a price lock. */
export const priceLockRequest = {
  pickupLocationCode: placeCode(),
  destination: z.strictObject({ latitude: coordinate(90), longitude: coordinate(180), cityCode: cityCode() }),
  codAmount: z.optional(money()).describe('The codAmount of the shipment; 0 if absent.'),
  expiresInSeconds: z
    .optional(integer(LOCK_SECONDS_MIN, LOCK_SECONDS_MAX))
    .describe(`How long the price holds; ${LOCK_SECONDS_DEFAULT} if absent. At most lockSecondsMax of the tariff.`),
};

const { estimatedAt: _estimatedAt, ...price } = priceEstimate.shape;

/** A price that holds until an instant, for one shipment. */
export const priceLock = z
  .strictObject({
    priceLock: z.string().describe('Send it unchanged as the header Price-Lock of the creation. Its form may change.'),
    ...lockRecord.shape,
    ...price,
    terms: frozenTerms,
  })
  .meta({ id: 'PriceLock' });
export type PriceLockAnswer = z.output<typeof priceLock>;

/** The text of a price lock, in a header or in an item of a batch. Whether it opens is found out later. */
export const priceLockText = () =>
  z
    .string()
    .check((context) => {
      const { value } = context;
      if (value.length > PRICE_LOCK_LENGTH_MAX) addViolation(context, 'TOO_LONG', PRICE_LOCK_LENGTH_MAX);
      else if (value === '' || !isBase64Url(value)) addViolation(context, 'PATTERN_MISMATCH', 'a price lock');
    })
    .meta({ minLength: 1, maxLength: PRICE_LOCK_LENGTH_MAX, pattern: '^[A-Za-z0-9_-]+$', example: PRICE_LOCK_EXAMPLE });

/** The most that an item of a batch may cost, with VAT, as in the header Price-Limit. */
export const priceLimitOfItem = () =>
  decimal({ min: literalDecimal('0'), fractionDigitsMax: 2, digitsMax: PRICE_LIMIT_DIGITS_MAX });
