import { REPLAY_DAYS_MAX } from '../../../core/limits.ts';
import type { LocalText } from '../../../core/locale.ts';
import type { ViolationCode } from '../../../core/problem-code.ts';

/** What each fault of a value means for the person who typed it. `{limit}` is the limit that the service states. */
export const SENTENCES: Readonly<Record<ViolationCode | 'EXTERNAL_REFERENCE_CONFLICT', LocalText>> = {
  REQUIRED: { en: 'This field is required.', ar: 'هذا الحقل مطلوب.' },
  NULL_NOT_ALLOWED: { en: 'This field is required.', ar: 'هذا الحقل مطلوب.' },
  UNKNOWN_PROPERTY: { en: 'The service does not know this field.', ar: 'الخدمة لا تعرف هذا الحقل.' },
  TYPE_MISMATCH: { en: 'This value has the wrong type.', ar: 'نوع هذه القيمة غير صحيح.' },
  TOO_SHORT: { en: 'Enter at least {limit} characters.', ar: 'اكتب {limit} من الأحرف على الأقل.' },
  TOO_LONG: {
    en: 'This is too long. The limit is {limit} characters.',
    ar: 'النص طويل. الحد الأقصى لعدد الأحرف: {limit}.',
  },
  PATTERN_MISMATCH: { en: 'The format of this value is not correct.', ar: 'صيغة هذه القيمة غير صحيحة.' },
  OUT_OF_RANGE: {
    en: 'This number is not in the allowed range: {limit}.',
    ar: 'هذا الرقم خارج النطاق المسموح به: {limit}.',
  },
  NOT_IN_ENUM: { en: 'Choose one of the values in the list.', ar: 'اختر قيمة من القائمة.' },
  TOO_FEW_ITEMS: { en: 'Choose at least {limit}.', ar: 'اختر {limit} على الأقل.' },
  TOO_MANY_ITEMS: { en: 'Choose at most {limit}.', ar: 'اختر {limit} على الأكثر.' },
  DUPLICATE_ITEM: { en: 'This is in the list already.', ar: 'هذا موجود في القائمة.' },
  SCALE_EXCEEDED: {
    en: 'Too many digits after the point. The limit is {limit}.',
    ar: 'عدد المنازل العشرية كبير. الحد الأقصى: {limit}.',
  },
  INVALID_INSTANT: { en: 'Enter a day and a time.', ar: 'اكتب اليوم والوقت.' },
  FORBIDDEN_FIELD: { en: 'Leave this field empty.', ar: 'اترك هذا الحقل فارغًا.' },
  COD_METHOD_REQUIRED: {
    en: 'Choose cash on delivery, or enter 0 as the amount to collect.',
    ar: 'اختر الدفع عند الاستلام، أو اكتب 0 في المبلغ المطلوب تحصيله.',
  },
  COD_AMOUNT_MISMATCH: {
    en: 'The amount to collect has changed.',
    ar: 'تغيّر المبلغ المطلوب تحصيله.',
  },
  CURRENCY_NOT_SUPPORTED: {
    en: 'Enter the currency of your tariff, such as SAR.',
    ar: 'اكتب عملة تعرفتك، مثل SAR.',
  },
  WINDOW_ORDER_INVALID: { en: 'The pickup must end after it begins.', ar: 'يجب أن ينتهي الاستلام بعد بدايته.' },
  WINDOW_IN_PAST: { en: 'This time has passed. Choose a later one.', ar: 'هذا الوقت مضى. اختر وقتًا بعده.' },
  WINDOW_NOT_OFFERED: {
    en: 'This time is no longer offered. Choose another one.',
    ar: 'هذا الوقت لم يعد متاحًا. اختر غيره.',
  },
  BRANCH_UNKNOWN: { en: 'You have no such branch.', ar: 'ليس لديك فرع بهذا الرمز.' },
  PICKUP_LOCATION_UNKNOWN: { en: 'You have no such pickup location.', ar: 'ليس لديك موقع استلام بهذا الرمز.' },
  PICKUP_LOCATION_NOT_IN_BRANCH: {
    en: 'This pickup location belongs to another branch.',
    ar: 'موقع الاستلام هذا يتبع فرعًا آخر.',
  },
  DESTINATION_NOT_SERVICEABLE: {
    en: 'We do not deliver to this place. Check the city and the coordinates.',
    ar: 'لا يصل التوصيل إلى هذا المكان. تحقق من المدينة والإحداثيات.',
  },
  NOT_AS_LOCKED: {
    en: 'The price was locked for another value. Lock it again.',
    ar: 'ثُبِّت السعر لقيمة أخرى. ثبّته من جديد.',
  },
  EXTERNAL_REFERENCE_CONFLICT: {
    en: 'You have a shipment with this reference already.',
    ar: 'لديك شحنة بهذا الرقم المرجعي.',
  },
};

const SAUDI_MOBILE = { en: 'Enter a Saudi mobile such as 0501234567.', ar: 'اكتب رقم جوال سعوديًا مثل 0501234567.' };
const CITY = { en: 'Choose a city from the list, or enter its code.', ar: 'اختر مدينة من القائمة، أو اكتب رمزها.' };
const PLACE_CODE = {
  en: 'Enter 2 to 64 capital letters, digits, - and _.',
  ar: 'اكتب من 2 إلى 64 من الأحرف اللاتينية الكبيرة والأرقام و- و_.',
};

/** What to enter where a value of another type was sent, by the type in the service's message in either language. */
export const TYPE_SENTENCES: readonly (readonly [RegExp, LocalText])[] = [
  [/an integer|عدد صحيح/, { en: 'Enter a whole number.', ar: 'اكتب عددًا صحيحًا.' }],
  [/number|عدد/, { en: 'Enter a number.', ar: 'اكتب رقمًا.' }],
  [/a string|نص/, { en: 'Enter a text.', ar: 'اكتب نصًا.' }],
];

/** The same for one member of a request, by code and member: what to enter instead. */
export const FIELD_SENTENCES: Readonly<Record<string, LocalText>> = {
  'PATTERN_MISMATCH phone': SAUDI_MOBILE,
  'PATTERN_MISMATCH alternateContactPhone': SAUDI_MOBILE,
  'PATTERN_MISMATCH mobile': SAUDI_MOBILE,
  'PATTERN_MISMATCH mobileNumber': SAUDI_MOBILE,
  'PATTERN_MISMATCH contactPhone': {
    en: 'Enter the number with its country code, such as +966112345678.',
    ar: 'اكتب الرقم مع رمز الدولة، مثل \u2066+966112345678\u2069.',
  },
  'PATTERN_MISMATCH email': {
    en: 'Enter an e-mail address such as name@example.com.',
    ar: 'اكتب بريدًا إلكترونيًا مثل name@example.com.',
  },
  'PATTERN_MISMATCH identifier': {
    en: 'Enter an e-mail address or a Saudi mobile.',
    ar: 'اكتب بريدًا إلكترونيًا أو رقم جوال سعوديًا.',
  },
  'PATTERN_MISMATCH commercialRegistrationNumber': {
    en: 'Enter the ten digits of the commercial registration.',
    ar: 'اكتب أرقام السجل التجاري العشرة.',
  },
  'PATTERN_MISMATCH cityCode': CITY,
  'TOO_SHORT cityCode': CITY,
  'PATTERN_MISMATCH currency': { en: 'Enter a currency code such as SAR.', ar: 'اكتب رمز عملة مثل SAR.' },
  'PATTERN_MISMATCH branchCode': PLACE_CODE,
  'PATTERN_MISMATCH pickupLocationCode': PLACE_CODE,
  // Only the beginning of what is sent again has this limit.
  'OUT_OF_RANGE from': {
    en: `Enter a time of the last ${REPLAY_DAYS_MAX} days.`,
    ar: `اكتب وقتًا من آخر ${REPLAY_DAYS_MAX} أيام.`,
  },
  'TOO_MANY_ITEMS q': { en: 'Search for at most five words.', ar: 'ابحث عن خمس كلمات على الأكثر.' },
  'PATTERN_MISMATCH otp': { en: 'Enter the six digits of the code.', ar: 'اكتب أرقام الرمز الستة.' },
};
