import { useState } from 'preact/hooks';
import { EVENT_TYPES, type EventType, type ReceiverCheck } from '../../contract/event-type.ts';
import type { Locale } from '../../core/locale.ts';
import { locale, textsOf } from '../../ui/browser/base/locale.ts';
import { Check, Choice } from '../../ui/browser/kit/field.tsx';
import { Button, Form } from '../../ui/browser/kit/form.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { Code, Exact } from '../../ui/browser/kit/text.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { useWork } from '../../ui/browser/service/loading.ts';
import { Pill } from '../../ui/state.tsx';
import { Outcome } from './words.tsx';

type Result = Outputs['webhookEndpoints']['sendTestEvent'];

const TEXTS = {
  en: {
    title: 'Test event',
    lead: 'The service signs a sample event, sends it now and shows the result.',
    kind: 'Event type',
    send: 'Send',
    after: 'after',
    ms: 'ms',
    headers: 'Sent headers',
    body: 'Sent body',
    signed: 'Signed text',
    accepted: 'Accepted.',
    checks: 'Also try my receiver with forged and repeated requests',
    verdicts: {
      right: 'Your receiver verifies signatures and accepts repeats.',
      wrong: 'Your receiver is not right yet.',
      none: 'The checks say nothing, because your receiver did not accept the test event itself.',
    },
    right: 'right',
    mistaken: 'wrong',
  },
  ar: {
    title: 'حدث تجريبي',
    lead: 'تُرسل الخدمة الآن حدثًا نموذجيًا موقّعًا وتعرض النتيجة.',
    kind: 'نوع الحدث',
    send: 'إرسال',
    after: 'بعد',
    ms: 'م.ث',
    headers: 'الترويسات المرسلة',
    body: 'المتن المرسل',
    signed: 'النص الذي وُقّع',
    accepted: 'قُبل.',
    checks: 'جرّب أيضًا نظامي المستقبِل بطلبات مزورة وطلب مكرر',
    verdicts: {
      right: 'يتحقق نظامك المستقبِل من التوقيعات ويقبل التكرار.',
      wrong: 'نظامك المستقبِل غير سليم بعد.',
      none: 'لا تدل الاختبارات على شيء، لأن نظامك المستقبِل لم يقبل الحدث التجريبي نفسه.',
    },
    right: 'سليم',
    mistaken: 'خطأ',
  },
};
/** What each check shows, if the receiver accepted the request and if not. */
const CHECKS: Readonly<
  Record<ReceiverCheck, { readonly isWanted: boolean } & Record<Locale, readonly [accepted: string, refused: string]>>
> = {
  WRONG_SIGNATURE: {
    isWanted: false,
    en: ['It accepted a wrong signature: anybody can send it events.', 'It refused a wrong signature.'],
    ar: ['قَبِل توقيعًا خاطئًا: يستطيع أي شخص أن يرسل إليه أحداثًا.', 'رفض توقيعًا خاطئًا.'],
  },
  OLD_TIMESTAMP: {
    isWanted: false,
    en: ['It accepted a request that was signed an hour ago: compare webhook-timestamp.', 'It refused an old request.'],
    ar: ['قَبِل طلبًا وُقّع قبل ساعة: قارن webhook-timestamp.', 'رفض طلبًا قديمًا.'],
  },
  EMPTY_KEY: {
    isWanted: false,
    en: [
      'It accepted a signature with an empty key: check that its secret is set.',
      'It refused a signature with an empty key.',
    ],
    ar: ['قَبِل توقيعًا بمفتاح فارغ: تأكد من ضبط السر لديه.', 'رفض توقيعًا بمفتاح فارغ.'],
  },
  DUPLICATE: {
    isWanted: true,
    en: ['It accepted the same event again.', 'It refused the same event again: answer 2xx to repeats, and skip them.'],
    ar: ['قَبِل الحدث نفسه مرة أخرى.', 'رفض الحدث نفسه مرة أخرى: أجب عن المكرر بالحالة 2xx وتجاوزه.'],
  },
};
const OPTIONS = EVENT_TYPES.map((value) => ({ value, label: value }));

/** Sends a test event to an endpoint and shows what was signed, sent and answered. */
export function TestEvent({ endpointId }: { readonly endpointId: string }) {
  const text = textsOf(TEXTS);
  const [eventType, setEventType] = useState<EventType>('shipment.created');
  const [hasChecks, setHasChecks] = useState(false);
  const [result, setResult] = useState<Result>();
  const work = useWork(async () => {
    setResult(undefined);
    setResult(await service.webhookEndpoints.sendTestEvent.mutate({ endpointId, eventType, checks: hasChecks }));
  });
  return (
    <section class="part">
      <h2>{text.title}</h2>
      <p class="quiet">{text.lead}</p>
      <Form class="filters" onSubmit={() => void work.start(undefined)}>
        <Choice label={text.kind} value={eventType} options={OPTIONS} onChange={setEventType} />
        <Check label={text.checks} isOn={hasChecks} onChange={setHasChecks} />
        <div class="field">
          <Button type="submit" isBusy={work.isBusy}>
            {text.send}
          </Button>
        </div>
      </Form>
      {work.failure === undefined ? null : <ProblemNotice failure={work.failure} />}
      {result === undefined ? null : <TestResult result={result} />}
    </section>
  );
}

function TestResult({ result }: { readonly result: Result }) {
  const text = textsOf(TEXTS);
  const { headers, body, durationMs, error } = result;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <div class="test-result" role="status">
      <p class="answer">
        {error === null ? `${text.accepted} ` : ''}
        <Outcome attempt={result} />
      </p>
      <p class="quiet">
        {text.after} <bdi dir="ltr">{durationMs}</bdi> {text.ms}
      </p>
      <CheckResults result={result} />
      <h3>{text.headers}</h3>
      <Code text={lines.join('\n')} what={text.headers} />
      <h3>{text.body}</h3>
      <Code text={body} what={text.body} />
      <h3>{text.signed}</h3>
      <p>
        <Exact>{`${headers['webhook-id']}.${headers['webhook-timestamp']}.`}</Exact> + {text.body}
      </p>
    </div>
  );
}

function CheckResults({ result: { checks, error } }: { readonly result: Result }) {
  const text = textsOf(TEXTS);
  if (checks === undefined) return null;
  if (error !== null) return <p class="notice">{text.verdicts.none}</p>;
  const isRight = checks.every(({ name, accepted }) => accepted === CHECKS[name].isWanted);
  return (
    <>
      <p class={isRight ? 'notice' : 'notice bad'}>{isRight ? text.verdicts.right : text.verdicts.wrong}</p>
      <ul class="test-checks">
        {checks.map(({ name, accepted }) => {
          const { isWanted, [locale]: words } = CHECKS[name];
          const isAsWanted = accepted === isWanted;
          return (
            <li key={name}>
              <Pill tone={isAsWanted ? 'good' : 'bad'}>{isAsWanted ? text.right : text.mistaken}</Pill>{' '}
              {words[accepted ? 0 : 1]}
            </li>
          );
        })}
      </ul>
    </>
  );
}
