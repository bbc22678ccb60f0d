import type { Guide } from './guide.ts';

/** What may change in the interface, what never does, and how callers learn of it. */
export const VERSIONS_GUIDE: Guide = {
  slug: 'versions',
  blocks: {
    en: () => [
      { heading: 'What may appear at any time', id: 'growth' },
      {
        list: [
          'new members in answers and in events, and new headers',
          'new optional members, parameters and headers of requests',
          'new operations',
          'new values of enums in answers: states, event types, reasons, lines of charges',
          'new problem codes, with a status that you know',
          'other sentences for people: `title`, `detail` and `message` of a problem',
        ],
      },
      { heading: 'What stays in v2', id: 'promises' },
      {
        list: [
          'No member, operation or value is removed or renamed, and none changes its meaning or its type.',
          'No optional member becomes required, and no limit of a request becomes smaller.',
          'The order of checks stays, and so do the codes of problems.',
          'Stored events are sent as they were made, byte by byte, also in a replay.',
        ],
      },
      { heading: 'How to write a program that keeps working', id: 'tolerance' },
      {
        list: [
          'Ignore members that you do not know. Send no members that the reference does not list: requests are strict.',
          'Treat an unknown state as “in progress” and read the shipment again later. Skip an unknown event type with 2xx.',
          'Decide by `code`, and for an unknown code by the HTTP status. See [errors and retries](/docs#errors).',
          'Do not derive anything from the form of an identifier, a cursor or a token.',
          'Subscribe webhook endpoints to the types that you handle; `*` also subscribes you to types that are added later.',
        ],
      },
      { heading: 'Retirement', id: 'retirement' },
      'The removal of an operation is announced at least 12 months before. From then on its answers have the headers ' +
        '`Deprecation` (RFC 9745) and `Sunset` (RFC 8594) with the dates and a `Link` to the replacement. Log these headers: ' +
        'today no operation sends them. A new major version would get its own path beside `/v2`.',
      { heading: 'Where changes are announced', id: 'announcements' },
      'Every change that a caller can notice is listed in [Changes](/changes). ' +
        'A new type of event is listed there before production sends it. The [OpenAPI document](/openapi.json) of each deployment ' +
        'belongs to the version that it runs. Operations of the tag Sandbox are 404 on production.',
    ],
    ar: () => [
      { heading: 'ما قد يظهر في أي وقت', id: 'growth' },
      {
        list: [
          'حقول جديدة في الردود والأحداث، وترويسات جديدة',
          'حقول ومعاملات وترويسات اختيارية جديدة في الطلبات',
          'عمليات جديدة',
          'قيم جديدة في الردود: حالات وأنواع أحداث وأسباب وبنود رسوم',
          'رموز أخطاء جديدة، بحالة HTTP تعرفها',
          'صياغة أخرى للجمل الموجهة إلى الناس: `title` و `detail` و `message` في الخطأ',
        ],
      },
      { heading: 'ما يبقى في v2', id: 'promises' },
      {
        list: [
          'لا يُحذف حقل أو عملية أو قيمة ولا يتغير اسمها أو معناها أو نوعها.',
          'لا يصبح حقل اختياري مطلوبًا، ولا يصغر حد من حدود الطلبات.',
          'يبقى ترتيب التحقق، وتبقى رموز الأخطاء.',
          'تُرسل الأحداث المحفوظة كما أُنشئت بايتًا ببايت، وكذلك عند إعادة الإرسال.',
        ],
      },
      { heading: 'كيف تكتب برنامجًا يستمر في العمل', id: 'tolerance' },
      {
        list: [
          'تجاهل الحقول التي لا تعرفها. لا ترسل حقولًا لا يذكرها المرجع: الطلبات صارمة.',
          'عامل الحالة غير المعروفة على أنها «قيد التنفيذ» واقرأ الشحنة لاحقًا. تجاوز نوع الحدث غير المعروف بالرد 2xx.',
          'قرر بحسب `code`، وبحسب حالة HTTP إن لم تعرف الرمز. انظر [الأخطاء وإعادة المحاولة](/docs#errors).',
          'لا تستنتج شيئًا من شكل معرّف أو مؤشر صفحة أو رمز وصول.',
          'اشترك بنقاط الاستقبال في الأنواع التي تعالجها؛ فالقيمة `*` تشمل أيضًا الأنواع التي تُضاف لاحقًا.',
        ],
      },
      { heading: 'الإيقاف', id: 'retirement' },
      'إذا لزم يومًا إيقاف عملية فستعرف قبل 12 شهرًا على الأقل. منذ ذلك الحين تحمل ردودها الترويستين `Deprecation` (RFC 9745) و ' +
        '`Sunset` (RFC 8594) بالتواريخ، و `Link` إلى البديل. سجّل هذه الترويسات: لا ترسلها اليوم أي عملية. وسيكون للإصدار الرئيسي ' +
        'الجديد مساره الخاص بجانب `/v2`.',
      { heading: 'أين تُعلن التغييرات', id: 'announcements' },
      'كل تغيير يمكن أن يلاحظه المستدعي مذكور في [التغييرات](/changes). ويُذكر فيها ' +
        'نوع الحدث الجديد قبل إرساله في الإنتاج. وتوافق [وثيقة OpenAPI](/openapi.json) في كل بيئة الإصدار العامل فيها، وعمليات قسم Sandbox تعطي 404 في الإنتاج.',
    ],
  },
};
