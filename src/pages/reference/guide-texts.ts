import type { Locale } from '../../core/locale.ts';

/** The guides' sentences. Their commands are samples of the operations, because those are the same in every language. */
export const GUIDES = {
  en: {
    first: 'First shipment in five minutes',
    firstIntro:
      'From nothing to a delivered parcel, with curl or from TypeScript. Nothing here moves a real parcel or costs ' +
      'anything.',
    own: 'On your own machine',
    ownIntro:
      'Node 20 and npm are enough. The first command starts the service with sample companies; run the others in ' +
      'another shell, in the same folder. They take the id and secret of a sample company.',
    sandbox: 'In the sandbox',
    sandboxIntro:
      'Sign up in the console, or by the operations of Registration. Then issue the API credential, which shows its ' +
      'secret once, and put id and secret into MIRSAL_CLIENT_ID and MIRSAL_CLIENT_SECRET.',
    console: 'Open the console',
    registration: 'Operations of Registration',
    setUp: 'From TypeScript, set up the client once. It gets and renews access tokens by itself.',
    steps: {
      'oauth.token': 'Get an access token. It is valid for one hour; put it into MIRSAL_TOKEN.',
      'sandbox.bootstrap': 'Make the fixtures of your sandbox: a branch, a pickup location, a driver.',
      'sandbox.readiness': 'See that they are there. Repeat this until canCreateShipment is true.',
      'priceEstimates.create': 'Ask for a price. This stores nothing.',
      'shipments.create':
        'Create the shipment, and put its shipmentId into SHIPMENT_ID. The same request with the same ' +
        'Idempotency-Key is answered with 200 and the first answer; it never creates a second shipment.',
      'sandbox.startScenario': 'Have the sandbox’s driver deliver it. It takes a step a second.',
      'shipments.timeline': 'Watch its timeline grow, up to shipment.delivered.',
    },
    next: 'Next, let the service tell you: receive webhooks.',
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
    retriesIntro:
      'Retry four times at most, after about 1, 2, 4 and 8 seconds with some chance in it, and never sooner than ' +
      'Retry-After says. Reads may always be repeated, and so may a creation with its Idempotency-Key. A change with ' +
      'If-Match may be repeated too: if the first attempt went through, the second is answered with 412, and reading ' +
      'shows the change. Keep the key and the body with your order before you send them.',
    allCodes: 'All codes with cause, fix and example',
  },
  ar: {
    first: 'أول شحنة في خمس دقائق',
    firstIntro: 'من لا شيء إلى طرد مُسلَّم، باستخدام curl أو من TypeScript. لا شيء هنا ينقل طردًا حقيقيًا أو يكلف شيئًا.',
    own: 'على جهازك',
    ownIntro:
      'يكفي Node 20 و npm. الأمر الأول يشغل الخدمة مع شركات تجريبية؛ نفذ الأوامر الأخرى في نافذة ثانية من المجلد نفسه، ' +
      'وهي تأخذ معرّف شركة تجريبية وسرها.',
    sandbox: 'في بيئة التجربة',
    sandboxIntro:
      'سجّل في لوحة التحكم أو عبر عمليات التسجيل. ثم أصدر بيانات الاعتماد التي تعرض سرها مرة واحدة، وضع المعرّف والسر في ' +
      'MIRSAL_CLIENT_ID و MIRSAL_CLIENT_SECRET.',
    console: 'افتح لوحة التحكم',
    registration: 'عمليات التسجيل',
    setUp: 'من TypeScript جهّز العميل مرة واحدة. يحصل بنفسه على رموز الوصول ويجددها.',
    steps: {
      'oauth.token': 'احصل على رمز وصول. مدته ساعة واحدة؛ ضعه في MIRSAL_TOKEN.',
      'sandbox.bootstrap': 'أنشئ بيانات بيئة التجربة: فرعًا وموقع استلام وسائقًا.',
      'sandbox.readiness': 'تأكد من وجودها. كرر ذلك حتى تصبح canCreateShipment بقيمة true.',
      'priceEstimates.create': 'اطلب تقدير السعر. لا يُحفظ بهذا شيء.',
      'shipments.create':
        'أنشئ الشحنة وضع shipmentId في SHIPMENT_ID. الطلب نفسه مع Idempotency-Key نفسه يُجاب بالحالة 200 والرد الأول، ' +
        'ولا ينشئ شحنة ثانية أبدًا.',
      'sandbox.startScenario': 'دع سائق بيئة التجربة يسلّمها. خطوة كل ثانية.',
      'shipments.timeline': 'تابع تسلسلها الزمني حتى shipment.delivered.',
    },
    next: 'بعد ذلك دع الخدمة تخبرك: استقبل أحداث webhook.',
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
    retriesIntro:
      'أعد المحاولة أربع مرات على الأكثر، بعد نحو 1 و 2 و 4 و 8 ثوان مع قدر من العشوائية، وليس قبل ما تذكره Retry-After. ' +
      'القراءة تُعاد دائمًا، وكذلك الإنشاء مع Idempotency-Key. ويُعاد أيضًا التغيير الذي يحمل If-Match: إن نجحت المحاولة ' +
      'الأولى أُجيبت الثانية بالحالة 412، والقراءة تُظهر التغيير. احفظ المفتاح والمتن مع طلبك قبل الإرسال.',
    allCodes: 'جميع الرموز مع السبب والحل والمثال',
  },
} as const satisfies Record<Locale, object>;
