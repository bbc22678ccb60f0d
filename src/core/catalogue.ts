import {
  BATCHES_RUNNING_MAX,
  IDEMPOTENCY_KEY_LENGTH_MAX,
  IDEMPOTENCY_KEY_LENGTH_MIN,
  PAGE_LIMIT_MAX,
  TRPC_CALLS_MAX,
  UPLOAD_MEBIBYTES_MAX,
} from './limits.ts';
import type { LocalText } from './locale.ts';
import type { PROBLEM_STATUSES, ProblemCode } from './problem-code.ts';

export type { LocalText } from './locale.ts';
export {
  isProblemCode,
  PROBLEM_CODES,
  type ProblemCode,
  problemCodeOf,
  problemSlug,
  type ViolationCode,
} from './problem-code.ts';
export { VIOLATIONS, violationMessage } from './violations.ts';

/** The HTTP status of a machine code, its title (at most 128 characters) and its detail (at most 512). */
export interface ProblemEntry {
  readonly status: number;
  readonly title: LocalText;
  readonly detail: LocalText;
}

/** All machine codes. A detail reveals only what a caller without any rights may know. */
export const PROBLEMS = {
  MALFORMED_JSON: problem(400, text('Malformed JSON', 'صيغة JSON غير سليمة'), {
    en: 'The request body cannot be parsed as JSON in UTF-8.',
    ar: 'تعذّرت قراءة متن الطلب بوصفه JSON بترميز UTF-8.',
  }),
  TRPC_BATCH_NOT_SUPPORTED: problem(400, text('tRPC batch not supported', 'دفعة tRPC غير مدعومة'), {
    en: `A request to tRPC has at most ${TRPC_CALLS_MAX} calls, and their answers are not streamed. Use httpBatchLink with maxItems: ${TRPC_CALLS_MAX}.`,
    ar: `يتضمن طلب tRPC ${TRPC_CALLS_MAX} استدعاءات على الأكثر، ولا تُرسل ردودها تباعًا. استخدم httpBatchLink مع maxItems: ${TRPC_CALLS_MAX}.`,
  }),
  INVALID_PATH_PARAMETER: problem(400, text('Invalid path parameter', 'معامل مسار غير صالح'), {
    en: 'A parameter in the path does not have the required format.',
    ar: 'أحد المعاملات في المسار لا يطابق الصيغة المطلوبة.',
  }),
  INVALID_QUERY_PARAMETER: problem(400, text('Invalid query parameter', 'معامل استعلام غير صالح'), {
    en: 'A query parameter is missing, is repeated or has a value that is not allowed.',
    ar: 'أحد معاملات الاستعلام مفقود أو مكرر أو قيمته غير مسموح بها.',
  }),
  UNKNOWN_QUERY_PARAMETER: problem(400, text('Unknown query parameter', 'معامل استعلام غير معروف'), {
    en: 'The query has a parameter that this operation does not know.',
    ar: 'يتضمن الاستعلام معاملًا لا تعرفه هذه العملية.',
  }),
  LIMIT_OUT_OF_RANGE: problem(400, text('Limit out of range', 'حد الصفحة خارج النطاق'), {
    en: `The page size limit must be a whole number from 1 to ${PAGE_LIMIT_MAX}.`,
    ar: `يجب أن يكون حد الصفحة limit عددًا صحيحًا من 1 إلى ${PAGE_LIMIT_MAX}.`,
  }),
  INVALID_CURSOR: problem(400, text('Invalid cursor', 'مؤشر صفحات غير صالح'), {
    en: 'The cursor is not readable or belongs to a different query.',
    ar: 'مؤشر الصفحات غير مقروء أو يخص استعلامًا آخر.',
  }),
  INVALID_HEADER: problem(400, text('Invalid header', 'ترويسة غير صالحة'), {
    en: 'A request header breaks the rule that this operation has for it.',
    ar: 'إحدى ترويسات الطلب تخالف القاعدة التي تفرضها عليها هذه العملية.',
  }),
  IDEMPOTENCY_KEY_REQUIRED: problem(400, text('Idempotency key required', 'مفتاح منع التكرار مطلوب'), {
    en: 'This operation needs the Idempotency-Key header.',
    ar: 'تتطلب هذه العملية الترويسة Idempotency-Key.',
  }),
  INVALID_IDEMPOTENCY_KEY: problem(400, text('Invalid idempotency key', 'مفتاح منع التكرار غير صالح'), {
    en: `The Idempotency-Key header must hold one key of ${IDEMPOTENCY_KEY_LENGTH_MIN} to ${IDEMPOTENCY_KEY_LENGTH_MAX} characters.`,
    ar: `يجب أن تحمل الترويسة Idempotency-Key مفتاحًا واحدًا طوله من ${IDEMPOTENCY_KEY_LENGTH_MIN} إلى ${IDEMPOTENCY_KEY_LENGTH_MAX} حرفًا.`,
  }),
  AUTHENTICATION_REQUIRED: problem(401, text('Authentication required', 'المصادقة مطلوبة'), {
    en: 'The request has no valid credentials. Programs send `Authorization: Bearer` with an access token of POST /oauth/token, which is valid for an hour. People sign in again.',
    ar: 'لا يتضمن الطلب بيانات اعتماد صالحة. ترسل البرامج الترويسة \u2068Authorization: Bearer\u2069 مع رمز وصول من \u2068POST /oauth/token\u2069 صالح لمدة ساعة. ويسجل الأشخاص الدخول من جديد.',
  }),
  ACCESS_DENIED: problem(403, text('Access denied', 'الوصول مرفوض'), {
    en: 'This request is not permitted.',
    ar: 'هذا الطلب غير مسموح به.',
  }),
  ASSURANCE_REQUIRED: problem(403, text('Second factor required', 'عامل التحقق الثاني مطلوب'), {
    en: 'Verify a second factor for this session, then repeat the request.',
    ar: 'يجب أن تثبت هذه الجلسة عامل تحقق ثانيًا قبل تنفيذ الطلب.',
  }),
  REAUTHENTICATION_REQUIRED: problem(403, text('Reauthentication required', 'إعادة المصادقة مطلوبة'), {
    en: 'The second factor of this session was verified too long ago. Verify it again, then repeat the request.',
    ar: 'مضى وقت طويل على إثبات هذه الجلسة. يجب إثباتها من جديد قبل تنفيذ الطلب.',
  }),
  IDENTIFIER_RECENTLY_CHANGED: problem(403, text('Identifier changed recently', 'تغيّر عنوان الدخول حديثًا'), {
    en: 'This person changed the e-mail address or mobile, and may not change credentials, webhooks, people or that identifier again before the instant in heldUntil.',
    ar: 'غيّر هذا الشخص بريده الإلكتروني أو جواله، ولا يمكنه تغيير بيانات الاعتماد أو الإشعارات البرمجية أو الأشخاص أو عنوان الدخول قبل الوقت المذكور في heldUntil.',
  }),
  ROUTE_NOT_FOUND: problem(404, text('Route not found', 'المسار غير موجود'), {
    en: 'No operation exists at this path.',
    ar: 'لا توجد عملية على هذا المسار.',
  }),
  TRACKING_LINK_UNAVAILABLE: problem(404, text('Tracking link unavailable', 'رابط التتبع غير متاح'), {
    en: 'This tracking link is not available.',
    ar: 'رابط التتبع هذا غير متاح.',
  }),
  RESOURCE_NOT_FOUND: problem(404, text('Resource not found', 'المورد غير موجود'), {
    en: 'The requested resource does not exist.',
    ar: 'المورد المطلوب غير موجود.',
  }),
  METHOD_NOT_ALLOWED: problem(405, text('Method not allowed', 'طريقة HTTP غير مسموح بها'), {
    en: 'This path does not support the method. The Allow header lists the methods that it supports.',
    ar: 'هذا المسار لا يدعم طريقة الطلب. تسرد الترويسة Allow الطرق المدعومة.',
  }),
  NOT_ACCEPTABLE: problem(406, text('Not acceptable', 'نوع المحتوى المطلوب غير متاح'), {
    en: 'The answer is not available in any media type that the Accept header allows.',
    ar: 'الرد غير متاح بأي من أنواع المحتوى التي تقبلها الترويسة Accept.',
  }),
  REQUEST_TIMEOUT: problem(408, text('Request timeout', 'انتهت مهلة الطلب'), {
    en: 'The body of the request arrived too slowly. The request was not carried out; send it again.',
    ar: 'وصل متن الطلب ببطء شديد. لم يُنفذ الطلب؛ أرسله مرة أخرى.',
  }),
  EXTERNAL_REFERENCE_CONFLICT: problem(409, text('External reference already used', 'الرقم المرجعي مستخدم من قبل'), {
    en: 'A shipment of this company already has this externalReference. The member existing names it.',
    ar: 'توجد شحنة لهذه الشركة تحمل قيمة externalReference نفسها، ويحددها العضو existing.',
  }),
  PRICE_LIMIT_EXCEEDED: problem(409, text('Price above the limit', 'السعر أعلى من الحد'), {
    en: 'This would cost more than Price-Limit allows. The member price has the amount. Nothing was changed.',
    ar: 'تكلفة هذا الطلب أعلى مما تسمح به الترويسة Price-Limit. يحدد العضو price المبلغ. لم يتغير شيء.',
  }),
  PRICE_LOCK_USED: problem(409, text('Price lock used', 'استُخدم تثبيت السعر'), {
    en: 'Another shipment was created with this Price-Lock. The member existing names it.',
    ar: 'أُنشئت شحنة أخرى بالترويسة Price-Lock نفسها، ويحددها العضو existing.',
  }),
  IDEMPOTENCY_REQUEST_IN_PROGRESS: problem(409, text('Request in progress', 'الطلب قيد التنفيذ'), {
    en: 'An earlier request with this Idempotency-Key is still running. Retry after the seconds in Retry-After.',
    ar: 'ما زال طلب سابق بالمفتاح Idempotency-Key نفسه قيد المعالجة. أعد المحاولة بعد عدد الثواني في Retry-After.',
  }),
  SHIPMENT_NOT_CANCELLABLE: problem(409, text('Shipment cannot be cancelled', 'لا يمكن إلغاء الشحنة'), {
    en: 'The current state of the shipment, given in currentState, does not permit cancellation.',
    ar: 'حالة الشحنة الحالية، المذكورة في currentState، لا تسمح بالإلغاء.',
  }),
  AMENDMENT_NOT_ALLOWED: problem(409, text('Amendment not allowed', 'التعديل غير مسموح به'), {
    en: 'This amendment is not allowed. The member change names what is in the way, and reason says why. Nothing was changed.',
    ar: 'لا يمكن تعديل الشحنة على هذا النحو. يحدد العضو change المانع، ويبيّن العضو reason السبب. لم يتغير شيء.',
  }),
  RESOLUTION_NOT_OPEN: problem(409, text('Nothing to decide', 'لا يوجد قرار مطلوب'), {
    en: 'This cannot be decided for the shipment now: its delivery has not failed, the parcel is lost, or the option is not available. The member reason, if there is one, says which.',
    ar: 'لا يمكن اتخاذ هذا القرار للشحنة الآن: لم يتعذّر توصيلها، أو فُقدت، أو أن الخيار غير متاح. يبيّن العضو reason السبب إن وُجد.',
  }),
  RESOLUTION_ALREADY_CHOSEN: problem(409, text('Already decided', 'اتُّخذ القرار من قبل'), {
    en: 'What becomes of this parcel was decided before. The member kind has the decision, and followUp the shipment that carries it on.',
    ar: 'تقرر مصير هذه الشحنة من قبل. العضو kind هو القرار، والعضو followUp هو الشحنة التي تكمل نقلها.',
  }),
  RETURN_QUANTITY_EXCEEDED: problem(409, text('More returned than delivered', 'المرتجع أكثر من المسلَّم'), {
    en: 'All returns of an item together may not exceed what was delivered. The member remaining has what can still go back.',
    ar: 'لا يجوز أن يتجاوز مجموع مرتجعات الصنف ما سُلِّم منه. يبيّن العضو remaining ما يمكن إعادته بعد.',
  }),
  INVALID_STATE_TRANSITION: problem(409, text('Transition not permitted', 'الانتقال غير مسموح به'), {
    en: 'The current state does not permit the requested transition.',
    ar: 'الحالة الحالية لا تسمح بالانتقال المطلوب.',
  }),
  TRACKING_LINK_LIMIT_REACHED: problem(409, text('Too many tracking links', 'بلغ عدد روابط التتبع حده'), {
    en: 'The shipment already has the maximum number of active tracking links.',
    ar: 'للشحنة أقصى عدد مسموح به من روابط التتبع الفعّالة.',
  }),
  TRACKING_LINK_NOT_ACTIVE: problem(409, text('Tracking link not active', 'رابط التتبع غير فعّال'), {
    en: 'The tracking link is revoked or has expired, so its address is not shown.',
    ar: 'أُبطل رابط التتبع أو انتهت صلاحيته، فلا يُعرض عنوانه.',
  }),
  SHIPMENT_TERMINAL: problem(409, text('Shipment has ended', 'انتهت الشحنة'), {
    en: 'The shipment is in a terminal state and cannot be changed any more.',
    ar: 'الشحنة في حالة نهائية ولا يمكن تغييرها بعد الآن.',
  }),
  CASE_ALREADY_OPEN: problem(409, text('Complaint already open', 'توجد شكوى مفتوحة'), {
    en: 'The shipment has a complaint of this kind that is not closed. The member existing names it.',
    ar: 'للشحنة شكوى من هذا النوع لم تُغلق بعد، ويحددها العضو existing.',
  }),
  CASE_LIMIT_REACHED: problem(409, text('Too many complaints or messages', 'بلغ عدد الشكاوى أو الرسائل حده'), {
    en: 'The shipment has the maximum number of complaints, or the complaint that of messages.',
    ar: 'بلغت شكاوى الشحنة أو رسائل الشكوى العدد الأقصى.',
  }),
  WEBHOOK_ENDPOINT_LIMIT_REACHED: problem(409, text('Too many webhook endpoints', 'بلغ عدد نقاط الاستقبال حده'), {
    en: 'The company already has the maximum number of webhook endpoints.',
    ar: 'للشركة أقصى عدد مسموح به من نقاط استقبال الإشعارات البرمجية.',
  }),
  SECRET_ROTATION_IN_PROGRESS: problem(409, text('Secret rotation in progress', 'تدوير السر جارٍ'), {
    en: 'An earlier rotation still has two valid secrets. Another one can start when its overlap is over.',
    ar: 'ما زال تدوير سابق يبقي سرين صالحين معًا. يمكن بدء تدوير آخر بعد انتهاء مدة التداخل.',
  }),
  REPLAY_IN_PROGRESS: problem(409, text('Replay in progress', 'إعادة الإرسال جارية'), {
    en: 'Another replay of this webhook endpoint is still running.',
    ar: 'ما زالت عملية إعادة إرسال أخرى جارية لنقطة الاستقبال هذه.',
  }),
  BATCH_TOO_MANY_RUNNING: problem(409, text('Too many running batches', 'عدد الدفعات الجارية أكثر من المسموح به'), {
    en: `The company already has ${BATCHES_RUNNING_MAX} running batches.`,
    ar: `لدى الشركة دفعات جارية بالعدد الأقصى، وهو ${BATCHES_RUNNING_MAX}.`,
  }),
  CLOCK_ADVANCING: problem(409, text('Clock is advancing', 'الساعة تتقدم'), {
    en: 'An earlier advance of the sandbox clock has not ended.',
    ar: 'لم ينته تقديم سابق لساعة البيئة التجريبية.',
  }),
  CREDENTIAL_ALREADY_EXISTS: problem(409, text('Credential already exists', 'بيانات الاعتماد موجودة من قبل'), {
    en: 'The company already has an API credential. Its secret is never shown again.',
    ar: 'للشركة بيانات اعتماد لواجهة البرمجة من قبل، ولا يُعرض سرها مرة أخرى.',
  }),
  REGISTRATION_INCOMPLETE: problem(409, text('Registration incomplete', 'التسجيل غير مكتمل'), {
    en: 'Required documents are missing, or the registration of the company is not approved.',
    ar: 'توجد مستندات مطلوبة ناقصة، أو لم تتم الموافقة على تسجيل الشركة.',
  }),
  BRANCH_INACTIVE: problem(409, text('Branch or pickup location inactive', 'الفرع أو موقع الاستلام غير نشط'), {
    en: 'The branch or pickup location is inactive and takes no new shipments.',
    ar: 'الفرع أو موقع الاستلام غير نشط ولا يقبل شحنات جديدة.',
  }),
  SANDBOX_NOT_READY: problem(409, text('Sandbox not ready', 'البيئة التجريبية غير جاهزة'), {
    en: 'The sandbox fixtures that this request needs do not exist yet.',
    ar: 'لم تُنشأ بعد بيانات البيئة التجريبية التي يحتاجها هذا الطلب.',
  }),
  SESSION_CHANGED: problem(409, text('Signed in as somebody else', 'تم تسجيل الدخول بحساب آخر'), {
    en: 'The page shows another person or company than the one that is signed in. Nothing was done.',
    ar: 'تعرض الصفحة شخصًا أو شركة غير صاحب الجلسة الحالية. لم يُنفَّذ شيء.',
  }),
  PRECONDITION_FAILED: problem(412, text('Precondition failed', 'الشرط المسبق غير متحقق'), {
    en: 'If-Match does not name the current version, which is given in currentVersion. Nothing was changed.',
    ar: 'لا تطابق الترويسة If-Match الإصدار الحالي المذكور في currentVersion. لم يتغير شيء.',
  }),
  PAYLOAD_TOO_LARGE: problem(413, text('Payload too large', 'متن الطلب أكبر من المسموح به'), {
    en: 'The request body is larger than this operation accepts.',
    ar: 'متن الطلب أكبر مما تقبله هذه العملية.',
  }),
  DOCUMENT_TOO_LARGE: problem(413, text('Document too large', 'الملف أكبر من المسموح به'), {
    en: `The file is larger than ${UPLOAD_MEBIBYTES_MAX} MiB.`,
    ar: `حجم الملف أكبر من ${UPLOAD_MEBIBYTES_MAX} MiB.`,
  }),
  UNSUPPORTED_MEDIA_TYPE: problem(415, text('Unsupported media type', 'نوع المحتوى غير مدعوم'), {
    en: 'The Content-Type of the request is not one that this operation accepts.',
    ar: 'نوع محتوى الطلب في Content-Type ليس مما تقبله هذه العملية.',
  }),
  UNSUPPORTED_DOCUMENT_TYPE: problem(415, text('Unsupported file type', 'نوع الملف غير مدعوم'), {
    en: 'The Content-Type of the file is not one that this upload accepts. The member contentTypes lists them; the type of a JPEG is image/jpeg.',
    ar: 'نوع الملف في Content-Type ليس مما تقبله عملية الرفع هذه. يسردها العضو contentTypes، ونوع صور JPEG هو image/jpeg.',
  }),
  VALIDATION_FAILED: problem(422, text('Validation failed', 'فشل التحقق من البيانات'), {
    en: 'Fields of the body break rules.',
    ar: 'تخالف حقول من متن الطلب القواعد.',
  }),
  IDEMPOTENCY_KEY_REUSED: problem(422, text('Idempotency key reused', 'أعيد استخدام مفتاح منع التكرار'), {
    en: 'This Idempotency-Key or actionId was already used with a different request.',
    ar: 'سبق استخدام Idempotency-Key هذا أو actionId هذا مع طلب مختلف.',
  }),
  PRICE_LOCK_INVALID: problem(422, text('Price lock not valid', 'تثبيت السعر غير صالح'), {
    en: 'Price-Lock is not a price lock of this company in this deployment.',
    ar: 'قيمة Price-Lock ليست تثبيت سعر لهذه الشركة في هذه البيئة.',
  }),
  PRICE_LOCK_EXPIRED: problem(422, text('Price lock expired', 'انتهى تثبيت السعر'), {
    en: 'The price was locked until expiredAt. The member price has what the shipment would cost now.',
    ar: 'كان السعر ثابتًا حتى expiredAt. يبيّن العضو price تكلفة الشحنة الآن.',
  }),
  PRICE_LOCK_MISMATCH: problem(422, text('Price lock for something else', 'تثبيت السعر لشحنة مختلفة'), {
    en: 'The price was locked for another pickup, destination or codAmount, as the violations say.',
    ar: 'ثُبِّت السعر لموقع استلام أو وجهة أو مبلغ codAmount مختلف، كما تبيّن المخالفات.',
  }),
  PROOF_REQUIRED: problem(422, text('Proof required', 'الإثبات مطلوب'), {
    en: 'The action lacks a proof. The member missing names it. Nothing was changed.',
    ar: 'ينقص هذا الإجراء إثبات يحدده العضو missing. لم يتغير شيء.',
  }),
  PROOF_PIN_INVALID: problem(422, text('Wrong PIN', 'رمز التسليم غير صحيح'), {
    en: 'The PIN is not that of this delivery. The member attemptsRemaining says how many tries are left.',
    ar: 'الرمز ليس رمز هذا التوصيل. يبيّن العضو attemptsRemaining المحاولات المتبقية.',
  }),
  OTP_INVALID: problem(422, text('Wrong one-time code', 'رمز التحقق غير صحيح'), {
    en: 'The one-time code is not correct.',
    ar: 'رمز التحقق غير صحيح.',
  }),
  OTP_EXPIRED: problem(422, text('One-time code expired', 'انتهت صلاحية رمز التحقق'), {
    en: 'The one-time code has expired or can no longer be used. Ask for a new one.',
    ar: 'انتهت صلاحية رمز التحقق أو لم يعد قابلًا للاستخدام. اطلب رمزًا جديدًا.',
  }),
  DOCUMENT_CONTENT_MISMATCH: problem(422, text('File content mismatch', 'محتوى الملف لا يطابق نوعه'), {
    en: 'The content of the file is not of the type that Content-Type states.',
    ar: 'محتوى الملف ليس من النوع المذكور في Content-Type.',
  }),
  WEBHOOK_URL_NOT_ALLOWED: problem(422, text('Webhook address not allowed', 'عنوان نقطة الاستقبال غير مسموح به'), {
    en: 'Events cannot be delivered to this address.',
    ar: 'لا يمكن تسليم الأحداث إلى هذا العنوان.',
  }),
  PRECONDITION_REQUIRED: problem(428, text('Precondition required', 'الشرط المسبق مطلوب'), {
    en: 'This operation needs the If-Match header with the current entity tag.',
    ar: 'تتطلب هذه العملية الترويسة If-Match بوسم الكيان للإصدار الحالي.',
  }),
  RATE_LIMITED: problem(429, text('Too many requests', 'عدد الطلبات أكثر من المسموح به'), {
    en: 'Too many requests were made in a short time. Retry after the seconds in Retry-After.',
    ar: 'أُرسلت طلبات كثيرة في وقت قصير. أعد المحاولة بعد عدد الثواني في Retry-After.',
  }),
  OTP_RATE_LIMITED: problem(429, text('Too many one-time codes', 'محاولات كثيرة لرمز التحقق'), {
    en: 'Too many one-time codes were asked for or tried. Retry after the seconds in Retry-After.',
    ar: 'طُلبت رموز تحقق كثيرة أو جُرّبت مرات كثيرة. أعد المحاولة بعد عدد الثواني في Retry-After.',
  }),
  INTERNAL_ERROR: problem(500, text('Internal error', 'خطأ داخلي'), {
    en: 'The service failed unexpectedly. Quote the requestId when asking for help.',
    ar: 'حدث عطل غير متوقع في الخدمة. اذكر قيمة requestId عند طلب المساعدة.',
  }),
  ROUTING_PROVIDER_UNAVAILABLE: problem(503, text('Routing unavailable', 'خدمة تحديد الطريق غير متاحة'), {
    en: 'The route cannot be resolved at the moment. Nothing was stored. Retry after the seconds in Retry-After.',
    ar: 'يتعذر تحديد الطريق في الوقت الحالي. لم يُحفظ شيء. أعد المحاولة بعد عدد الثواني في Retry-After.',
  }),
  ADDRESS_PROVIDER_UNAVAILABLE: problem(503, text('Addresses unavailable', 'خدمة العناوين غير متاحة'), {
    en: 'Addresses cannot be looked up at the moment. Retry after the seconds in Retry-After.',
    ar: 'يتعذر البحث عن العناوين في الوقت الحالي. أعد المحاولة بعد عدد الثواني في Retry-After.',
  }),
  STORAGE_PROVIDER_UNAVAILABLE: problem(503, text('Storage unavailable', 'خدمة حفظ الملفات غير متاحة'), {
    en: 'The file cannot be stored at the moment. Retry the upload after the seconds in Retry-After.',
    ar: 'يتعذر حفظ الملف في الوقت الحالي. أعد الرفع بعد عدد الثواني في Retry-After.',
  }),
  MESSAGE_PROVIDER_UNAVAILABLE: problem(503, text('Messages unavailable', 'خدمة الرسائل غير متاحة'), {
    en: 'The one-time code cannot be sent at the moment. Retry after the seconds in Retry-After.',
    ar: 'يتعذر إرسال رمز التحقق في الوقت الحالي. أعد المحاولة بعد عدد الثواني في Retry-After.',
  }),
  SERVICE_UNAVAILABLE: problem(503, text('Service unavailable', 'الخدمة غير متاحة'), {
    en: 'The service cannot answer at the moment. Retry after the seconds in Retry-After.',
    ar: 'يتعذر على الخدمة الرد في الوقت الحالي. أعد المحاولة بعد عدد الثواني في Retry-After.',
  }),
} as const satisfies {
  readonly [Code in ProblemCode]: ProblemEntry & { readonly status: (typeof PROBLEM_STATUSES)[Code] };
};

function problem<const Status extends number>(status: Status, title: LocalText, detail: LocalText) {
  return { status, title, detail };
}

function text(en: string, ar: string): LocalText {
  return { en, ar };
}
