import { inWords, LIMITS } from '../limits.ts';
import type { ReferenceContext } from '../reference/samples.ts';
import type { Guide } from './guide.ts';

/** Identifiers of requests, distributed traces, and how to get help. */
export const SUPPORT_GUIDE: Guide = {
  slug: 'support',
  blocks: {
    en: (context) => [
      { heading: 'Identifiers of a request', id: 'identifiers' },
      {
        list: [
          '`X-Request-Id` is new for every request. Every answer has it, and a problem repeats it as `requestId`. Log it.',
          '`X-Correlation-Id` is yours: send a UUID, for example one for each order. The answer returns it, and so does `correlationId` of the events that the request caused. Without it the service chooses one.',
          '`Idempotency-Key` and `externalReference` name your order, not a request.',
        ],
      },
      { heading: 'traceparent', id: 'traceparent' },
      'Send the header `traceparent` of W3C Trace Context if your system has distributed traces. A problem then has its trace id as ' +
        '`traceId`, so an error leads you to the trace. A value that is not valid is ignored. The service starts no spans in your trace.',
      { code: traced(context), label: 'curl' },
      { heading: 'Help yourself first', id: 'self-help' },
      {
        list: [
          'The `type` of every problem is a page with cause and fix: [all problems](/problems).',
          '[The dispatch of a shipment](/docs/shipments#shipments-dispatch) says why it has no driver, and its timeline what happened when.',
          '[The request log](/docs/support#request-log) shows what your program sent and what it got.',
          'The delivery log of webhooks shows each attempt with its status: [Webhooks](/docs/webhooks).',
          '`GET /ready` says whether this deployment works right now: 200 or 503.',
          'Most problems can be reproduced in the sandbox, with faults, scenarios and a held dispatch: [Sandbox](/docs/sandbox).',
        ],
      },
      { heading: 'The request log', id: 'request-log' },
      'The service keeps what your programs and people asked and what they got. The console shows it at Requests, ' +
        '[`GET /v2/external/requests`](/docs/request-log) lists it for programs, and `npm run tail` prints that of a local service.',
      {
        list: [
          `Successes are kept for ${inWords(LIMITS.successLoggedSeconds, 'en')}, failures for ${inWords(LIMITS.failureLoggedSeconds, 'en')}.`,
          'Names, phones, addresses, coordinates, secrets and free texts are replaced by their type, such as `<string 11>`, before anything is stored. Codes, references, amounts, states and times are kept, so write no names into your references.',
          'A program needs the scope `logs:read`, which a new credential does not have. An owner grants it with `PUT /v2/merchant-api-credential/scopes`.',
          'The log is best effort. An entry appears about a second after the answer. Under high load only some successes are kept, and a process that ends suddenly loses its last second. Use events, not the log, to know what happened to a shipment.',
          'A request without a valid token is in nobody’s log.',
          'Each entry has a `curl` command; fill in the values in angle brackets first. In the sandbox the console also opens an entry in the form of this reference, with examples for the hidden values and a new key.',
        ],
      },
      { heading: 'Ask for help', id: 'help' },
      'Write to the contact in your agreement with the carrier. Send these facts, so that nobody has to ask back:',
      {
        list: [
          'the deployment (its base address) and the `clientId`',
          'the `requestId` of the answer, or the time in UTC and the path',
          'the `shipmentId` or the `externalReference`, and for webhooks the `webhook-id`',
          'the `code` of the problem, what you expected, and what happened',
        ],
      },
      'Never send the client secret, an access token, a webhook secret, a one-time code or a tracking link. Send no names, phones ' +
        'or addresses of recipients: the identifiers are enough. If you sent a secret to anyone, rotate it.',
    ],
    ar: (context) => [
      { heading: 'معرّفات الطلب', id: 'identifiers' },
      {
        list: [
          '`X-Request-Id` جديد لكل طلب. يحمله كل رد، ويكرره الخطأ في `requestId`. سجّله.',
          '`X-Correlation-Id` لك: أرسل قيمة UUID، واحدة لكل طلب تجاري مثلًا. تعود في الرد، وفي `correlationId` للأحداث التي سببها الطلب. ومن دونها تختار الخدمة قيمة.',
          '`Idempotency-Key` و `externalReference` يسميان طلبك التجاري لا طلب HTTP.',
        ],
      },
      { heading: 'traceparent', id: 'traceparent' },
      'أرسل الترويسة `traceparent` من W3C Trace Context إن كان نظامك يتتبع الطلبات الموزعة. يحمل الخطأ عندئذ معرّف التتبع في `traceId`، ' +
        'فيوصلك الخطأ إلى التتبع. تُهمل القيمة غير الصحيحة. ولا تبدأ الخدمة أجزاء في تتبعك.',
      { code: traced(context), label: 'curl' },
      { heading: 'ساعد نفسك أولًا', id: 'self-help' },
      {
        list: [
          'قيمة `type` في كل خطأ صفحة فيها السبب والحل: [جميع الأخطاء](/problems).',
          'يبين [إسناد الشحنة](/docs/shipments#shipments-dispatch) لماذا لا سائق لها، ويبين تسلسلها الزمني ما حدث ومتى.',
          'يعرض [سجل الطلبات](/docs/support#request-log) ما أرسله برنامجك وما تلقاه.',
          'يعرض سجل تسليم الإشعارات البرمجية كل محاولة وحالتها: [الإشعارات البرمجية](/docs/webhooks).',
          'يبين `GET /ready` هل تعمل هذه البيئة الآن: 200 أو 503.',
          'يمكن تكرار معظم المشكلات في البيئة التجريبية بالأعطال والسيناريوهات وتعليق الشحنة التالية: [البيئة التجريبية](/docs/sandbox).',
        ],
      },
      { heading: 'سجل الطلبات', id: 'request-log' },
      'تحفظ الخدمة ما طلبته برامجك وموظفوك وما كان الرد. تعرضه لوحة التحكم في صفحة الطلبات، ' +
        'وتسرده [`GET /v2/external/requests`](/docs/request-log) للبرامج، ويطبع `npm run tail` سجل خدمة محلية.',
      {
        list: [
          `تُحفظ الطلبات الناجحة ${inWords(LIMITS.successLoggedSeconds, 'ar')}، والفاشلة ${inWords(LIMITS.failureLoggedSeconds, 'ar')}.`,
          'قبل الحفظ تحل محل الأسماء والهواتف والعناوين والإحداثيات والأسرار والنصوص الحرة أنواعُها، مثل `<string 11>`. وتُحفظ الرموز والأرقام المرجعية والمبالغ والحالات والأوقات، فلا تكتب أسماء في أرقامك المرجعية.',
          'يحتاج البرنامج إلى الصلاحية `logs:read`، وليست في بيانات الاعتماد الجديدة. يمنحها المالك عبر `PUT /v2/merchant-api-credential/scopes`.',
          'لا يضمن السجل اكتماله. يظهر المدخل بعد الرد بنحو ثانية. وعند الضغط العالي لا يُحفظ إلا بعض الطلبات الناجحة، والعملية التي تتوقف فجأة تفقد ثانيتها الأخيرة. لمعرفة ما حدث لشحنة استخدم الأحداث لا السجل.',
          'الطلب الذي لا يحمل رمزًا صالحًا لا يظهر في سجل أحد.',
          'لكل مدخل أمر `curl`؛ أكمل أولًا القيم التي بين العلامتين `<` و `>`. وفي البيئة التجريبية تفتح لوحة التحكم المدخل في نموذج هذا المرجع بأمثلة للقيم المخفية وبمفتاح جديد.',
        ],
      },
      { heading: 'اطلب المساعدة', id: 'help' },
      'راسل جهة الاتصال المذكورة في اتفاقك مع الناقل. أرسل هذه المعلومات حتى لا يضطر أحد إلى السؤال عنها:',
      {
        list: [
          'البيئة (عنوانها الأساسي) و `clientId`',
          'قيمة `requestId` من الرد، أو الوقت بتوقيت UTC والمسار',
          'قيمة `shipmentId` أو `externalReference`، وللإشعارات البرمجية قيمة `webhook-id`',
          'قيمة `code` في الخطأ، وما توقعته وما حدث',
        ],
      },
      'لا ترسل أبدًا سر العميل ولا رمز وصول ولا سر توقيع ولا رمز تحقق ولا رابط تتبع. ولا ترسل أسماء المستلمين أو هواتفهم أو ' +
        'عناوينهم: المعرّفات تكفي. إذا أرسلت سرًا إلى أحد فدوّره.',
    ],
  },
};

function traced({ baseUrl }: ReferenceContext): string {
  return `curl ${baseUrl}/v2/external/shipments \\
  -H "Authorization: Bearer $MIRSAL_TOKEN" \\
  -H 'X-Correlation-Id: 0b8f4c9e-2f5d-4e0c-9f53-6a2f0c8f7a11' \\
  -H 'traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'`;
}
