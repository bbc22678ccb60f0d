import type { Locale } from '../../core/locale.ts';
import { inWords, LIMITS } from '../limits.ts';

/** The sentences of the guides. Their commands are the samples of the operations, the same in every language. */
export const GUIDES = {
  en: {
    first: 'First shipment in five minutes',
    firstIntro:
      'This guide takes you from a credential to a delivered parcel, with curl or TypeScript. Nothing here moves a real ' +
      'parcel or costs money.',
    own: 'On your own machine',
    ownIntro:
      'You need Node 20 and npm. The first command starts the service with sample companies. Run the other commands in ' +
      'a second shell, in the same folder. They read the id and the secret of a sample company.',
    sandbox: 'In the sandbox',
    sandboxIntro:
      'Sign up in the console, or with the operations of Registration. Then create the API credential. Its secret is ' +
      'shown only once. Put the id and the secret into MIRSAL_CLIENT_ID and MIRSAL_CLIENT_SECRET.',
    console: 'Open the console',
    registration: 'Operations of Registration',
    setUp:
      'In TypeScript, install the package mirsal-client and set up the client once. It gets access tokens and renews them.',
    programs: 'All these steps in one file, in Python, PHP, Go, C# and TypeScript',
    steps: {
      'oauth.token': `Get an access token and put it into MIRSAL_TOKEN. It is valid for ${inWords(LIMITS.accessTokenSeconds, 'en')}.`,
      'sandbox.bootstrap': 'Create the fixtures of your sandbox: a branch, a pickup location and a driver.',
      'sandbox.readiness': 'Check that the fixtures are ready. Repeat this until canCreateShipment is true.',
      'priceEstimates.create': 'Ask for a price. This stores nothing.',
      'shipments.create':
        'Create the shipment and put its shipmentId into SHIPMENT_ID. If you repeat the request with the same ' +
        'Idempotency-Key, the service answers 200 with the first response. It never creates a second shipment.',
      'sandbox.startScenario': 'Let the sandbox’s driver deliver the shipment. The scenario takes one step per second.',
      'shipments.timeline': 'Read the timeline until it contains shipment.delivered.',
    },
    next: 'Next: receive webhooks, so that the service notifies you.',
    errors: 'Errors and retries',
    errorsIntro:
      'Every error is an application/problem+json body with a stable code. Let your program decide by the code, show ' +
      'the title or the detail to people, and log the requestId. New codes may appear. Treat a code that you do not ' +
      'know by its HTTP status.',
    status: 'Status',
    action: 'What to do',
    rules: [
      ['400, 404, 405, 406, 413, 415', 'The request is not valid. Correct your program; do not retry.'],
      ['401', 'Get a new access token and repeat the request once.'],
      ['403', 'Check the scope and the identifier. The response does not say which of them is wrong.'],
      [
        '408',
        'The body arrived too slowly, and nothing was done. Send the same request again, with the same Idempotency-Key.',
      ],
      ['409', 'The current state does not allow the request. Read the resource again, then decide.'],
      ['412, 428', 'Read the resource again and send its current ETag in If-Match.'],
      ['422', 'Correct the fields in violations and send a new request.'],
      ['429, 503', 'Wait for the seconds in Retry-After, then retry with growing, random delays.'],
      ['500, timeout', 'The outcome is unknown. To retry a creation, send the same Idempotency-Key and body.'],
    ],
    retriesIntro:
      'Retry at most four times, after about 1, 2, 4 and 8 seconds. Add some random delay, and never retry before the ' +
      'time in Retry-After. You can always repeat a read, and a creation that has an Idempotency-Key. You can also ' +
      'repeat a change that has If-Match. If the first attempt succeeded, the second gets 412, and a read shows the ' +
      'change. Store the key and the body with your order before you send them.',
    allCodes: 'All codes with cause, fix and example',
    allPosts: 'Timeouts, and how to repeat each POST',
  },
  ar: {
    first: 'أول شحنة في خمس دقائق',
    firstIntro:
      'يأخذك هذا الدليل من بيانات الاعتماد حتى توصيل الشحنة، باستخدام curl أو TypeScript. لا تُنقل هنا أي شحنة حقيقية ولا تُدفع ' +
      'أي مبالغ.',
    own: 'على جهازك',
    ownIntro:
      'تحتاج إلى Node 20 و npm. يشغّل الأمر الأول الخدمة مع شركات تجريبية. نفّذ الأوامر الأخرى في نافذة ثانية من المجلد ' +
      'نفسه، فهي تقرأ معرّف شركة تجريبية وسرها.',
    sandbox: 'في البيئة التجريبية',
    sandboxIntro:
      'سجّل في لوحة التحكم أو عبر عمليات التسجيل. ثم أنشئ بيانات الاعتماد. يظهر سرها مرة واحدة فقط. ضع المعرّف والسر في ' +
      'MIRSAL_CLIENT_ID و MIRSAL_CLIENT_SECRET.',
    console: 'افتح لوحة التحكم',
    registration: 'عمليات التسجيل',
    setUp: 'في TypeScript ثبّت الحزمة mirsal-client وجهّز العميل مرة واحدة. يحصل العميل على رموز الوصول ويجددها.',
    programs: 'هذه الخطوات كلها في ملف واحد، بلغات Python و PHP و Go و C# و TypeScript',
    steps: {
      'oauth.token': `احصل على رمز وصول وضعه في MIRSAL_TOKEN. مدة صلاحيته ${inWords(LIMITS.accessTokenSeconds, 'ar')}.`,
      'sandbox.bootstrap': 'أنشئ بيانات البيئة التجريبية: فرعًا وموقع استلام وسائقًا.',
      'sandbox.readiness': 'تحقق من جاهزية البيانات. كرر ذلك حتى تصبح canCreateShipment بقيمة true.',
      'priceEstimates.create': 'اطلب تقدير السعر. لا تحفظ الخدمة شيئًا منه.',
      'shipments.create':
        'أنشئ الشحنة وضع shipmentId في SHIPMENT_ID. إذا كررت الطلب مع Idempotency-Key نفسه ترد الخدمة بالحالة 200 وبالرد ' +
        'الأول، ولا تنشئ شحنة ثانية أبدًا.',
      'sandbox.startScenario': 'دع سائق البيئة التجريبية يوصل الشحنة. ينفذ السيناريو خطوة كل ثانية.',
      'shipments.timeline': 'اقرأ التسلسل الزمني حتى يظهر فيه shipment.delivered.',
    },
    next: 'الخطوة التالية: استقبل الإشعارات البرمجية (webhook) لتُبلغك الخدمة بما يحدث.',
    errors: 'الأخطاء وإعادة المحاولة',
    errorsIntro:
      'يأتي كل خطأ في متن من نوع application/problem+json يحمل رمزًا ثابتًا. اجعل برنامجك يقرر بحسب الرمز، واعرض العنوان أو ' +
      'التفصيل للمستخدمين، وسجّل requestId. قد تظهر رموز جديدة. عامل الرمز الذي لا تعرفه بحسب حالة HTTP.',
    status: 'حالة HTTP',
    action: 'ما العمل',
    rules: [
      ['400, 404, 405, 406, 413, 415', 'الطلب غير صحيح. صحّح برنامجك ولا تُعد المحاولة.'],
      ['401', 'احصل على رمز وصول جديد وأعد الطلب مرة واحدة.'],
      ['403', 'تحقق من الصلاحية ومن المعرّف. لا يبيّن الرد أيهما الخطأ.'],
      ['408', 'وصل المتن ببطء شديد ولم يُنفذ شيء. أرسل الطلب نفسه مرة أخرى بقيمة Idempotency-Key نفسها.'],
      ['409', 'الحالة الراهنة لا تسمح بالطلب. اقرأ المورد من جديد ثم قرر.'],
      ['412, 428', 'اقرأ المورد من جديد وأرسل قيمة ETag الحالية في If-Match.'],
      ['422', 'صحّح الحقول المذكورة في violations وأرسل طلبًا جديدًا.'],
      ['429, 503', 'انتظر عدد الثواني في Retry-After، ثم أعد المحاولة بفواصل متزايدة وعشوائية.'],
      ['500, timeout', 'النتيجة غير معروفة. لإعادة محاولة الإنشاء أرسل Idempotency-Key والمتن نفسيهما.'],
    ],
    retriesIntro:
      'أعد المحاولة أربع مرات على الأكثر، بعد نحو 1 و 2 و 4 و 8 ثوانٍ. أضف تأخيرًا عشوائيًا، ولا تُعد المحاولة قبل الوقت ' +
      'المذكور في Retry-After. يمكنك دائمًا تكرار القراءة، وتكرار الإنشاء الذي يحمل Idempotency-Key. ويمكنك أيضًا تكرار ' +
      'التغيير الذي يحمل If-Match. إن نجحت المحاولة الأولى حصلت الثانية على الحالة 412، والقراءة تُظهر التغيير. احفظ ' +
      'المفتاح والمتن مع طلبك قبل إرسالهما.',
    allCodes: 'جميع الرموز مع السبب والحل والمثال',
    allPosts: 'المهل، وكيف تكرر كل طلب POST',
  },
} as const satisfies Record<Locale, object>;
