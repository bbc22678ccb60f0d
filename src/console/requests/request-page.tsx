import { NO_OPERATION } from '../../contract/request-log-state.ts';
import { isProblemCode, type LocalText, PROBLEMS, problemSlug, VIOLATIONS } from '../../core/catalogue.ts';
import type { Deployment } from '../../core/deployment.ts';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { FactList, PageHead } from '../../ui/browser/kit/page.tsx';
import { Code, Exact, Moment } from '../../ui/browser/kit/text.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { useLoaded } from '../../ui/browser/service/loading.ts';
import { readAll } from '../../ui/browser/service/read-all.ts';
import { FIELD_SENTENCES } from '../../ui/browser/service/words.ts';
import { handOver, operationAnchor } from '../../ui/send-again.ts';
import { AnswerPill, type LoggedViolation, sentAt, violationsOf } from './entries.tsx';

type WholeEntry = Outputs['requestLog']['get'];

const TEXTS = {
  en: {
    up: 'Requests',
    at: 'Time',
    operation: 'Operation',
    from: 'Sent by',
    console: 'a person in the console',
    correlationId: 'Correlation id',
    requestId: 'Request id',
    shipment: 'Shipment',
    reference: 'Reference',
    duration: 'Duration',
    ms: 'ms',
    key: 'Hash of the idempotency key',
    replayed: 'replayed from the first request with this key',
    repeats: 'Identical requests that followed',
    asked: 'Request',
    answered: 'Response',
    headers: 'Headers of the request',
    requestBody: 'Body of the request',
    responseBody: 'Body of the response',
    noBody: 'There was no body, or it was too long for the log.',
    about: 'About this error',
    sent: 'Sent value:',
    missing: 'Not sent.',
    masks:
      'The bodies are shortened. Personal and secret values are replaced by their type, such as <string 11>. Lists end after ten items. Of an error only the code and the fields are kept, without its texts.',
    events: 'Events that came of it',
    eventsHint: 'Each link shows the webhook deliveries of that event type for this shipment.',
    curl: 'as curl',
    curlHint: 'Fill in the values between < and > first. The token comes from MIRSAL_TOKEN.',
    noCurl: 'Only the console makes this call, or its body was a file or was cut, so there is no command for it.',
    inReference: 'This operation in the API reference',
    again: 'Send again',
    againHint:
      'Opens the form of this operation in the API reference with what the log kept. Examples take the place of hidden values, and the Idempotency-Key is new. Nothing is sent before you press Send.',
  },
  ar: {
    up: 'الطلبات',
    at: 'الوقت',
    operation: 'العملية',
    from: 'المرسل',
    console: 'شخص في لوحة التحكم',
    correlationId: 'معرّف الترابط',
    requestId: 'معرّف الطلب',
    shipment: 'الشحنة',
    reference: 'الرقم المرجعي',
    duration: 'المدة',
    ms: 'م.ث',
    key: 'بصمة مفتاح منع التكرار',
    replayed: 'أُعيد رد أول طلب بهذا المفتاح',
    repeats: 'طلبات مطابقة تلته',
    asked: 'الطلب',
    answered: 'الرد',
    headers: 'ترويسات الطلب',
    requestBody: 'متن الطلب',
    responseBody: 'متن الرد',
    noBody: 'لم يكن هناك متن، أو كان أطول مما يحفظه السجل.',
    about: 'شرح هذا الخطأ',
    sent: 'القيمة المرسلة:',
    missing: 'لم يُرسل.',
    masks:
      'المتنان مختصران. تحل محل القيم الشخصية والسرية أنواعُها، مثل \u2066<string 11>\u2069. وتنتهي القوائم بعد عشرة عناصر. ولا يُحفظ من الخطأ إلا رمزه والحقول، دون نصوصه.',
    events: 'الأحداث الناتجة عنه',
    eventsHint: 'يعرض كل رابط عمليات تسليم هذا النوع من الأحداث لهذه الشحنة.',
    curl: 'أمر curl',
    curlHint: 'أكمل أولًا القيم التي بين العلامتين \u2066< >\u2069. يؤخذ الرمز من MIRSAL_TOKEN.',
    noCurl: 'لا تجري هذا الطلب إلا لوحة التحكم، أو كان متنه ملفًا أو اقتُطع، فلا أمر له.',
    inReference: 'هذه العملية في مرجع واجهة البرمجة',
    again: 'أعد الإرسال',
    againHint:
      'يفتح نموذج هذه العملية في مرجع واجهة البرمجة بما حفظه السجل. تحل أمثلة محل القيم المخفية، ومفتاح Idempotency-Key جديد. لا يُرسل شيء قبل أن تضغط «إرسال».',
  },
};

interface RequestPageProps {
  readonly requestId: string;
  readonly deployment: Deployment;
}

/** One request: what was asked, what was answered, and what came of it. */
export function RequestPage({ requestId, deployment }: RequestPageProps) {
  const text = textsOf(TEXTS);
  const loaded = useLoaded(`request ${requestId}`, () => service.requestLog.get.query({ requestId }));
  return (
    <WhenLoaded loaded={loaded}>
      {(entry) => (
        <>
          <PageHead
            title={<Exact>{`${entry.method} ${entry.path}`}</Exact>}
            up={{ to: addressOf('requests'), label: text.up }}
            lead={<AnswerPill entry={entry} />}
          />
          <Refusal entry={entry} />
          <Facts entry={entry} />
          <section class="part">
            <p class="small quiet">{text.masks}</p>
            <div class="exchange">
              <Asked entry={entry} />
              <Answered entry={entry} />
            </div>
          </section>
          {entry.shipmentId === null || entry.relatedEvents.length === 0 ? null : (
            <Events shipmentId={entry.shipmentId} eventIds={entry.relatedEvents} />
          )}
          <Again entry={entry} deployment={deployment} />
        </>
      )}
    </WhenLoaded>
  );
}

/** Why the request was refused, in sentences. The log keeps only codes, so the texts are those of this version. */
function Refusal({ entry }: { readonly entry: WholeEntry }) {
  const text = textsOf(TEXTS);
  const { code } = entry;
  if (code === null || !isProblemCode(code)) return null;
  const { title, detail } = PROBLEMS[code];
  const violations = violationsOf(entry);
  return (
    <div class="notice bad">
      <p>
        <strong>{title[locale]}</strong> {detail[locale]}
      </p>
      {violations.length === 0 ? null : (
        <ul>
          {violations.map((violation) => (
            <li key={`${violation.field} ${violation.code}`}>
              <Exact>{violation.field}</Exact> {ruleOf(violation)} <Sent entry={entry} violation={violation} />
            </li>
          ))}
        </ul>
      )}
      <p class="small">
        <a href={`/problems/${problemSlug(code)}?lang=${locale}`}>{text.about}</a>
      </p>
    </div>
  );
}

interface SentProps {
  readonly entry: WholeEntry;
  readonly violation: LoggedViolation;
}

/** The value that broke a rule, and the code of the rule. Values of a query are in the path. */
function Sent({ entry, violation: { field, code } }: SentProps) {
  const text = textsOf(TEXTS);
  const sent = sentAt(entry, field);
  return (
    <span class="quiet">
      {sent === undefined ? (
        code === 'REQUIRED' ? (
          text.missing
        ) : null
      ) : (
        <>
          {text.sent} <Exact>{sent}</Exact>
        </>
      )}{' '}
      (<Exact>{code}</Exact>)
    </span>
  );
}

/** The rule that a value broke, as the service says it to programs, and what to send instead. The log has no limits. */
function ruleOf({ field, code }: LoggedViolation): string {
  const rules: Readonly<Record<string, LocalText>> = VIOLATIONS;
  const rule = rules[code]?.[locale];
  const hint = FIELD_SENTENCES[`${code} ${field.slice(field.lastIndexOf('.') + 1)}`]?.[locale];
  return [rule === undefined ? [] : `${rule}.`, hint ?? []].flat().join(' ');
}

function Facts({ entry }: { readonly entry: WholeEntry }) {
  const text = textsOf(TEXTS);
  const { requestId, correlationId, shipmentId, externalReference, clientId, idempotencyKeyHash, repeats } = entry;
  const facts = [
    [text.at, <Moment at={entry.at} hasSeconds />],
    [text.operation, <Exact>{entry.operation}</Exact>],
    [text.from, clientId === null ? text.console : <Exact>{clientId}</Exact>],
    [text.duration, `${entry.durationMs} ${text.ms}`],
    [text.requestId, <Exact>{requestId}</Exact>],
    [
      text.correlationId,
      <Link to={addressOf('requests', { correlationId, source: 'ALL' })}>
        <Exact>{correlationId}</Exact>
      </Link>,
    ],
    [
      text.shipment,
      shipmentId === null ? undefined : (
        <Link to={addressOf(`shipments/${shipmentId}`)}>
          <Exact>{shipmentId}</Exact>
        </Link>
      ),
    ],
    [text.reference, externalReference === null ? undefined : <bdi>{externalReference}</bdi>],
    [
      text.key,
      idempotencyKeyHash === null ? undefined : (
        <>
          <Exact>{idempotencyKeyHash}</Exact> {entry.replayed ? `(${text.replayed})` : null}
        </>
      ),
    ],
    [text.repeats, repeats === 0 ? undefined : String(repeats)],
  ] as const;
  return <FactList facts={facts} />;
}

function Asked({ entry: { requestHeaders, requestBody } }: { readonly entry: WholeEntry }) {
  const text = textsOf(TEXTS);
  const headers = Object.entries(requestHeaders).map(([name, value]) => `${name}: ${value}`);
  return (
    <section>
      <h2>{text.asked}</h2>
      {headers.length === 0 ? null : (
        <>
          <h3>{text.headers}</h3>
          <Code text={headers.join('\n')} what={text.headers} />
        </>
      )}
      <h3>{text.requestBody}</h3>
      <Body body={requestBody} what={text.requestBody} />
    </section>
  );
}

function Answered({ entry }: { readonly entry: WholeEntry }) {
  const text = textsOf(TEXTS);
  return (
    <section>
      <h2>{text.answered}</h2>
      <h3>{text.responseBody}</h3>
      <Body body={entry.responseBody} what={text.responseBody} />
    </section>
  );
}

function Body({ body, what }: { readonly body: WholeEntry['requestBody']; readonly what: string }) {
  if (body === null) return <p class="quiet">{textsOf(TEXTS).noBody}</p>;
  return <Code text={JSON.stringify(body, null, 2)} what={what} />;
}

interface EventsProps {
  readonly shipmentId: string;
  readonly eventIds: readonly string[];
}

/** The events that the request caused. The log has only their ids, so the events of the shipment give the types. */
function Events({ shipmentId, eventIds }: EventsProps) {
  const text = textsOf(TEXTS);
  const loaded = useLoaded(`events ${shipmentId}`, () => readAll(service.events.list, { shipmentId }));
  return (
    <section class="part">
      <h2>{text.events}</h2>
      <p class="small quiet">{text.eventsHint}</p>
      <WhenLoaded loaded={loaded}>
        {(events) => (
          <ul class="plain-list">
            {eventIds.map((eventId) => {
              const eventType = events.find(({ id }) => id === eventId)?.type;
              return (
                <li key={eventId}>
                  <Link to={addressOf('webhooks/deliveries', { shipmentId, eventType })}>
                    <Exact>{eventType ?? eventId}</Exact>
                  </Link>
                </li>
              );
            })}
          </ul>
        )}
      </WhenLoaded>
    </section>
  );
}

/**
 * What helps to send the request again: a command, and outside production the form of the reference. The log has no hidden
 * values to send it from here.
 */
function Again({ entry, deployment }: Omit<RequestPageProps, 'requestId'> & { readonly entry: WholeEntry }) {
  const text = textsOf(TEXTS);
  const { curl, path, operation } = entry;
  const isInReference = operation !== NO_OPERATION && !path.startsWith('/trpc/');
  const reference = `/docs?lang=${locale}#${operationAnchor(operation)}`;
  const sendAgain = () => {
    handOver(entry, Date.now());
    location.assign(reference);
  };
  return (
    <section class="part">
      <h2>{text.curl}</h2>
      {curl === null ? (
        <p class="quiet">{text.noCurl}</p>
      ) : (
        <>
          <p class="small quiet">{text.curlHint}</p>
          <Code text={curl} what={text.curl} />
        </>
      )}
      {curl === null || deployment === 'production' || !isInReference ? null : (
        <>
          <p class="small quiet">{text.againHint}</p>
          <p>
            <Button onClick={sendAgain}>{text.again}</Button>
          </p>
        </>
      )}
      {isInReference ? (
        <p>
          <a href={reference}>{text.inReference}</a>
        </p>
      ) : null}
    </section>
  );
}
