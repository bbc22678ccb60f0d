import type { EventType } from '../../contract/event-type.ts';
import type { Locale } from '../../core/locale.ts';
import { inWords, LIMITS, webhookDelaysInWords } from '../limits.ts';

/** The sentences of the webhook guide. Its programs are in `webhook-samples.ts`. */
export const WEBHOOK_GUIDE = {
  en: {
    title: 'Receiving webhooks',
    intro:
      'Every change of a shipment creates an event. The service sends it as an HTTPS request to each endpoint that ' +
      'subscribes to its type. Requests are signed according to Standard Webhooks 1.0.0, so you can verify them with ' +
      'its libraries.',
    subscribe:
      'Create an endpoint with your address and the event types that you want. The response contains signingSecret ' +
      'only this once. Store it like a password.',
    verifyTitle: 'Verify every request',
    verify: [
      'Read the body as bytes, before any parser. A body that is parsed and printed again has a different signature.',
      'Do not start without a secret, because anybody can sign with an empty key. A secret starts with whsec_ and has at ' +
        'least 24 bytes. During a rotation check both; if there is no second one leave it out, because an empty text is an error.',
      'Compute HMAC-SHA256 over webhook-id.webhook-timestamp.body. The key is the part of the secret after whsec_, decoded from base64.',
      'webhook-signature contains one or more signatures, separated by spaces. Each is “v1,” followed by base64. During ' +
        'a rotation both secrets sign, so one matching signature is enough.',
      'Find webhook-id, webhook-timestamp and webhook-signature in any case. Refuse a request that has one of them twice.',
      `Compare in constant time. Refuse a webhook-timestamp that is more than ${inWords(LIMITS.signatureToleranceSeconds, 'en')} away from your clock.`,
    ],
    client:
      'In TypeScript, verifyWebhook of the client does all of this and returns the event with exact decimals. To try your ' +
      'receiver, send a test event with checks: true. Its answer says whether the receiver accepted a wrong signature, an ' +
      'old timestamp and a signature with an empty key, which it must refuse, and the same event again, which it must accept.',
    answerTitle: 'Answer first, then do the work',
    answer: [
      `Answer 2xx within ${inWords(LIMITS.webhookAnswerSeconds, 'en')}, before you start the work that the event causes. ` +
        'Redirects are not followed and count as failures.',
      'An event may arrive more than once. Store the webhook-id of each event that you have processed, and skip repeats.',
      'The events of one shipment arrive in the order of sequence. After three failed attempts, the next event no ' +
        'longer waits for the failed one.',
      `Failed deliveries are retried after ${webhookDelaysInWords('en')}. The sandbox and local deployments divide these ` +
        `delays by ${LIMITS.webhookTrialDivisor}. After 410 the endpoint is disabled and the rest is skipped.`,
      'Answer 429, 502, 503 or 504 if you are too busy. Then nothing is sent to the endpoint for as long as Retry-After ' +
        `says, at most ${inWords(LIMITS.webhookRetryAfterSeconds, 'en')}. Without it the pause is ` +
        `${inWords(LIMITS.webhookPauseSeconds, 'en')}, and each is twice as long as the one before, up to ` +
        `${inWords(LIMITS.webhookPauseSecondsMax, 'en')}. After it one event comes, then a few more at once with each answer. ` +
        'Such an answer is no attempt, and pausedUntil of the endpoint shows the pause.',
      'After you delete or disable an endpoint, change its address, or rotate its secret with overlapSeconds 0, no request ' +
        'begins as before. The answer waits up to a second for requests that have begun, then inFlight (for a deletion the ' +
        'header Mirsal-In-Flight) says how many may still arrive.',
      'After the last attempt, find the delivery in the delivery log and replay it, or replay a time range. To poll ' +
        'instead of receiving webhooks, list the events with after.',
    ],
    kinds: 'Event types',
    kind: 'Type',
    meaning: 'Meaning',
  },
  ar: {
    title: 'استقبال الإشعارات البرمجية (webhook)',
    intro:
      'ينشئ كل تغير في شحنة حدثًا. ترسله الخدمة بطلب HTTPS إلى كل نقطة استقبال مشتركة في نوعه. الطلبات موقعة وفق Standard ' +
      'Webhooks 1.0.0، فيمكنك التحقق منها بمكتباته.',
    subscribe:
      'أنشئ نقطة بعنوانك وبأنواع الأحداث التي تريدها. يحتوي الرد على signingSecret هذه المرة فقط. احفظه كما تحفظ كلمة مرور.',
    verifyTitle: 'تحقق من كل طلب',
    verify: [
      'اقرأ بايتات المتن كما وصلت قبل تحليله. إذا حُلّل المتن ثم كُتب من جديد تغيّر توقيعه.',
      'لا تبدأ من دون سر، لأن أي أحد يستطيع التوقيع بمفتاح فارغ. يبدأ السر بـ whsec_ وطوله 24 بايت على الأقل. أثناء التدوير ' +
        'تحقق بالسرّين معًا؛ وإن لم يوجد سر ثانٍ فاتركه، لأن النص الفارغ خطأ.',
      'احسب HMAC-SHA256 على webhook-id.webhook-timestamp.body. المفتاح هو جزء السر الذي يلي whsec_ بعد فك ترميز base64.',
      'تحتوي webhook-signature على توقيع أو أكثر تفصل بينها مسافات. كل توقيع هو «v1,» ثم base64. أثناء التدوير يُوقَّع الطلب ' +
        'بالسرّين معًا، فيكفي توقيع واحد مطابق.',
      'ابحث عن webhook-id و webhook-timestamp و webhook-signature بأي حالة للأحرف. ارفض الطلب الذي تتكرر فيه إحداها.',
      `قارن في زمن ثابت. ارفض webhook-timestamp الذي يبعد عن ساعتك أكثر من ${inWords(LIMITS.signatureToleranceSeconds, 'ar')}.`,
    ],
    client:
      'في TypeScript تنفّذ الدالة verifyWebhook في العميل كل ذلك وتعيد الحدث بأعداد عشرية دقيقة. لتجربة نظامك المستقبِل أرسل ' +
      'حدثًا تجريبيًا مع checks: true. يبيّن الرد هل قَبِل توقيعًا خاطئًا وطابعًا زمنيًا قديمًا وتوقيعًا بمفتاح فارغ، وعليه أن ' +
      'يرفضها، وهل قَبِل الحدث نفسه مرة أخرى، وعليه أن يقبله.',
    answerTitle: 'أجب أولًا ثم نفّذ العمل',
    answer: [
      `أجب بالحالة 2xx خلال ${inWords(LIMITS.webhookAnswerSeconds, 'ar')}، قبل أن تبدأ العمل الذي يسببه الحدث. لا تُتبع إعادة ` +
        'التوجيه وتُعد فشلًا.',
      'قد يصل الحدث أكثر من مرة. احفظ webhook-id لكل حدث عالجته، وتجاوز المكرر.',
      'تصل أحداث الشحنة الواحدة بترتيب sequence. بعد ثلاث محاولات فاشلة لا ينتظر الحدث التالي ذلك الحدث.',
      `المدد بين محاولات العملية الفاشلة هي: ${webhookDelaysInWords('ar')}. تقسم البيئة التجريبية والبيئة المحلية هذه المدد على ` +
        `${LIMITS.webhookTrialDivisor}. بعد 410 توقَف النقطة ويُتخطى الباقي.`,
      'أجب بالحالة 429 أو 502 أو 503 أو 504 إذا كان نظامك مشغولًا. عندها لا يُرسل شيء إلى النقطة طوال ما تحدده Retry-After، ' +
        `بحد أقصى ${inWords(LIMITS.webhookRetryAfterSeconds, 'ar')}. ومن دونها تكون المدة ` +
        `${inWords(LIMITS.webhookPauseSeconds, 'ar')}، ثم تتضاعف كل مرة حتى ${inWords(LIMITS.webhookPauseSecondsMax, 'ar')}. ` +
        'بعدها يصل حدث واحد، ثم عدد يزيد مع كل رد. لا يُعد هذا الرد محاولة، ويُظهر pausedUntil في النقطة نهاية التوقف.',
      'بعد حذف نقطة أو إيقافها أو تغيير عنوانها أو تدوير سرها مع overlapSeconds 0 لا يبدأ أي طلب كما كان. ينتظر الرد ثانية ' +
        'على الأكثر انتهاء الطلبات التي بدأت، ثم يبيّن inFlight (وعند الحذف الترويسة Mirsal-In-Flight) كم طلبًا قد يصل بعد.',
      'بعد المحاولة الأخيرة ابحث عن العملية في سجل التسليم وأعد إرسالها، أو أعد إرسال مدة كاملة. لقراءة الأحداث بدلًا من ' +
        'استقبالها اطلب قائمة الأحداث مع after.',
    ],
    kinds: 'أنواع الأحداث',
    kind: 'النوع',
    meaning: 'المعنى',
  },
} as const satisfies Record<Locale, object>;

/** The meaning of each event type. */
export const EVENT_TEXTS: Readonly<Record<EventType, Readonly<Record<Locale, string>>>> = {
  'shipment.created': { en: 'Created, awaiting approval', ar: 'أُنشئت وتنتظر الموافقة' },
  'shipment.approved': { en: 'Approved, waiting to be offered', ar: 'تمت الموافقة وتنتظر العرض' },
  'shipment.offered': { en: 'Offered to a driver', ar: 'عُرضت على سائق' },
  'shipment.accepted': { en: 'A driver accepted it', ar: 'قبلها سائق' },
  'shipment.driver_released': { en: 'The driver returned it before pick-up', ar: 'أعادها السائق قبل الاستلام' },
  'shipment.driver_changed': {
    en: 'The carrier gave the parcel to another driver',
    ar: 'سلّم الناقل الشحنة إلى سائق آخر',
  },
  'shipment.offer_declined': { en: 'The driver declined the offer', ar: 'رفض السائق العرض' },
  'shipment.offer_expired': { en: 'The driver did not answer in time', ar: 'لم يجب السائق في الوقت المحدد' },
  'shipment.dispatch_unresolved': { en: 'No driver could be assigned', ar: 'تعذر إسنادها إلى سائق' },
  'shipment.dispatch_retried': { en: 'The search for a driver started again', ar: 'بدأ البحث عن سائق من جديد' },
  'shipment.picked_up': { en: 'Collected from the pickup location', ar: 'استُلمت من موقع الاستلام' },
  'shipment.out_for_delivery': { en: 'On the way to the recipient', ar: 'في الطريق إلى المستلم' },
  'shipment.delivered': { en: 'Delivered', ar: 'تم توصيلها' },
  'shipment.delivery_failed': { en: 'Not delivered; data.reason says why', ar: 'تعذّر التوصيل؛ يبين data.reason السبب' },
  'shipment.cancelled': { en: 'Cancelled before pick-up', ar: 'أُلغيت قبل الاستلام' },
  'shipment.rated': { en: 'The recipient rated the delivery', ar: 'قيّم المستلم التوصيل' },
  'tracking_link.created': { en: 'A tracking link was created', ar: 'أُنشئ رابط تتبع' },
  'tracking_link.revoked': { en: 'A tracking link was revoked', ar: 'أُبطل رابط تتبع' },
  'webhook.test': { en: 'A sample event, sent on your request', ar: 'حدث نموذجي أُرسل بطلب منك' },
  'shipment_batch.completed': { en: 'A batch of shipments has ended', ar: 'انتهت دفعة شحنات' },
  'webhook_endpoint.disabled': { en: 'An endpoint was disabled after failures', ar: 'أُوقفت نقطة بعد تكرار الفشل' },
};
