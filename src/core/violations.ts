import { LIMIT_TEXTS } from './limit-texts.ts';
import type { Locale, LocalText } from './locale.ts';
import type { ViolationCode } from './problem-code.ts';
import { codePointLength } from './text.ts';

/** A rule's message without a limit, and the message with the rule's limit if the rule has one. */
interface ViolationText extends LocalText {
  readonly limited?: LocalText;
}

/** The rules for fields of requests. Messages are in the caller's language; codes are the same in every language. */
export const VIOLATIONS = {
  REQUIRED: { en: 'is required', ar: 'حقل مطلوب' },
  UNKNOWN_PROPERTY: { en: 'is not a known property', ar: 'خاصية غير معروفة' },
  TYPE_MISMATCH: {
    en: 'has the wrong type',
    ar: 'نوع القيمة غير صحيح',
    limited: { en: 'must be {limit}', ar: 'نوع القيمة غير صحيح، والمطلوب: {limit}' },
  },
  NULL_NOT_ALLOWED: { en: 'must not be null', ar: 'لا يجوز أن تكون القيمة null' },
  TOO_SHORT: {
    en: 'is too short',
    ar: 'القيمة أقصر من المسموح به',
    limited: { en: 'must have {limit} or more characters', ar: 'يجب ألا يقل عدد الأحرف عن {limit}' },
  },
  TOO_LONG: {
    en: 'is too long',
    ar: 'القيمة أطول من المسموح به',
    limited: { en: 'must have at most {limit} characters', ar: 'يجب ألا يزيد عدد الأحرف على {limit}' },
  },
  PATTERN_MISMATCH: {
    en: 'does not have the required format',
    ar: 'صيغة القيمة غير صحيحة',
    limited: { en: 'does not have the required format: {limit}', ar: 'صيغة القيمة غير صحيحة، والمطلوب: {limit}' },
  },
  OUT_OF_RANGE: {
    en: 'is outside the allowed range',
    ar: 'القيمة خارج النطاق المسموح به',
    limited: { en: 'is outside the allowed range: {limit}', ar: 'القيمة خارج النطاق المسموح به، وهو: {limit}' },
  },
  NOT_IN_ENUM: {
    en: 'is not one of the allowed values',
    ar: 'القيمة ليست من القيم المسموح بها',
    limited: { en: 'must be one of: {limit}', ar: 'يجب أن تكون القيمة إحدى القيم الآتية: {limit}' },
  },
  TOO_FEW_ITEMS: {
    en: 'has too few entries',
    ar: 'عدد العناصر أقل من المسموح به',
    limited: { en: 'must have {limit} or more entries', ar: 'يجب ألا يقل عدد العناصر عن {limit}' },
  },
  TOO_MANY_ITEMS: {
    en: 'has too many entries',
    ar: 'عدد العناصر أكثر من المسموح به',
    limited: { en: 'must not have more entries than {limit}', ar: 'يجب ألا يزيد عدد العناصر على {limit}' },
  },
  DUPLICATE_ITEM: { en: 'repeats an earlier entry', ar: 'العنصر مكرر' },
  SCALE_EXCEEDED: {
    en: 'has too many digits after the point',
    ar: 'عدد المنازل العشرية أكثر من المسموح به',
    limited: {
      en: 'must have at most {limit} digits after the point',
      ar: 'يجب ألا يزيد عدد المنازل العشرية على {limit}',
    },
  },
  INVALID_INSTANT: {
    en: 'must be a UTC date-time with seconds and at most six fraction digits, such as 2030-01-31T09:00:00.123456Z',
    ar: 'يجب أن تكون القيمة تاريخًا ووقتًا بالتوقيت العالمي مع الثواني وستة أرقام عشرية على الأكثر، مثل \u20682030-01-31T09:00:00.123456Z\u2069',
    limited: { en: '{limit}', ar: '{limit}' },
  },
  FORBIDDEN_FIELD: { en: 'must be omitted here', ar: 'يجب حذف هذا الحقل في هذه الحالة' },
  COD_METHOD_REQUIRED: {
    en: 'must be COD when codAmount is greater than zero',
    ar: 'يجب أن تكون القيمة COD عندما يكون codAmount أكبر من صفر',
  },
  COD_AMOUNT_MISMATCH: {
    en: 'is not the amount to collect, which may have changed',
    ar: 'ليس المبلغ المطلوب تحصيله، وربما تغيّر',
  },
  CURRENCY_NOT_SUPPORTED: {
    en: 'must be an ISO 4217 currency code, and with a codAmount the currency of the tariff',
    ar: 'يجب أن تكون القيمة رمز عملة وفق ISO 4217، ومع codAmount عملةَ التعرفة',
  },
  WINDOW_ORDER_INVALID: { en: 'must be after pickupWindowStart', ar: 'يجب أن يكون الوقت بعد pickupWindowStart' },
  WINDOW_IN_PAST: { en: 'must be in the future', ar: 'يجب أن يكون الوقت في المستقبل' },
  WINDOW_NOT_OFFERED: {
    en: 'is not the start of a delivery window that is offered now',
    ar: 'ليس بداية فترة توصيل معروضة الآن',
  },
  BRANCH_UNKNOWN: { en: 'is not a branch of this company', ar: 'ليس فرعًا من فروع هذه الشركة' },
  PICKUP_LOCATION_UNKNOWN: { en: 'is not a pickup location of this company', ar: 'ليس موقع استلام لهذه الشركة' },
  PICKUP_LOCATION_NOT_IN_BRANCH: {
    en: 'is not a pickup location of the given branch',
    ar: 'ليس موقع استلام تابعًا للفرع المحدد',
  },
  DESTINATION_NOT_SERVICEABLE: {
    en: 'is not a place that is delivered to',
    ar: 'مكان لا يشمله التوصيل',
    limited: { en: 'is not a place that is delivered to: {limit}', ar: 'مكان لا يشمله التوصيل: {limit}' },
  },
  NOT_AS_LOCKED: { en: 'is not what the price was locked for', ar: 'ليس ما ثُبِّت السعر له' },
} as const satisfies Record<ViolationCode, ViolationText>;

/** The interface allows a violation's message this many characters. */
const messageLengthMax = 256;

/**
 * The message of a violation for people, at most 256 characters. It leaves out the limit if there is none or if it is too
 * long.
 */
export function violationMessage(
  violation: { readonly code: ViolationCode; readonly limit?: string | undefined },
  locale: Locale,
): string {
  const text: ViolationText = VIOLATIONS[violation.code];
  if (violation.limit === undefined || text.limited === undefined) return text[locale];
  const { limit } = violation;
  const named = violation.code === 'NOT_IN_ENUM' ? undefined : textOf(limit);
  const said = named?.[locale === 'ar' ? 1 : 0] ?? (locale === 'ar' ? arabicLimit(limit) : limit);
  const message = text.limited[locale].replaceAll('{limit}', () => said);
  return codePointLength(message) <= messageLengthMax ? message : text[locale];
}

/** The text that a limit names; undefined for a limit that is printed as it is. */
function textOf(limit: string): readonly [en: string, ar: string] | undefined {
  const texts: Readonly<Record<string, readonly [string, string]>> = LIMIT_TEXTS;
  return Object.hasOwn(texts, limit) ? texts[limit] : undefined;
}

/** Limits are written in a few English words; these are the same in Arabic. Each is applied in turn. */
const ARABIC_LIMITS: readonly (readonly [RegExp, string])[] = [
  [/\ba decimal number\b/, 'عدد عشري'],
  [/\ban integer\b/, 'عدد صحيح'],
  [/\bfrom (\S+) to (\S+)/, 'من $1 إلى $2'],
  [/\bafter (\S+), when version (\S+) begins/, 'بعد $1 حين يبدأ الإصدار $2'],
  [/\bgreater than (\S+)/, 'أكبر من $1'],
  [/\bat least (\S+)/, '$1 على الأقل'],
  [/\bat most (\S+) digits\b/, '$1 رقمًا على الأكثر'],
  [/\bat most (\S+)/, '$1 على الأكثر'],
  [/ and /, ' و'],
];

/**
 * In Arabic text, `1..100` would be shown as `100..1` and `-90` as `90-`. Isolating characters keep the order of text
 * that is neither Arabic nor a plain number.
 */
function arabicLimit(limit: string): string {
  const words = ARABIC_LIMITS.reduce((said, [english, arabic]) => said.replace(english, arabic), limit);
  if (words === limit) return /^\d+$/.test(limit) ? limit : `\u2068${limit}\u2069`;
  return words.replace(/-\d[\d.]*/g, (negative) => `\u2066${negative}\u2069`);
}
