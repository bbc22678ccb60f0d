import type { Deployment } from '../../core/deployment.ts';
import { locale, textsOf } from '../base/locale.ts';
import { addressOf, Link } from '../base/navigation.tsx';
import { WhenLoaded } from '../kit/loading.tsx';
import { PageHead } from '../kit/page.tsx';
import { Code, Exact, Moment } from '../kit/text.tsx';
import { type Outputs, service } from '../service/calls.ts';
import { useLoaded } from '../service/loading.ts';
import { AnswerPill, sentAt, violationsOf } from './entries.tsx';

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
    replayed: 'the first answer was repeated',
    repeats: 'Equal requests that followed',
    asked: 'What was asked',
    answered: 'What was answered',
    headers: 'Headers of the request',
    requestBody: 'Body of the request',
    responseBody: 'Body of the answer',
    noBody: 'There was no body, or it was too long for the log.',
    violations: 'Violations',
    sent: 'sent:',
    missing: 'not sent',
    masks: 'Personal and secret values are replaced by their type, such as <string 11>.',
    events: 'Events that came of it',
    eventsHint: 'Each link shows the webhook deliveries of that event type for this shipment.',
    curl: 'as curl',
    curlHint: 'Fill in the values in angle brackets first. The token comes from MIRSAL_TOKEN.',
    noCurl: 'Only the console makes this call, or its body was cut, so there is no command for it.',
    inReference: 'This operation in the API reference',
    trial: 'Try this operation in the API reference',
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
    key: 'بصمة مفتاح عدم التكرار',
    replayed: 'أُعيد الرد الأول',
    repeats: 'طلبات مماثلة تلته',
    asked: 'ما طُلب',
    answered: 'ما كان الرد',
    headers: 'ترويسات الطلب',
    requestBody: 'متن الطلب',
    responseBody: 'متن الرد',
    noBody: 'لم يكن هناك متن، أو كان أطول مما يحفظه السجل.',
    violations: 'المخالفات',
    sent: 'المرسل:',
    missing: 'لم يُرسل',
    masks: 'تحل محل القيم الشخصية والسرية أنواعُها، مثل \u2066<string 11>\u2069.',
    events: 'الأحداث الناتجة عنه',
    eventsHint: 'يعرض كل رابط عمليات تسليم هذا النوع من الأحداث لهذه الشحنة.',
    curl: 'أمر curl',
    curlHint: 'أكمل أولًا القيم التي بين الأقواس المعقوفة. يؤخذ الرمز من MIRSAL_TOKEN.',
    noCurl: 'لا تجري هذا الطلب إلا لوحة التحكم، أو اقتُطع متنه، فلا أمر له.',
    inReference: 'هذه العملية في مرجع الواجهة',
    trial: 'جرّب هذه العملية في مرجع الواجهة',
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
            isLong
            up={{ to: addressOf('requests'), label: text.up }}
            lead={<AnswerPill entry={entry} />}
          />
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
      <Link to={addressOf('requests', { correlationId })}>
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
  return (
    <dl class="facts">
      {facts.map(([label, value]) =>
        value === undefined ? null : (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
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
  const violations = violationsOf(entry);
  return (
    <section>
      <h2>{text.answered}</h2>
      {violations.length === 0 ? null : (
        <>
          <h3>{text.violations}</h3>
          <ul class="plain-list">
            {violations.map(({ field, code }) => {
              const sent = sentAt(entry, field);
              return (
                <li key={`${field} ${code}`}>
                  <Exact>{field}</Exact>{' '}
                  <span class="wrong">
                    <Exact>{code}</Exact>
                  </span>{' '}
                  <span class="quiet">
                    {sent === undefined ? (
                      text.missing
                    ) : (
                      <>
                        {text.sent} <Exact>{sent}</Exact>
                      </>
                    )}
                  </span>
                </li>
              );
            })}
          </ul>
        </>
      )}
      <h3>{text.responseBody}</h3>
      <Body body={entry.responseBody} what={text.responseBody} />
    </section>
  );
}

function Body({ body, what }: { readonly body: WholeEntry['requestBody']; readonly what: string }) {
  if (body === null) return <p class="quiet">{textsOf(TEXTS).noBody}</p>;
  return <Code text={JSON.stringify(body, null, 2)} what={what} />;
}

/** As many as a page of events has. A shipment has about ten. */
const EVENTS = 100;

interface EventsProps {
  readonly shipmentId: string;
  readonly eventIds: readonly string[];
}

/** The events that the request caused. The log has only their ids, so the events of the shipment give the types. */
function Events({ shipmentId, eventIds }: EventsProps) {
  const text = textsOf(TEXTS);
  const loaded = useLoaded(`events ${shipmentId}`, () => service.events.list.query({ shipmentId, limit: EVENTS }));
  return (
    <section class="part">
      <h2>{text.events}</h2>
      <p class="small quiet">{text.eventsHint}</p>
      <WhenLoaded loaded={loaded}>
        {({ data }) => (
          <ul class="plain-list">
            {eventIds.map((eventId) => {
              const eventType = data.find(({ id }) => id === eventId)?.type;
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

/** What helps to send the request again. The log has no values to send it from here. */
function Again({
  entry: { curl, path, operation },
  deployment,
}: Omit<RequestPageProps, 'requestId'> & { readonly entry: WholeEntry }) {
  const text = textsOf(TEXTS);
  const anchor = operation.replaceAll('.', '-').toLowerCase();
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
      {path.startsWith('/trpc/') ? null : (
        <p>
          <a href={`/docs?lang=${locale}#${anchor}`}>{deployment === 'production' ? text.inReference : text.trial}</a>
        </p>
      )}
    </section>
  );
}
