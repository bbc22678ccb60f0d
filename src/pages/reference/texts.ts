import type { Locale } from '../../core/locale.ts';

/** The words of the reference around the operations. */
export const FRAME = {
  en: {
    title: 'API reference',
    description: 'Guides and every operation of the merchant shipment service.',
    lead:
      'Create, read, list and cancel delivery shipments of a merchant company, with exact prices and signed events. ' +
      'Three guides first, then every operation.',
    contents: 'Contents',
    version: 'Version',
    address: 'Base address',
    machine: 'For programs',
    headers: 'Headers',
    commonHeaders:
      'Accept-Language chooses en or ar. Every answer has X-Request-Id, and X-Correlation-Id: a UUID that you send in it ' +
      'comes back and goes into the events.',
    guides: 'Guides',
    operations: 'Operations',
    lifecycle: 'Lifecycle of a shipment',
    lifecycleIntro:
      'A shipment changes its state only as drawn here; a thicker frame marks the end. State is a value to read, not ' +
      'a sequence to assume: new states may appear, and DISPATCH_UNRESOLVED and DELIVERY_FAILED are ordinary outcomes.',
    lifecycleTable: 'Every change with its event',
    objects: 'Objects',
    objectsIntro: 'What answers are made of. Answers may gain members: ignore those that you do not know.',
    variables:
      'Words in capitals after a dollar sign are yours to fill in, from the answers of other operations: SHIPMENT_ID is ' +
      'a shipmentId, ETAG the ETag of the latest answer, MIRSAL_TOKEN an access token.',
    setUp: 'TypeScript samples that begin with mirsal use the client of the first guide.',
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
    responses: 'Answers',
    errors: 'Errors',
    status: 'Status',
    meaning: 'Meaning',
    answer: 'Body',
    fields: 'Fields of the body',
    sample: 'Sample',
  },
  ar: {
    title: 'مرجع واجهة البرمجة',
    description: 'أدلة خدمة شحنات التجار وجميع عملياتها.',
    lead: 'إنشاء شحنات التوصيل لشركة تاجر وقراءتها وسردها وإلغاؤها، بأسعار دقيقة وأحداث موقعة. ثلاثة أدلة أولًا، ثم كل عملية.',
    contents: 'المحتويات',
    version: 'الإصدار',
    address: 'العنوان الأساسي',
    machine: 'للبرامج',
    headers: 'الترويسات',
    commonHeaders:
      'تختار Accept-Language اللغة en أو ar. يحمل كل رد X-Request-Id و X-Correlation-Id: قيمة UUID التي ترسلها فيها تعود ' +
      'إليك وتدخل في الأحداث.',
    guides: 'الأدلة',
    operations: 'العمليات',
    lifecycle: 'دورة حياة الشحنة',
    lifecycleIntro:
      'لا تتغير حالة الشحنة إلا كما في الرسم، والإطار السميك يدل على النهاية. الحالة قيمة تُقرأ وليست تسلسلًا ' +
      'يُفترض: قد تظهر حالات جديدة، والحالتان DISPATCH_UNRESOLVED و DELIVERY_FAILED نتيجتان معتادتان.',
    lifecycleTable: 'كل تغير مع حدثه',
    objects: 'الكائنات',
    objectsIntro: 'ما تتكون منه الردود. قد تزيد أعضاء الردود: تجاهل ما لا تعرفه.',
    variables:
      'الكلمات بأحرف كبيرة بعد علامة الدولار تملؤها أنت من ردود عمليات أخرى: SHIPMENT_ID هو shipmentId، و ETAG هو ETag ' +
      'في آخر رد، و MIRSAL_TOKEN رمز وصول.',
    setUp: 'أمثلة TypeScript التي تبدأ بـ mirsal تستخدم العميل المذكور في الدليل الأول.',
    setUpLink: 'تجهيز العميل',
    access: 'النطاق',
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
  },
} as const satisfies Record<Locale, Record<string, string>>;

/** Who may call, where it is not a scope, by the name of the document's security scheme. */
export const CALLERS: Readonly<Record<string, Readonly<Record<Locale, string>>>> = {
  oauth2: { en: 'any access token', ar: 'أي رمز وصول' },
  driverToken: { en: 'a driver’s token', ar: 'رمز سائق' },
  sessionToken: { en: 'a person’s session token', ar: 'رمز جلسة شخص' },
  sessionCookie: { en: 'the session cookie', ar: 'ملف تعريف ارتباط الجلسة' },
  uploadCapability: { en: 'the uploadCapability of the registration', ar: 'قيمة uploadCapability من التسجيل' },
  clientBasic: { en: 'client id and secret', ar: 'معرّف العميل وسره' },
};
