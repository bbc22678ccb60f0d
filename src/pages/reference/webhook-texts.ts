import type { EventType } from '../../contract/event-type.ts';
import type { Locale } from '../../core/locale.ts';

/** The guide to webhooks, but for its programs. */
export const WEBHOOK_GUIDE = {
  en: {
    title: 'Receiving webhooks',
    intro:
      'Every change of a shipment becomes an event, and goes as an HTTPS request to each endpoint that wants its kind. ' +
      'Requests are signed by Standard Webhooks 1.0.0, so its libraries verify them as well.',
    subscribe:
      'Name your address and the kinds that you want. The answer shows signingSecret this once: keep it like a password.',
    verifyTitle: 'Verify every request',
    verify: [
      'Read the body as bytes, before any parser: what was parsed and printed again has another signature.',
      'Sign webhook-id.webhook-timestamp.body by HMAC-SHA256. The key is the secret after whsec_, decoded from base64.',
      'webhook-signature has one or more signatures with spaces between, each “v1,” and then base64. During a rotation both ' +
        'secrets sign: one that matches is enough.',
      'Compare in constant time, and refuse a webhook-timestamp more than 5 minutes away from your clock.',
    ],
    client: 'In TypeScript, verifyWebhook of the client does all of this and gives the event with exact decimals.',
    answerTitle: 'Answer first, then work',
    answer: [
      'Answer 2xx within 15 seconds, before the work that the event causes. Redirects are not followed and count as failures.',
      'An event may come more than once. Keep the webhook-id of those that were dealt with and skip them.',
      'Events of one shipment come in order, by sequence; after three failed attempts the next one no longer waits.',
      'Failed deliveries are repeated after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h; sandbox and local wait a ' +
        'sixtieth of that. Retry-After with 429 or 503 is honoured, and 410 disables the endpoint.',
      'After that, look at the deliveries and replay one or a range. Who would rather ask reads the events by after.',
    ],
    kinds: 'Kinds of events',
    kind: 'Kind',
    meaning: 'Meaning',
  },
  ar: {
    title: 'استقبال webhook',
    intro:
      'كل تغير في شحنة يصبح حدثًا، ويُرسل بطلب HTTPS إلى كل نقطة تريد نوعه. الطلبات موقعة وفق Standard Webhooks 1.0.0، ' +
      'فتتحقق منها مكتباته أيضًا.',
    subscribe: 'اذكر عنوانك والأنواع التي تريدها. يعرض الرد signingSecret هذه المرة فقط: احفظه كما تحفظ كلمة مرور.',
    verifyTitle: 'تحقق من كل طلب',
    verify: [
      'اقرأ المتن بايتات قبل أي محلل: ما حُلل ثم طُبع من جديد له توقيع آخر.',
      'وقّع webhook-id.webhook-timestamp.body بخوارزمية HMAC-SHA256. المفتاح هو السر بعد whsec_ مفكوكًا من base64.',
      'تحمل webhook-signature توقيعًا أو أكثر تفصل بينها مسافات، كل منها «v1,» ثم base64. أثناء التدوير يوقع السران معًا: ' +
        'يكفي توقيع واحد مطابق.',
      'قارن في زمن ثابت، وارفض webhook-timestamp الذي يبعد عن ساعتك أكثر من 5 دقائق.',
    ],
    client: 'في TypeScript تفعل verifyWebhook من العميل كل ذلك وتعطي الحدث بأعداد عشرية دقيقة.',
    answerTitle: 'أجب أولًا ثم اعمل',
    answer: [
      'أجب بالحالة 2xx خلال 15 ثانية قبل العمل الذي يستدعيه الحدث. لا تُتبع إعادة التوجيه وتُعد فشلًا.',
      'قد يصل الحدث أكثر من مرة. احفظ webhook-id لما عولج وتجاوزه.',
      'تصل أحداث الشحنة الواحدة بترتيبها حسب sequence؛ وبعد ثلاث محاولات فاشلة لا ينتظر الحدث التالي.',
      'تُعاد عمليات التسليم الفاشلة بعد 5 ثوان ثم 5 دقائق ثم 30 دقيقة ثم 2 و 5 و 10 و 14 و 20 و 24 ساعة؛ وفي بيئة التجربة ' +
        'والبيئة المحلية جزء من ستين من ذلك. تُراعى Retry-After مع 429 أو 503، والحالة 410 تعطل النقطة.',
      'بعد ذلك راجع عمليات التسليم وأعد إرسال واحدة أو مدة كاملة. ومن يفضل السؤال يقرأ الأحداث باستخدام after.',
    ],
    kinds: 'أنواع الأحداث',
    kind: 'النوع',
    meaning: 'المعنى',
  },
} as const satisfies Record<Locale, object>;

/** What each kind of event says. */
export const EVENT_TEXTS: Readonly<Record<EventType, Readonly<Record<Locale, string>>>> = {
  'shipment.created': { en: 'Created, awaiting approval', ar: 'أُنشئت وتنتظر الموافقة' },
  'shipment.approved': { en: 'Approved, waiting to be offered', ar: 'تمت الموافقة وتنتظر العرض' },
  'shipment.offered': { en: 'Offered to a driver', ar: 'عُرضت على سائق' },
  'shipment.accepted': { en: 'A driver accepted it', ar: 'قبلها سائق' },
  'shipment.driver_released': { en: 'The driver gave it back before pick-up', ar: 'تخلى عنها السائق قبل الاستلام' },
  'shipment.offer_declined': { en: 'The driver declined the offer', ar: 'رفض السائق العرض' },
  'shipment.offer_expired': { en: 'The driver did not answer in time', ar: 'لم يجب السائق في الوقت المحدد' },
  'shipment.dispatch_unresolved': { en: 'No driver could be assigned', ar: 'تعذر إسنادها إلى سائق' },
  'shipment.dispatch_retried': { en: 'A driver is looked for once more', ar: 'يُبحث عن سائق مرة أخرى' },
  'shipment.picked_up': { en: 'Collected from the pickup location', ar: 'استُلمت من موقع الاستلام' },
  'shipment.out_for_delivery': { en: 'On the way to the recipient', ar: 'في الطريق إلى المستلم' },
  'shipment.delivered': { en: 'Delivered', ar: 'سُلّمت' },
  'shipment.delivery_failed': { en: 'Not delivered; reasonCode says why', ar: 'تعذر التسليم؛ يبين reasonCode السبب' },
  'shipment.cancelled': { en: 'Cancelled before pick-up', ar: 'أُلغيت قبل الاستلام' },
  'tracking_link.created': { en: 'A tracking link was made', ar: 'أُنشئ رابط تتبع' },
  'tracking_link.revoked': { en: 'A tracking link was revoked', ar: 'أُلغي رابط تتبع' },
  'webhook.test': { en: 'A made-up event, sent because you asked', ar: 'حدث تجريبي أُرسل بطلبك' },
  'webhook_endpoint.disabled': { en: 'An endpoint was disabled after failures', ar: 'عُطلت نقطة بعد إخفاقات' },
};
