import { describe, expect, it } from 'vitest';
import { VIOLATIONS, type ViolationCode, violationMessage } from '../../../src/core/catalogue.ts';

/** The violation codes of the contract, written by hand. */
const CODES: readonly string[] = [
  'REQUIRED',
  'UNKNOWN_PROPERTY',
  'TYPE_MISMATCH',
  'NULL_NOT_ALLOWED',
  'TOO_SHORT',
  'TOO_LONG',
  'PATTERN_MISMATCH',
  'OUT_OF_RANGE',
  'NOT_IN_ENUM',
  'TOO_FEW_ITEMS',
  'TOO_MANY_ITEMS',
  'DUPLICATE_ITEM',
  'SCALE_EXCEEDED',
  'INVALID_INSTANT',
  'FORBIDDEN_FIELD',
  'COD_METHOD_REQUIRED',
  'COD_AMOUNT_MISMATCH',
  'CURRENCY_NOT_SUPPORTED',
  'WINDOW_ORDER_INVALID',
  'WINDOW_IN_PAST',
  'WINDOW_NOT_OFFERED',
  'BRANCH_UNKNOWN',
  'PICKUP_LOCATION_UNKNOWN',
  'PICKUP_LOCATION_NOT_IN_BRANCH',
  'DESTINATION_NOT_SERVICEABLE',
  'NOT_AS_LOCKED',
];

const ENGLISH: readonly (readonly [ViolationCode, string | undefined, string])[] = [
  ['REQUIRED', undefined, 'is required'],
  ['REQUIRED', '7', 'is required'],
  ['TYPE_MISMATCH', 'an integer', 'must be an integer'],
  ['TYPE_MISMATCH', 'object', 'must be an object'],
  ['TYPE_MISMATCH', 'constructor', 'must be constructor'],
  ['TYPE_MISMATCH', undefined, 'has the wrong type'],
  ['TOO_LONG', '128', 'must have at most 128 characters'],
  ['TOO_LONG', undefined, 'is too long'],
  ['TOO_SHORT', '1', 'must have 1 or more characters'],
  ['OUT_OF_RANGE', 'from 1 to 10000', 'is outside the allowed range: from 1 to 10000'],
  ['OUT_OF_RANGE', undefined, 'is outside the allowed range'],
  ['NOT_IN_ENUM', 'PREPAID, COD', 'must be one of: PREPAID, COD'],
  ['PATTERN_MISMATCH', 'currency', 'does not have the required format: three capital letters, such as SAR'],
  // A value of a list may have the name of a text.
  ['NOT_IN_ENUM', 'city', 'must be one of: city'],
  ['SCALE_EXCEEDED', '2', 'must have at most 2 digits after the point'],
  // A replacement pattern or a placeholder within a limit has no meaning.
  ['PATTERN_MISMATCH', '$& {limit}', 'does not have the required format: $& {limit}'],
];

const ARABIC: readonly (readonly [ViolationCode, string | undefined, string])[] = [
  ['REQUIRED', undefined, 'حقل مطلوب'],
  ['TOO_LONG', '128', 'يجب ألا يزيد عدد الأحرف على 128'],
  ['TYPE_MISMATCH', 'a decimal number', 'نوع القيمة غير صحيح، والمطلوب: عدد عشري'],
  ['TYPE_MISMATCH', 'boolean', 'نوع القيمة غير صحيح، والمطلوب: true أو false'],
  ['OUT_OF_RANGE', 'from 1 to 10000', 'القيمة خارج النطاق المسموح به، وهو: من 1 إلى 10000'],
  [
    'OUT_OF_RANGE',
    'at least -90 and at most 90',
    'القيمة خارج النطاق المسموح به، وهو: \u2066-90\u2069 على الأقل و90 على الأكثر',
  ],
  ['OUT_OF_RANGE', 'at most 19 digits', 'القيمة خارج النطاق المسموح به، وهو: 19 رقمًا على الأكثر'],
  ['NOT_IN_ENUM', 'PREPAID, COD', 'يجب أن تكون القيمة إحدى القيم الآتية: \u2068PREPAID, COD\u2069'],
];

describe('violation messages', () => {
  it('exist for exactly the documented codes', () => {
    expect(Object.keys(VIOLATIONS)).toEqual(CODES);
  });

  it.each(ENGLISH)('%s with limit %s is "%s"', (code, limit, message) => {
    expect(violationMessage({ code, limit }, 'en')).toBe(message);
  });

  it.each(ARABIC)('%s with limit %s is "%s" in Arabic', (code, limit, message) => {
    expect(violationMessage({ code, limit }, 'ar')).toBe(message);
  });

  it('omit a limit that would not fit into 256 characters', () => {
    const limit = 'A'.repeat(300);
    expect(violationMessage({ code: 'NOT_IN_ENUM', limit }, 'en')).toBe('is not one of the allowed values');
    expect(violationMessage({ code: 'NOT_IN_ENUM', limit }, 'ar')).toBe('القيمة ليست من القيم المسموح بها');
  });
});
