import { BATCH_ITEMS_MAX, BATCH_MEBIBYTES_MAX, BATCHES_RUNNING_MAX, RATE_LIMITS } from '../../core/limits.ts';
import type { Locale } from '../../core/locale.ts';
import { inWords, LIMITS } from '../limits.ts';
import type { Block, Guide } from './guide.ts';

/** How often, how much and how long: every number comes from the constant that the service enforces. */
export const LIMITS_GUIDE: Guide = {
  slug: 'limits',
  blocks: {
    en: () => blocksOf('en'),
    ar: () => blocksOf('ar'),
  },
};

const WORDS = {
  en: {
    rates: 'How often you may call',
    ratesIntro:
      'Each OAuth client has its own budgets. The sandbox and production do not share them. A deployment can have other ' +
      'numbers; the header `RateLimit-Policy` tells them.',
    budget: 'Budget',
    counts: 'What counts',
    uses: 'Uses',
    window: 'In',
    headers:
      'Every answer to a request that counts against the budget of a client has `RateLimit-Policy`: the budget, its uses ' +
      '(`q`) and its window in seconds (`w`). Where the platform reports counts, `RateLimit` has the remaining uses (`r`) and ' +
      'the seconds until the budget is full again (`t`).',
    above:
      'Above a limit the answer is 429 [RATE_LIMITED](/problems/rate-limited) with `Retry-After`. Nothing was done. ' +
      'Wait that many seconds, then retry with a random delay. To rehearse this, start a local service with small ' +
      'numbers in the variable `RATE_LIMITS`.',
    sizes: 'How large a request may be',
    what: 'What',
    limit: 'Limit',
    beyond: 'Above the limit',
    lifetimes: 'How long things are kept or valid',
    lasts: 'Time',
    numbers: 'Numbers',
    digits:
      'Amounts, weights and coordinates have at most 19 significant digits. Money has no more fraction digits than its currency.',
  },
  ar: {
    rates: 'كم مرة يمكنك الاستدعاء',
    ratesIntro:
      'لكل عميل OAuth حصصه الخاصة. لا تتشارك البيئة التجريبية وبيئة الإنتاج هذه الحصص. قد تختلف الأرقام في بيئة أخرى، وتذكرها الترويسة ' +
      '`RateLimit-Policy`.',
    budget: 'الحصة',
    counts: 'ما يُحسب',
    uses: 'المرات',
    window: 'خلال',
    headers:
      'يحمل كل رد على طلب يُحسب من حصة عميل الترويسة `RateLimit-Policy`: الحصة وعدد مراتها (`q`) ومدتها بالثواني (`w`). وحيث تُعلن ' +
      'المنصة العدد تذكر `RateLimit` المرات الباقية (`r`) والثواني حتى تكتمل الحصة من جديد (`t`).',
    above:
      'فوق الحد يكون الرد 429 [RATE_LIMITED](/problems/rate-limited) مع `Retry-After`. لم يُنفذ شيء. انتظر هذا العدد من الثواني ثم أعد ' +
      'المحاولة بتأخير عشوائي. لتجربة ذلك شغّل خدمة محلية بأرقام صغيرة في المتغير `RATE_LIMITS`.',
    sizes: 'أكبر حجم للطلب',
    what: 'الشيء',
    limit: 'الحد',
    beyond: 'فوق الحد',
    lifetimes: 'مدد الحفظ والصلاحية',
    lasts: 'المدة',
    numbers: 'الأعداد',
    digits: 'للمبالغ والأوزان والإحداثيات 19 رقمًا معنويًا على الأكثر. ولا تزيد كسور المبلغ على كسور عملته.',
  },
} as const satisfies Record<Locale, Record<string, string>>;

function blocksOf(locale: Locale): readonly Block[] {
  const words = WORDS[locale];
  return [
    { heading: words.rates, id: 'rates' },
    words.ratesIntro,
    {
      label: words.rates,
      head: [words.budget, words.counts, words.uses, words.window],
      rows: RATES.map(({ budget, seconds, ...text }) => [
        `\`${budget}\``,
        text[locale],
        String(RATE_LIMITS[budget]),
        inWords(seconds, locale),
      ]),
    },
    words.headers,
    { code: 'RateLimit-Policy: "writes";q=600;w=60\nRateLimit: "writes";r=598;t=41', label: 'RateLimit' },
    words.above,
    { heading: words.sizes, id: 'sizes' },
    {
      label: words.sizes,
      head: [words.what, words.limit, words.beyond],
      rows: SIZES.map(({ amount, beyond, ...text }) => [text[locale], amount, beyond]),
    },
    { heading: words.numbers, id: 'numbers' },
    words.digits,
    { heading: words.lifetimes, id: 'lifetimes' },
    {
      label: words.lifetimes,
      head: [words.what, words.lasts],
      rows: LIFETIMES.map(({ seconds, ...text }) => [text[locale], inWords(seconds, locale)]),
    },
  ];
}

type Row<Facts> = Readonly<Record<Locale, string>> & Facts;

const RATES: readonly Row<{ readonly budget: keyof typeof RATE_LIMITS; readonly seconds: number }>[] = [
  { budget: 'reads', seconds: 60, en: 'GET requests of a client', ar: 'طلبات GET لعميل واحد' },
  {
    budget: 'writes',
    seconds: 60,
    en: 'all other requests of a client, and each item of a batch',
    ar: 'جميع الطلبات الأخرى لعميل واحد، وكل عنصر في دفعة',
  },
  {
    budget: 'estimates',
    seconds: 60,
    en: 'price estimates and shipment validations of a client',
    ar: 'تقديرات الأسعار والتحقق من الشحنات لعميل واحد',
  },
  { budget: 'tokens', seconds: 60, en: 'access tokens of a client', ar: 'رموز الوصول لعميل واحد' },
  {
    budget: 'tracking',
    seconds: 60,
    en: 'public tracking, for one network address',
    ar: 'التتبع العام لعنوان شبكة واحد',
  },
  {
    budget: 'failures',
    seconds: 60,
    en: 'unknown tokens and secrets, for one network address',
    ar: 'الرموز والأسرار غير المعروفة لعنوان شبكة واحد',
  },
  {
    budget: 'codes',
    seconds: LIMITS.codeWindowSeconds,
    en: 'one-time codes for one person',
    ar: 'رموز التحقق لشخص واحد',
  },
  {
    budget: 'codesOfAddress',
    seconds: LIMITS.codeWindowSeconds,
    en: 'one-time codes for one network address',
    ar: 'رموز التحقق لعنوان شبكة واحد',
  },
  {
    budget: 'registrations',
    seconds: LIMITS.hourSeconds,
    en: 'registrations from one network address',
    ar: 'عمليات التسجيل من عنوان شبكة واحد',
  },
  {
    budget: 'secrets',
    seconds: LIMITS.hourSeconds,
    en: 'new secrets of a company’s credential',
    ar: 'الأسرار الجديدة لبيانات اعتماد الشركة',
  },
];

const REFUSALS = {
  validation: '422 [VALIDATION_FAILED](/problems/validation-failed)',
  size: '413 [PAYLOAD_TOO_LARGE](/problems/payload-too-large)',
  slow: '408 [REQUEST_TIMEOUT](/problems/request-timeout)',
} as const;

const SIZES: readonly Row<{ readonly amount: string; readonly beyond: string }>[] = [
  {
    en: 'a JSON body, except of a batch',
    ar: 'متن JSON، عدا الدفعات',
    amount: `${LIMITS.bodyKibibytes} KiB`,
    beyond: REFUSALS.size,
  },
  {
    en: 'a JSON body without authentication',
    ar: 'متن JSON دون مصادقة',
    amount: `${LIMITS.openBodyKibibytes} KiB`,
    beyond: REFUSALS.size,
  },
  {
    en: 'a picture or a document of a registration',
    ar: 'صورة أو مستند تسجيل',
    amount: `${LIMITS.documentMebibytes} MiB`,
    beyond: '413 [DOCUMENT_TOO_LARGE](/problems/document-too-large)',
  },
  {
    en: `the least of any body in each ${inWords(LIMITS.bodyPartSeconds, 'en')}, until it ends`,
    ar: `أقل ما يصل من أي متن كل ${inWords(LIMITS.bodyPartSeconds, 'ar')} حتى نهايته`,
    amount: `${LIMITS.bodyPartKilobytes} kB`,
    beyond: REFUSALS.slow,
  },
  {
    en: 'seconds until any body has arrived',
    ar: 'الثواني حتى وصول أي متن كاملًا',
    amount: String(LIMITS.bodySeconds),
    beyond: REFUSALS.slow,
  },
  { en: 'items of a shipment', ar: 'أصناف الشحنة', amount: String(LIMITS.items), beyond: REFUSALS.validation },
  {
    en: 'requirements of a shipment',
    ar: 'متطلبات الشحنة',
    amount: String(LIMITS.requirements),
    beyond: REFUSALS.validation,
  },
  {
    en: 'pictures of one externalReference',
    ar: 'صور externalReference واحد',
    amount: String(LIMITS.pictures),
    beyond: REFUSALS.validation,
  },
  { en: 'the body of a batch', ar: 'متن دفعة', amount: `${BATCH_MEBIBYTES_MAX} MiB`, beyond: REFUSALS.size },
  { en: 'items of a batch', ar: 'عناصر الدفعة', amount: String(BATCH_ITEMS_MAX), beyond: REFUSALS.validation },
  {
    en: 'running batches of a company',
    ar: 'الدفعات الجارية لشركة',
    amount: String(BATCHES_RUNNING_MAX),
    beyond: '409 [BATCH_TOO_MANY_RUNNING](/problems/batch-too-many-running)',
  },
  {
    en: 'entries on a page of a list',
    ar: 'عناصر صفحة من قائمة',
    amount: String(LIMITS.pageMax),
    beyond: '400 [LIMIT_OUT_OF_RANGE](/problems/limit-out-of-range)',
  },
  {
    en: 'characters of an Idempotency-Key',
    ar: 'أحرف Idempotency-Key',
    amount: `${LIMITS.keyLengthMin}–${LIMITS.keyLengthMax}`,
    beyond: '400 [INVALID_IDEMPOTENCY_KEY](/problems/invalid-idempotency-key)',
  },
  {
    en: 'active tracking links of a shipment',
    ar: 'روابط التتبع الفعّالة لشحنة',
    amount: String(LIMITS.trackingLinks),
    beyond: '409 [TRACKING_LINK_LIMIT_REACHED](/problems/tracking-link-limit-reached)',
  },
  {
    en: 'webhook endpoints of a company',
    ar: 'نقاط استقبال الإشعارات البرمجية لشركة',
    amount: String(LIMITS.endpoints),
    beyond: '409 [WEBHOOK_ENDPOINT_LIMIT_REACHED](/problems/webhook-endpoint-limit-reached)',
  },
  {
    en: 'deliveries in one replay of a time range',
    ar: 'عمليات التسليم في إعادة إرسال مدة واحدة',
    amount: String(LIMITS.replayEvents),
    beyond: REFUSALS.validation,
  },
];

const LIFETIMES: readonly Row<{ readonly seconds: number }>[] = [
  { seconds: LIMITS.accessTokenSeconds, en: 'access token', ar: 'رمز الوصول' },
  { seconds: LIMITS.keySeconds, en: 'Idempotency-Key of a creation of a shipment', ar: 'Idempotency-Key لإنشاء شحنة' },
  {
    seconds: LIMITS.optionalKeySeconds,
    en: 'Idempotency-Key of other operations',
    ar: 'Idempotency-Key للعمليات الأخرى',
  },
  { seconds: LIMITS.eventSeconds, en: 'events and webhook deliveries', ar: 'الأحداث وعمليات تسليم الإشعارات البرمجية' },
  {
    seconds: LIMITS.successLoggedSeconds,
    en: 'successful request in the request log',
    ar: 'الطلب الناجح في سجل الطلبات',
  },
  { seconds: LIMITS.failureLoggedSeconds, en: 'failed request in the request log', ar: 'الطلب الفاشل في سجل الطلبات' },
  { seconds: LIMITS.replaySeconds, en: 'longest time range of a replay', ar: 'أطول مدة لإعادة الإرسال' },
  {
    seconds: LIMITS.linkSeconds,
    en: 'longest validity of a tracking link, and the default',
    ar: 'أطول صلاحية لرابط التتبع، وهي الافتراضية',
  },
  { seconds: LIMITS.pictureSeconds, en: 'picture that waits for its shipment', ar: 'صورة تنتظر شحنتها' },
  {
    seconds: LIMITS.overlapSeconds,
    en: 'longest overlap of two secrets in a rotation',
    ar: 'أطول مدة يسري فيها سران أثناء التدوير',
  },
  { seconds: LIMITS.searchSeconds, en: 'one search for a driver', ar: 'البحث الواحد عن سائق' },
  { seconds: LIMITS.draftSeconds, en: 'registration that is not complete', ar: 'تسجيل غير مكتمل' },
  { seconds: LIMITS.capabilitySeconds, en: 'uploadCapability of a registration', ar: 'uploadCapability لتسجيل' },
  { seconds: LIMITS.codeSeconds, en: 'one-time code', ar: 'رمز التحقق' },
  { seconds: LIMITS.sessionIdleSeconds, en: 'session of a person without use', ar: 'جلسة شخص دون استخدام' },
  { seconds: LIMITS.sessionSeconds, en: 'session of a person in any case', ar: 'جلسة شخص في كل الأحوال' },
];
