import { LABELS_MAX, METADATA_KEY_LENGTH_MAX, PIN_KILOMETERS_MAX, URL_LENGTH_MAX } from './limits.ts';

const FAR = `the coordinates are more than ${PIN_KILOMETERS_MAX} km from the centre of the city`;
const FAR_AR = `تبعد الإحداثيات أكثر من ${PIN_KILOMETERS_MAX} كم عن مركز المدينة`;

/** What a value must be, in English and in Arabic. A rule names its text, so that no message shows a pattern of a program. */
export const LIMIT_TEXTS = {
  object: ['an object', 'كائن'],
  array: ['an array', 'قائمة'],
  string: ['a string', 'نص'],
  number: ['a number', 'عدد'],
  boolean: ['true or false', 'true أو false'],
  uuid: ['a UUID', 'معرّف UUID'],
  day: ['a day such as 2026-01-31', 'يوم مثل \u20682026-01-31\u2069'],
  month: ['a month such as 2026-01', 'شهر مثل \u20682026-01\u2069'],
  pastMonth: ['this month or an earlier one', 'هذا الشهر أو شهر قبله'],
  vatNumber: ['15 digits, of which the first and the last are 3', '15 رقمًا أولها 3 وآخرها 3'],
  fourDigits: ['four digits', 'أربعة أرقام'],
  sixDigits: ['six digits', 'ستة أرقام'],
  tenDigits: ['ten digits', 'عشرة أرقام'],
  nationalMobile: ['nine digits from 5, without the country code', 'تسعة أرقام تبدأ بالرقم 5 دون رمز الدولة'],
  mobile: ['a Saudi mobile number such as 0512345678', 'رقم جوال سعودي مثل \u20680512345678\u2069'],
  phone: ['a number with its country code, such as +966112345678', 'رقم مع رمز الدولة مثل \u2068+966112345678\u2069'],
  city: ['the code of a city, such as RUH', 'رمز مدينة مثل \u2068RUH\u2069'],
  currency: ['three capital letters, such as SAR', 'ثلاثة أحرف لاتينية كبيرة مثل \u2068SAR\u2069'],
  code: [
    'capital letters, digits and _, from 2 to 48 characters',
    'أحرف لاتينية كبيرة وأرقام وشرطة سفلية، من حرفين إلى 48 حرفًا',
  ],
  shortAddress: [
    'four letters and four digits, such as RRRD2929',
    'أربعة أحرف لاتينية وأربعة أرقام مثل \u2068RRRD2929\u2069',
  ],
  placeCode: [
    'capital letters, digits, - and _, from 2 to 64 characters',
    'أحرف لاتينية كبيرة وأرقام وشرطات، من حرفين إلى 64 حرفًا',
  ],
  programName: [
    'small letters, digits and -, at most 32 characters',
    'أحرف لاتينية صغيرة وأرقام وشرطات، 32 حرفًا على الأكثر',
  ],
  metadataKey: [
    `letters, digits, _, . and -, at most ${METADATA_KEY_LENGTH_MAX} characters`,
    `أحرف لاتينية وأرقام ونقاط وشرطات، ${METADATA_KEY_LENGTH_MAX} حرفًا على الأكثر`,
  ],
  headerText: ['visible characters of ASCII and spaces', 'أحرف ASCII مرئية ومسافات'],
  shipmentIds: [
    `ids of at most ${LABELS_MAX} shipments, with commas between them`,
    `معرّفات ${LABELS_MAX} شحنة على الأكثر، بينها فواصل`,
  ],
  status: ['a status such as 404 or 4xx', 'رمز حالة مثل \u2068404\u2069 أو \u20684xx\u2069'],
  base64: ['Base64', 'نص Base64'],
  publicName: [
    'a name in one line, without web addresses or invisible marks',
    'اسم في سطر واحد، دون عناوين مواقع أو علامات خفية',
  ],
  storable: ['text without NUL and without halves of characters', 'نص دون NUL ودون أنصاف أحرف'],
  addressUrl: [
    'an address such as https://shop.example.com/hooks',
    'عنوان مثل \u2068https://shop.example.com/hooks\u2069',
  ],
  addressEncoding: [
    'an address in which % begins two hexadecimal digits; % itself is %25',
    'عنوان تتبع فيه علامة % رقمان ست عشريان، وتُكتب % نفسها \u2068%25\u2069',
  ],
  addressFragment: ['an address without #, because what follows is never sent', 'عنوان دون #، لأن ما بعدها لا يُرسل'],
  addressMarks: ['an address without invisible marks of direction', 'عنوان دون علامات اتجاه خفية'],
  addressLength: [
    `an address of at most ${URL_LENGTH_MAX} characters when it is percent-encoded`,
    `عنوان لا يزيد طوله على ${URL_LENGTH_MAX} حرفًا بعد ترميزه بالنسبة المئوية`,
  ],
  plusInQuery: [
    'a + in a query arrives as a space: write +00:00 as %2B00:00, or Z',
    'علامة + في الاستعلام تصل فراغًا: اكتب \u2068+00:00\u2069 على هيئة \u2068%2B00:00\u2069 أو Z',
  ],
  addressScheme: ['an address that begins with https://', 'عنوان يبدأ بـ \u2068https://\u2069'],
  addressCredentials: ['an address without a user name or password', 'عنوان دون اسم مستخدم أو كلمة مرور'],
  addressNumbers: ['an address with a name instead of numbers', 'عنوان باسم نطاق بدل الأرقام'],
  addressName: ['an address with a name of the public internet', 'عنوان باسم من الإنترنت العامة'],
  addressOwn: ['an address of yours, not of this service', 'عنوان يخصك، لا عنوان هذه الخدمة'],
  addressPort: ['an address with port 443 or one from 1024 on', 'عنوان بالمنفذ 443 أو بمنفذ من 1024 فأعلى'],
  comingTariff: ['a version that begins in more than two minutes', 'إصدار يبدأ بعد أكثر من دقيقتين'],
  oneAlone: ['1 with `*`, which stands alone', '1 مع `*` التي لا يقف معها غيرها'],
  farFromCity: [FAR, FAR_AR],
  swapped: [`${FAR}. Did you swap latitude and longitude?`, `${FAR_AR}. هل بدّلت بين خط العرض وخط الطول؟`],
} as const satisfies Readonly<Record<string, readonly [en: string, ar: string]>>;
export type LimitText = keyof typeof LIMIT_TEXTS;
