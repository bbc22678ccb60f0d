import { indentedJson } from '../../core/json.ts';
import { EXCHANGES_KEPT_DAYS } from '../../core/limits.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { Code, Copy, Exact } from '../../ui/browser/kit/text.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { useLoaded } from '../../ui/browser/service/loading.ts';
import { curlOfRequest } from '../shipments/rest-text.ts';

type Exchange = Outputs['webhookDeliveries']['getAttempt'];

const TEXTS = {
  en: {
    attempt: (number: number) => `Attempt ${number}`,
    sent: 'Request',
    answered: 'Response',
    curl: 'as curl',
    curlHint: 'Receivers that check the time refuse an old signature.',
    sentHeaders: 'Sent headers',
    sentBody: 'Sent body',
    headers: 'Headers of the response',
    body: 'Body of the response',
    after: (ms: number) => `After ${ms} ms.`,
    forgotten: `The response and the signature are kept for ${EXCHANGES_KEPT_DAYS} days.`,
    deleted: 'The event was deleted.',
    empty: 'The response has no body.',
    cut: 'Only the beginning of the body is kept: at most 4 KiB of text.',
  },
  ar: {
    attempt: (number: number) => `المحاولة ${number}`,
    sent: 'الطلب المرسل',
    answered: 'الرد المستلم',
    curl: 'أمر curl',
    curlHint: 'الأنظمة التي تتحقق من الوقت ترفض التوقيع القديم.',
    sentHeaders: 'الترويسات المرسلة',
    sentBody: 'المتن المرسل',
    headers: 'ترويسات الرد',
    body: 'متن الرد',
    after: (ms: number) => `بعد ${ms} م.ث.`,
    forgotten: `يُحفظ الرد والتوقيع ${EXCHANGES_KEPT_DAYS} أيام.`,
    deleted: 'حُذف الحدث.',
    empty: 'ليس للرد متن.',
    cut: 'لا يُحفظ إلا أول المتن: 4 كيلوبايت من النص على الأكثر.',
  },
};

/** What one attempt sent, and beside it what came back. */
export function Inspector({ deliveryId, number }: { readonly deliveryId: string; readonly number: number }) {
  const text = textsOf(TEXTS);
  const loaded = useLoaded(`attempt ${deliveryId} ${number}`, () =>
    service.webhookDeliveries.getAttempt.query({ deliveryId, number }),
  );
  return (
    <section class="part">
      <h2>{text.attempt(number)}</h2>
      <WhenLoaded loaded={loaded}>
        {(exchange) => (
          <div class="exchange">
            <Sent exchange={exchange} />
            <Answered exchange={exchange} />
          </div>
        )}
      </WhenLoaded>
    </section>
  );
}

function Sent({ exchange }: { readonly exchange: Exchange }) {
  const { url, headers, body } = exchange.request;
  const text = textsOf(TEXTS);
  return (
    <section>
      <h3>{text.sent}</h3>
      <p>
        <Exact>{`POST ${url ?? ''}`}</Exact>
      </p>
      {url === null || body === null ? null : (
        <p>
          <Copy text={curlOfRequest({ url, headers, body })} what={text.curl} />{' '}
          <span class="small quiet">
            {text.curl}. {text.curlHint}
          </span>
        </p>
      )}
      <h4>{text.sentHeaders}</h4>
      <Code text={linesOf(headers)} what={text.sentHeaders} />
      <h4>{text.sentBody}</h4>
      {body === null ? <p>{text.deleted}</p> : <Code text={indentedJson(body)} what={text.sentBody} />}
    </section>
  );
}

function Answered({ exchange }: { readonly exchange: Exchange }) {
  const text = textsOf(TEXTS);
  const { response, error, durationMs } = exchange;
  return (
    <section>
      <h3>{text.answered}</h3>
      {response === null ? null : (
        <p class="answer">
          <bdi dir="ltr">HTTP {response.status}</bdi>
        </p>
      )}
      <p class={error === null ? undefined : 'wrong'}>{sentenceOf(exchange)}</p>
      <p class="quiet">
        {text.after(durationMs)}
        {response === null && hasAnswer(error) ? ` ${text.forgotten}` : null}
      </p>
      {response === null ? null : <Answer response={response} />}
    </section>
  );
}

function Answer({ response: { headers, body, truncated } }: { readonly response: NonNullable<Exchange['response']> }) {
  const text = textsOf(TEXTS);
  const lines = linesOf(headers);
  return (
    <>
      {lines === '' ? null : (
        <>
          <h4>{text.headers}</h4>
          <Code text={lines} what={text.headers} />
        </>
      )}
      <h4>{text.body}</h4>
      {body === '' ? null : <Code text={truncated ? body : indentedJson(body)} what={text.body} />}
      {body === '' && !truncated ? <p class="quiet">{text.empty}</p> : null}
      {truncated ? <p class="small quiet">{text.cut}</p> : null}
    </>
  );
}

function linesOf(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

type AttemptError = Exchange['error'];

/** Whether the receiver answered, even if the answer is no longer kept. */
function hasAnswer(error: AttemptError): boolean {
  return error === null || error === 'NON_2XX' || error === 'REDIRECT';
}

const SENTENCES = {
  en: {
    accepted: 'The receiver accepted the event.',
    refused: 'The receiver refused the request. Check that it verifies the signature with the current secret.',
    unknown: 'The receiver has nothing at this address. Check the path and that it accepts POST.',
    gone: 'The receiver says that this address is gone for good, so the service disabled the endpoint.',
    busy: 'The receiver asked for fewer requests. The next attempt waits as long as it said.',
    broken: 'The receiver failed with an error of its own. Its logs say more.',
    NON_2XX: 'The receiver answered with an error. Only a status from 200 to 299 is a success.',
    REDIRECT: 'The receiver redirected the request. Redirects are not followed: give the endpoint the final address.',
    TIMEOUT: 'The receiver did not answer in time. Let it answer first and work afterwards.',
    DNS: 'The host name has no address. Check its spelling and its DNS records.',
    TLS: 'A secure connection failed. Check that the certificate is valid for this host name.',
    CONNECT: 'The connection failed or broke off before an answer came. Check that the receiver is running.',
    BLOCKED_ADDRESS: 'The host name points to an address that is not public, so nothing was sent.',
  },
  ar: {
    accepted: 'قبل النظام المستقبِل الحدث.',
    refused: 'رفض النظام المستقبِل الطلب. تأكد أنه يتحقق من التوقيع بالسر الحالي.',
    unknown: 'لا شيء في هذا العنوان لدى النظام المستقبِل. تحقق من المسار ومن قبوله طلبات POST.',
    gone: 'يقول النظام المستقبِل إن هذا العنوان أُزيل نهائيًا، فأوقفت الخدمة نقطة الاستقبال.',
    busy: 'طلب النظام المستقبِل تقليل الطلبات. تنتظر المحاولة القادمة المدة التي حددها.',
    broken: 'تعطل النظام المستقبِل بخطأ داخلي. راجع سجلاته.',
    NON_2XX: 'رد النظام المستقبِل بخطأ. لا يُعد نجاحًا إلا رمز حالة من 200 إلى 299.',
    REDIRECT: 'حوّل النظام المستقبِل الطلب إلى عنوان آخر. لا تُتبع عمليات التحويل: أدخل العنوان النهائي.',
    TIMEOUT: 'لم يرد النظام المستقبِل في الوقت المحدد. اجعله يرد أولًا ثم يعالج الحدث.',
    DNS: 'ليس لاسم المضيف عنوان. تحقق من كتابته ومن سجلات DNS.',
    TLS: 'تعذّر إنشاء اتصال آمن. تأكد أن الشهادة صالحة لاسم المضيف هذا.',
    CONNECT: 'تعذّر الاتصال أو انقطع قبل وصول الرد. تأكد أن النظام المستقبِل يعمل.',
    BLOCKED_ADDRESS: 'يشير اسم المضيف إلى عنوان غير عام، فلم يُرسل شيء.',
  },
};

/** The result of an attempt, and what to do about it. */
function sentenceOf({ response, error }: Exchange): string {
  const text = textsOf(SENTENCES);
  if (error === null) return text.accepted;
  const status = response?.status ?? 0;
  if (error !== 'NON_2XX') return text[error];
  if (status === 401 || status === 403) return text.refused;
  if (status === 404 || status === 405) return text.unknown;
  if (status === 410) return text.gone;
  if (status === 429) return text.busy;
  return status >= 500 ? text.broken : text.NON_2XX;
}
