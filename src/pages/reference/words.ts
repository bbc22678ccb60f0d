import type { Locale } from '../../core/locale.ts';

/** The words of the reference outside the guides. */
export const FRAME = {
  en: {
    title: 'API reference',
    description: 'Guides and all operations of the merchant shipment service.',
    lead: 'What merchants can do, a guide to each task, and all operations, with samples that run as they are.',
    contents: 'Contents',
    search: 'Search the reference',
    version: 'Version',
    address: 'Base address',
    machine: 'For programs',
    headers: 'Headers',
    commonHeaders:
      'Accept-Language selects en or ar. Every response has X-Request-Id and X-Correlation-Id. If you send a UUID in ' +
      'X-Correlation-Id, the response and the events contain it.',
    guides: 'Guides',
    changes: 'Changes',
    operations: 'Operations',
    lifecycle: 'Lifecycle of a shipment',
    lifecycleIntro:
      'The drawing shows every change of state. A thicker frame marks a final state. Read the state each time; do not ' +
      'assume a sequence. New states may appear, and DISPATCH_UNRESOLVED and DELIVERY_FAILED are normal outcomes.',
    lifecycleTable: 'Every change with its event',
    objects: 'Objects',
    objectsIntro: 'The objects in responses. Responses may gain members. Ignore members that you do not know.',
    variables:
      'Fill in the words in capitals after a dollar sign from the responses of other operations: SHIPMENT_ID is a ' +
      'shipmentId, ETAG is the ETag of the latest response, and MIRSAL_TOKEN is an access token.',
    setUp: 'TypeScript samples that start with mirsal use the client from the first guide.',
    setUpLink: 'Set up the client',
    access: 'Scope',
    accessOr: 'or',
    noAccess: 'no authentication',
    parameters: 'Parameters',
    name: 'Name',
    place: 'In',
    type: 'Type',
    required: 'Required',
    yes: 'yes',
    no: 'no',
    rules: 'Rules',
    body: 'Request body',
    field: 'Field',
    responses: 'Responses',
    errors: 'Errors',
    status: 'Status',
    meaning: 'Meaning',
    answer: 'Body',
    fields: 'Fields of the body',
    sample: 'Sample',
    trial: 'Try it in the sandbox',
    trialIntro:
      'The request is sent with your console session. A word in capitals after a dollar sign is filled in from the answers ' +
      'that you got here before.',
    send: 'Send',
    restore: 'Restore the example',
    trialAnswer: 'Answer',
  },
  ar: {
    title: 'مرجع واجهة البرمجة',
    description: 'أدلة خدمة شحنات التجار وجميع عملياتها.',
    lead: 'ما يستطيع المتجر فعله، ودليل لكل مهمة، ثم جميع العمليات مع أمثلة تعمل كما هي.',
    contents: 'المحتويات',
    search: 'ابحث في المرجع',
    version: 'الإصدار',
    address: 'العنوان الأساسي',
    machine: 'للبرامج',
    headers: 'الترويسات',
    commonHeaders:
      'تحدد Accept-Language اللغة en أو ar. يحمل كل رد X-Request-Id و X-Correlation-Id. إذا أرسلت قيمة UUID في ' +
      'X-Correlation-Id ظهرت في الرد وفي الأحداث.',
    guides: 'الأدلة',
    changes: 'التغييرات',
    operations: 'العمليات',
    lifecycle: 'دورة حياة الشحنة',
    lifecycleIntro:
      'يعرض الرسم كل تغير في الحالة. يدل الإطار السميك على حالة نهائية. اقرأ الحالة في كل مرة ولا تفترض تسلسلًا. قد تظهر ' +
      'حالات جديدة، والحالتان DISPATCH_UNRESOLVED و DELIVERY_FAILED نتيجتان معتادتان.',
    lifecycleTable: 'كل تغير مع حدثه',
    objects: 'الكائنات',
    objectsIntro: 'الكائنات التي تحملها الردود. قد تُضاف حقول إلى الردود. تجاهل ما لا تعرفه منها.',
    variables:
      'استبدل بالكلمات المكتوبة بأحرف كبيرة بعد علامة الدولار قيمًا من ردود عمليات أخرى: SHIPMENT_ID هو shipmentId، و ETAG هو ETag ' +
      'في آخر رد، و MIRSAL_TOKEN هو رمز وصول.',
    setUp: 'أمثلة TypeScript التي تبدأ بـ mirsal تستخدم العميل المذكور في الدليل الأول.',
    setUpLink: 'تجهيز العميل',
    access: 'الصلاحية',
    accessOr: 'أو',
    noAccess: 'دون مصادقة',
    parameters: 'المعاملات',
    name: 'الاسم',
    place: 'الموضع',
    type: 'النوع',
    required: 'مطلوب',
    yes: 'نعم',
    no: 'لا',
    rules: 'القواعد',
    body: 'متن الطلب',
    field: 'الحقل',
    responses: 'الردود',
    errors: 'الأخطاء',
    status: 'حالة HTTP',
    meaning: 'المعنى',
    answer: 'المتن',
    fields: 'حقول المتن',
    sample: 'مثال',
    trial: 'جرّبه في البيئة التجريبية',
    trialIntro:
      'يُرسل الطلب بجلستك في لوحة التحكم. وتُملأ الكلمات المكتوبة بأحرف كبيرة بعد علامة الدولار من الردود التي وصلتك هنا من قبل.',
    send: 'إرسال',
    restore: 'استعادة المثال',
    trialAnswer: 'الرد',
  },
} as const satisfies Record<Locale, Record<string, string>>;

/** The credential that an operation needs, if it needs no scope, by the name of the security scheme. */
export const CALLERS: Readonly<Record<string, Readonly<Record<Locale, string>>>> = {
  oauth2: { en: 'any access token', ar: 'أي رمز وصول' },
  driverToken: { en: 'a driver’s token', ar: 'رمز سائق' },
  recipientToken: { en: 'a recipient’s token', ar: 'رمز مستلم' },
  recipientCookie: { en: 'the recipient’s cookie', ar: 'ملف تعريف ارتباط المستلم' },
  sessionToken: { en: 'a person’s session token', ar: 'رمز جلسة شخص' },
  sessionCookie: { en: 'the session cookie', ar: 'ملف تعريف ارتباط الجلسة' },
  uploadCapability: { en: 'the uploadCapability of the registration', ar: 'قيمة uploadCapability من التسجيل' },
  clientBasic: { en: 'client id and secret', ar: 'معرّف العميل وسره' },
};
