import type { Locale } from '../../core/locale.ts';
import { type Html, html } from '../../http/web/html.ts';
import { inWords, LIMITS } from '../limits.ts';
import { prose } from '../page.ts';
import { listOperations, type ReferenceOperation } from '../reference/operations.ts';
import type { ReferenceContext } from '../reference/samples.ts';
import type { Block, Guide } from './guide.ts';

/** Timeouts, and whether a request whose answer was lost may be sent again. */
export const RETRIES_GUIDE: Guide = {
  slug: 'retries',
  blocks: {
    en: (context) => [
      { heading: 'Timeouts', id: 'timeouts' },
      `Allow 5 seconds for the connection and ${inWords(LIMITS.clientTimeoutSeconds, 'en')} for the whole answer. The service ` +
        'usually answers much sooner, and answers 503 itself when it cannot. A client that gives up after two seconds does not know whether its ' +
        'request took effect.',
      `\`POST …/test-events\` waits for your own receiver, up to ${inWords(LIMITS.webhookAnswerSeconds, 'en')}.`,
      { heading: 'After a lost answer', id: 'lost-answers' },
      'A captive portal or a proxy can answer in place of the service, often 200 with a page, with `{"status":"ok"}` or with nothing. ' +
        'Take an answer for a success only if it has the documented status and members, such as `shipmentId`; an empty one only with 204. ' +
        'Take it for a refusal only if it has `code`. Everything else is a lost answer.',
      'After a timeout, a broken connection, 500, 502, 503, 504 or a lost answer the outcome is unknown. These rules always lead to a known one:',
      {
        list: [
          'Repeat a GET as often as you like.',
          'Repeat a PUT as it is. Repeat a PATCH or DELETE with the same `If-Match`, if it takes one. If the first attempt succeeded, a PATCH gets 412, and a DELETE gets 204, 404 or 412. A GET shows the change.',
          'Repeat a POST as the table says. Make the `Idempotency-Key` before the first attempt and store it with your order. A repeat that finds the first answer has `Idempotency-Replayed: true`.',
          `408 [REQUEST_TIMEOUT](/problems/request-timeout) says that the body arrived too slowly and nothing was done: repeat the request, a creation with the same \`Idempotency-Key\`. A body must bring ${LIMITS.bodyPartKilobytes} kB in each ${inWords(LIMITS.bodyPartSeconds, 'en')} until it ends, and all of it within ${inWords(LIMITS.bodySeconds, 'en')}.`,
          'Other answers from 400 to 422 change nothing, except that a wrong one-time code uses up a try. Do not repeat them unchanged, except a 409 that says that something is still running, such as [IDEMPOTENCY_REQUEST_IN_PROGRESS](/problems/idempotency-request-in-progress).',
        ],
      },
      ...delays('en'),
      { heading: 'Every POST', id: 'posts' },
      ...table('en', context),
      'See also: [Errors and retries](/docs#errors), [entity tags](/docs/entity-tags), [limits](/docs/limits).',
    ],
    ar: (context) => [
      { heading: 'المهل', id: 'timeouts' },
      `اسمح بـ 5 ثوانٍ للاتصال و ${inWords(LIMITS.clientTimeoutSeconds, 'ar')} للرد كله. ترد الخدمة قبل ذلك بكثير، أو ترد بنفسها بالحالة 503. ` +
        'العميل الذي يتوقف بعد ثانيتين لا يعرف هل نُفذ طلبه.',
      `ينتظر \`POST …/test-events\` نقطة الاستقبال لديك حتى ${inWords(LIMITS.webhookAnswerSeconds, 'ar')}.`,
      { heading: 'بعد رد مفقود', id: 'lost-answers' },
      'قد تجيب بوابة دخول الشبكة أو خادم وسيط بدلًا من الخدمة، غالبًا بالحالة 200 مع صفحة أو مع `{"status":"ok"}` أو من دون متن. ' +
        'لا تعدّ الرد نجاحًا إلا إذا حمل الحالة والحقول الموثقة مثل `shipmentId`، ولا تقبل ردًا فارغًا إلا مع 204. ولا تعدّه رفضًا إلا إذا حمل ' +
        '`code`. كل ما عدا ذلك رد مفقود.',
      'بعد انتهاء المهلة أو انقطاع الاتصال أو 500 أو 502 أو 503 أو 504 أو رد مفقود تكون النتيجة غير معروفة. هذه القواعد توصل دائمًا إلى نتيجة معروفة:',
      {
        list: [
          'كرر GET كما تشاء.',
          'كرر PUT كما هو. كرر PATCH أو DELETE بقيمة `If-Match` نفسها إن كانت العملية تأخذها. إن نجحت المحاولة الأولى حصل PATCH على 412، وحصل DELETE على 204 أو 404 أو 412. ويُظهر GET التغيير.',
          'كرر POST كما يبين الجدول. أنشئ `Idempotency-Key` قبل المحاولة الأولى واحفظه مع طلبك. يحمل التكرار الذي يجد الرد الأول `Idempotency-Replayed: true`.',
          `يعني 408 [REQUEST_TIMEOUT](/problems/request-timeout) أن المتن وصل ببطء شديد ولم يُنفذ شيء: كرر الطلب، وكرر الإنشاء بقيمة \`Idempotency-Key\` نفسها. يجب أن يصل من المتن ${LIMITS.bodyPartKilobytes} kB كل ${inWords(LIMITS.bodyPartSeconds, 'ar')} حتى نهايته، وأن يصل كله خلال ${inWords(LIMITS.bodySeconds, 'ar')}.`,
          'الردود الأخرى من 400 إلى 422 لا تغيّر شيئًا، إلا أن الرمز الخاطئ يستهلك محاولة. لا تكررها كما هي، إلا ردًا 409 يبين أن عملًا ما زال جاريًا، مثل [IDEMPOTENCY_REQUEST_IN_PROGRESS](/problems/idempotency-request-in-progress).',
        ],
      },
      ...delays('ar'),
      { heading: 'كل طلب POST', id: 'posts' },
      ...table('ar', context),
      'انظر أيضًا: [الأخطاء وإعادة المحاولة](/docs#errors) و [وسوم الكيان](/docs/entity-tags) و [الحدود](/docs/limits).',
    ],
  },
};

function delays(locale: Locale): readonly Block[] {
  const sentence =
    locale === 'en'
      ? 'Before a retry, wait a random time between half of and the whole delay: 1, 2, 4, then 8 seconds. If the answer has ' +
        '`Retry-After`, wait at least that long. Stop after four retries and try again later with the same key.'
      : 'قبل إعادة المحاولة انتظر زمنًا عشوائيًا بين نصف المهلة والمهلة كلها: 1 ثم 2 ثم 4 ثم 8 ثوانٍ. إذا حمل الرد `Retry-After` فلا تعد ' +
        'قبله أبدًا. توقف بعد أربع محاولات وحاول لاحقًا بالمفتاح نفسه.';
  return [sentence, { code: 'delay = max(Retry-After, 2 ** attempt * (0.5 + random() / 2))', label: 'Retry-After' }];
}

const HEADS = { en: ['Operation', 'After a lost answer'], ar: ['العملية', 'بعد رد مفقود'] } as const;

function table(locale: Locale, { document }: ReferenceContext): readonly Block[] {
  const posts = listOperations(document).filter(({ method }) => method === 'POST');
  const rows = posts.map((operation) => [pathOf(operation), prose(adviceFor(operation)[locale], locale)]);
  return [{ label: HEADS[locale].join(' · '), head: HEADS[locale], rows }];
}

function pathOf({ path }: ReferenceOperation): Html {
  // A line can break before each part of the path.
  const parts = path.split('/').slice(1);
  return html`<bdi dir="ltr"><code>${parts.map((part) => html`<wbr>/${part}`)}</code></bdi>`;
}

type Advice = Readonly<Record<Locale, string>>;

/** From the document if the operation takes a key, from a table if not. */
function adviceFor({ id = '', parameters }: ReferenceOperation): Advice {
  const key = parameters.find(({ name }) => name === 'Idempotency-Key');
  if (key !== undefined) return key.required === true ? REQUIRED_KEY : OPTIONAL_KEY;
  return ADVICE[id] ?? READ_FIRST;
}

const REQUIRED_KEY: Advice = {
  en: `Repeat with the same Idempotency-Key and body. The key is required and is kept for ${inWords(LIMITS.keySeconds, 'en')}.`,
  ar: `كرر بالمفتاح Idempotency-Key والمتن نفسيهما. المفتاح مطلوب ويُحفظ ${inWords(LIMITS.keySeconds, 'ar')}.`,
};
const OPTIONAL_KEY: Advice = {
  en: `Send an Idempotency-Key from the first attempt and repeat with the same one. It is kept for ${inWords(LIMITS.optionalKeySeconds, 'en')}.`,
  ar: `أرسل Idempotency-Key من المحاولة الأولى وكرر به نفسه. يُحفظ ${inWords(LIMITS.optionalKeySeconds, 'ar')}.`,
};
const READ_FIRST: Advice = {
  en: 'Read the resource first. Repeat only if the change is not there.',
  ar: 'اقرأ المورد أولًا، ولا تكرر إلا إذا لم تجد التغيير.',
};

const REPEAT: Advice = {
  en: 'Repeat it. Nothing is stored twice.',
  ar: 'كرر الطلب. لا يُحفظ شيء مرتين.',
};
const NEW_CODE: Advice = {
  en: 'Repeat it. It sends a new code, and only the newest code counts.',
  ar: 'كرر الطلب. يُرسل رمز جديد، ولا يُعتد إلا بأحدث رمز.',
};
const USED_CODE: Advice = {
  en: 'Repeat it once. 422 OTP_EXPIRED can mean that the first attempt used the code: begin again with a new code.',
  ar: 'كرر الطلب مرة واحدة. قد تعني 422 OTP_EXPIRED أن المحاولة الأولى استخدمت الرمز: ابدأ من جديد برمز جديد.',
};

/** The operations without a key, by their id. */
const ADVICE: Readonly<Record<string, Advice>> = {
  'oauth.token': {
    en: 'Repeat it. Each answer has a token of its own.',
    ar: 'كرر الطلب. لكل رد رمزه الخاص.',
  },
  'oauth.revoke': REPEAT,
  'priceEstimates.create': REPEAT,
  'shipmentValidations.create': REPEAT,
  'registrations.create': {
    en: 'Repeat it. It starts another draft; go on with the newest, the others expire.',
    ar: 'كرر الطلب. تبدأ مسودة أخرى؛ تابع بأحدثها، وتنتهي البقية.',
  },
  'registrations.requestVerification': NEW_CODE,
  'registrations.verify': {
    en: 'Repeat it. If the first attempt succeeded the answer is 422 OTP_EXPIRED, and you can sign in.',
    ar: 'كرر الطلب. إن نجحت المحاولة الأولى كان الرد 422 OTP_EXPIRED، ويمكنك تسجيل الدخول.',
  },
  'sessions.startSignIn': NEW_CODE,
  'sessions.verifySignIn': USED_CODE,
  'sessions.startElevation': NEW_CODE,
  'sessions.verifyElevation': USED_CODE,
  'driver.startSession': NEW_CODE,
  'driver.verifySession': USED_CODE,
  'driver.reportPosition': { en: 'Send the next position instead.', ar: 'أرسل الموقع التالي بدلًا منه.' },
  'driver.act': {
    en: 'Send an actionId from the first attempt and repeat with the same one.',
    ar: 'أرسل actionId من المحاولة الأولى وكرر به نفسه.',
  },
  'merchantApiCredential.create': {
    en: 'A repeat gets 409 CREDENTIAL_ALREADY_EXISTS if the first attempt succeeded. Its secret is lost: rotate it.',
    ar: 'إن نجحت المحاولة الأولى كان رد التكرار 409 CREDENTIAL_ALREADY_EXISTS. السر مفقود: دوّره.',
  },
  'merchantApiCredential.rotate': {
    en: 'A repeat gets 409 SECRET_ROTATION_IN_PROGRESS if the first attempt succeeded. Rotate again after the overlap; the old secret is valid until then.',
    ar: 'إن نجحت المحاولة الأولى كان رد التكرار 409 SECRET_ROTATION_IN_PROGRESS. دوّر من جديد بعد مدة التداخل؛ يسري السر القديم حتى ذلك الحين.',
  },
  'webhookEndpoints.sendTestEvent': {
    en: 'Repeat it. Your receiver gets another test event.',
    ar: 'كرر الطلب. يصل إلى نقطة الاستقبال لديك حدث تجريبي آخر.',
  },
  'sandbox.bootstrap': REPEAT,
  'sandbox.reset': { en: 'Repeat it. It resets once more.', ar: 'كرر الطلب. يُعاد الضبط مرة أخرى.' },
  'sandbox.releaseDispatch': READ_FIRST,
  'sandbox.startScenario': READ_FIRST,
  'sandbox.startDriverSession': NEW_CODE,
  'sandbox.verifyDriverSession': USED_CODE,
  'sandbox.setFault': { en: 'Repeat it. It sets the same number again.', ar: 'كرر الطلب. يُضبط العدد نفسه من جديد.' },
};
