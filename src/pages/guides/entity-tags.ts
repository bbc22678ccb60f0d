import type { Locale } from '../../core/locale.ts';
import { listOperations } from '../reference/operations.ts';
import type { ReferenceContext } from '../reference/samples.ts';
import type { Block, Guide } from './guide.ts';

/** If-Match on resources that the service itself changes, and conditional GETs. */
export const ENTITY_TAGS_GUIDE: Guide = {
  slug: 'entity-tags',
  blocks: {
    en: (context) => [
      'The `ETag` of a resource is its version in quotation marks, such as `"2"`. Every change raises the version by one. ' +
        'A change that names a version in `If-Match` happens only if that version is still the current one. So two programs ' +
        'cannot overwrite each other.',
      { heading: 'The first second of a shipment', id: 'first-second' },
      'About half a second after a creation the service approves the shipment, unless your company approves by hand. A ' +
        'sandbox then offers it to a driver at once; production begins an hour before the pickup window by default. Each step ' +
        'is a new version. So the `ETag` of the 201 is old almost at once, and a cancellation with it gets 412. Choose one of three ways:',
      {
        list: [
          'To cancel whatever has happened meanwhile, send `If-Match: *`. The state still decides: after pick-up the answer is 409 [SHIPMENT_NOT_CANCELLABLE](/problems/shipment-not-cancellable).',
          'If you receive webhooks, take the version of the latest event: `data.shipment.version`, in quotation marks. Order events by `sequence`, not by their arrival.',
          'Otherwise read the shipment and send its `ETag`. The answer 412 has `currentVersion`: look at the shipment again and decide again. Do not put `currentVersion` into `If-Match` blindly; for that there is `*`.',
        ],
      },
      { code: cancellation(context), label: 'curl' },
      { heading: 'Which tag to send', id: 'which' },
      {
        list: [
          'A tag in quotation marks, as you received it: `If-Match: "2"`. Several tags are separated by commas.',
          'A weak tag (`W/"2"`) never matches. If yours became weak, a proxy between you and the service compressed the answer.',
          'Without `If-Match` the answer is 428 [PRECONDITION_REQUIRED](/problems/precondition-required), with an old tag 412 [PRECONDITION_FAILED](/problems/precondition-failed). Both change nothing.',
          'After a timeout, repeat a cancellation with the same tag and `Idempotency-Key`. See [timeouts and retries](/docs/retries).',
        ],
      },
      ...conditional('en', context),
      { heading: 'Read only what is new', id: 'reading' },
      'Send the `ETag` of your copy in `If-None-Match`. If it is still current the answer is 304 without a body, and costs you ' +
        'no parsing. It counts as a read.',
    ],
    ar: (context) => [
      'قيمة `ETag` لمورد هي رقم إصداره بين علامتي اقتباس، مثل `"2"`. كل تغيير يزيد الإصدار واحدًا. التغيير الذي يذكر إصدارًا في ' +
        '`If-Match` لا يُنفذ إلا إذا كان هذا الإصدار هو الحالي. فلا يطغى برنامج على تغيير برنامج آخر.',
      { heading: 'الثانية الأولى من الشحنة', id: 'first-second' },
      'بعد نصف ثانية تقريبًا من الإنشاء توافق الخدمة على الشحنة، إلا إذا كانت الموافقة في شركتك يدوية. ثم تعرضها البيئة التجريبية على ' +
        'سائق فورًا، أما الإنتاج فيبدأ قبل فترة الاستلام بساعة افتراضيًا. كل خطوة إصدار جديد. لذلك تصبح قيمة `ETag` في الرد 201 ' +
        'قديمة على الفور تقريبًا، ويحصل الإلغاء بها على 412. اختر إحدى ثلاث طرق:',
      {
        list: [
          'للإلغاء مهما حدث في الأثناء أرسل `If-Match: *`. ويبقى القرار للحالة: بعد الاستلام يكون الرد 409 [SHIPMENT_NOT_CANCELLABLE](/problems/shipment-not-cancellable).',
          'إذا كنت تستقبل الإشعارات البرمجية (webhook) فخذ الإصدار من آخر حدث: `data.shipment.version` بين علامتي اقتباس. رتب الأحداث بحسب `sequence` لا بحسب وصولها.',
          'وإلا فاقرأ الشحنة وأرسل قيمة `ETag`. يحمل الرد 412 القيمة `currentVersion`: انظر إلى الشحنة من جديد وقرر من جديد. لا تضع `currentVersion` في `If-Match` دون نظر، فلهذا وُجدت `*`.',
        ],
      },
      { code: cancellation(context), label: 'curl' },
      { heading: 'أي وسم ترسل', id: 'which' },
      {
        list: [
          'وسم بين علامتي اقتباس كما وصلك: `If-Match: "2"`. تفصل الفواصل بين عدة وسوم.',
          'الوسم الضعيف (`W/"2"`) لا يطابق أبدًا. إن صار وسمك ضعيفًا فقد ضغط وسيط الرد بينك وبين الخدمة.',
          'دون `If-Match` يكون الرد 428 [PRECONDITION_REQUIRED](/problems/precondition-required)، ومع وسم قديم 412 [PRECONDITION_FAILED](/problems/precondition-failed). كلاهما لا يغيّر شيئًا.',
          'بعد انتهاء المهلة كرر الإلغاء بالوسم نفسه وبالمفتاح `Idempotency-Key` نفسه. انظر [المهل وإعادة المحاولة](/docs/retries).',
        ],
      },
      ...conditional('ar', context),
      { heading: 'اقرأ الجديد فقط', id: 'reading' },
      'أرسل قيمة `ETag` لنسختك في `If-None-Match`. إن كانت لا تزال الحالية كان الرد 304 دون متن. ويُحسب ذلك قراءة.',
    ],
  },
};

function cancellation({ baseUrl }: ReferenceContext): string {
  return `curl -X POST "${baseUrl}/v2/external/shipments/$SHIPMENT_ID/cancellations" \\
  -H "Authorization: Bearer $MIRSAL_TOKEN" -H 'Content-Type: application/json' \\
  -H 'If-Match: *' -H "Idempotency-Key: cancel-$SHIPMENT_ID" \\
  -d '{"reasonCode":"CUSTOMER_REQUEST"}'`;
}

const WORDS = {
  en: {
    title: 'Operations with If-Match',
    head: ['Operation', 'If-Match'],
    required: 'required',
    optional: 'optional',
  },
  ar: { title: 'العمليات التي تأخذ If-Match', head: ['العملية', 'If-Match'], required: 'مطلوبة', optional: 'اختيارية' },
} as const satisfies Record<Locale, object>;

function conditional(locale: Locale, { document }: ReferenceContext): readonly Block[] {
  const words = WORDS[locale];
  const rows = listOperations(document).flatMap(({ method, path, parameters }) => {
    const header = parameters.find(({ name }) => name === 'If-Match');
    if (header === undefined) return [];
    return [[`\`${method} ${path}\``, header.required === true ? words.required : words.optional]];
  });
  return [
    { heading: words.title, id: 'operations-with-if-match' },
    { label: words.title, head: words.head, rows },
  ];
}
