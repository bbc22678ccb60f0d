import type { Locale } from '../../core/locale.ts';

/** The guides' sentences. Their commands are in guides.ts, because they are the same in every language. */
export const GUIDES = {
  en: {
    first: 'First shipment in five minutes',
    firstIntro:
      'You need the client id and secret of a sandbox credential and a shell with curl. Nothing here moves a real ' +
      'parcel or costs anything.',
    token: 'Get an access token. It is valid for one hour; put it into MIRSAL_TOKEN.',
    bootstrap: 'Create the fixtures of your sandbox. Repeat the second command until canCreateShipment is true.',
    estimate: 'Ask for a price. This stores nothing.',
    create:
      'Create the shipment. Keep the Idempotency-Key with your order: the same request with the same key returns the ' +
      'first answer with status 200 and never creates a second shipment.',
    follow: 'Read the shipment, with the shipmentId of the answer in SHIPMENT_ID, and watch its timeline grow.',
    next: 'Then subscribe a webhook endpoint, so that every change of state comes to you.',
    errors: 'Errors and retries',
    errorsIntro:
      'Every error is an application/problem+json body with a stable code. Decide by the code, show the title or the ' +
      'detail to people, and log the requestId. New codes may appear: treat one that you do not know by its status.',
    status: 'Status',
    action: 'What to do',
    rules: [
      ['400, 404, 405, 406, 413, 415', 'The request is wrong as it stands. Correct the program; do not retry.'],
      ['401', 'Get a new access token and repeat the request once.'],
      ['403', 'Check the scope and the identifier. The answer does not say which of them is wrong.'],
      ['409', 'The state of things is against it. Read the resource again and decide anew.'],
      ['412, 428', 'Read the resource again and send its current ETag in If-Match.'],
      ['422', 'Correct the fields in violations and send a new request.'],
      ['429, 503', 'Wait for the seconds in Retry-After, then retry with growing, random delays.'],
      ['500, timeout', 'The outcome is unknown. Repeat a creation with the same Idempotency-Key and body.'],
    ],
    codes: 'All codes',
    code: 'Code',
    title: 'Meaning',
    retry: 'Retry',
    retryAfter: 'after Retry-After',
    retrySafely: 'reads, or with Idempotency-Key',
    retryNever: 'no',
  },
  ar: {
    first: 'أول شحنة في خمس دقائق',
    firstIntro:
      'تحتاج إلى معرّف العميل وسره من بيانات اعتماد بيئة التجربة، وإلى سطر أوامر فيه curl. لا شيء هنا ينقل طردًا ' +
      'حقيقيًا أو يكلف شيئًا.',
    token: 'احصل على رمز وصول. مدته ساعة واحدة؛ ضعه في MIRSAL_TOKEN.',
    bootstrap: 'أنشئ بيانات بيئة التجربة. كرر الأمر الثاني حتى تصبح canCreateShipment بقيمة true.',
    estimate: 'اطلب تقدير السعر. لا يُحفظ بهذا شيء.',
    create:
      'أنشئ الشحنة. احفظ Idempotency-Key مع طلبك: الطلب نفسه بالمفتاح نفسه يعيد الرد الأول بالحالة 200 ولا ينشئ شحنة ' +
      'ثانية أبدًا.',
    follow: 'اقرأ الشحنة بعد وضع shipmentId من الرد في SHIPMENT_ID، وتابع تسلسلها الزمني.',
    next: 'بعد ذلك اشترك بنقطة webhook ليصلك كل تغير في الحالة.',
    errors: 'الأخطاء وإعادة المحاولة',
    errorsIntro:
      'كل خطأ متن من نوع application/problem+json يحمل رمزًا ثابتًا. ابن قرارك على الرمز، واعرض العنوان أو التفصيل ' +
      'للناس، وسجّل requestId. قد تظهر رموز جديدة: عامل الرمز الذي لا تعرفه بحسب حالة HTTP.',
    status: 'حالة HTTP',
    action: 'ما العمل',
    rules: [
      ['400, 404, 405, 406, 413, 415', 'الطلب خاطئ في ذاته. صحح البرنامج ولا تُعد المحاولة.'],
      ['401', 'احصل على رمز وصول جديد وأعد الطلب مرة واحدة.'],
      ['403', 'تأكد من النطاق ومن المعرّف. لا يبين الرد أيهما الخطأ.'],
      ['409', 'الوضع الحالي لا يسمح بذلك. اقرأ المورد من جديد ثم قرر.'],
      ['412, 428', 'اقرأ المورد من جديد وأرسل قيمة ETag الحالية في If-Match.'],
      ['422', 'صحح الحقول المذكورة في violations وأرسل طلبًا جديدًا.'],
      ['429, 503', 'انتظر عدد الثواني في Retry-After، ثم أعد المحاولة بفواصل متزايدة وعشوائية.'],
      ['500, timeout', 'النتيجة غير معروفة. أعد الإنشاء بمفتاح Idempotency-Key والمتن نفسيهما.'],
    ],
    codes: 'جميع الرموز',
    code: 'الرمز',
    title: 'المعنى',
    retry: 'إعادة المحاولة',
    retryAfter: 'بعد Retry-After',
    retrySafely: 'القراءة، أو مع Idempotency-Key',
    retryNever: 'لا',
  },
} as const satisfies Record<Locale, Record<string, string | readonly (readonly [string, string])[]>>;
