import { useState } from 'preact/hooks';
import { EVENT_TYPES, type EventType } from '../../contract/event-type.ts';
import { textsOf } from '../base/locale.ts';
import { Choice } from '../kit/field.tsx';
import { Button, Form } from '../kit/form.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { Code, Exact } from '../kit/text.tsx';
import { type Outputs, service } from '../service/calls.ts';
import { useWork } from '../service/loading.ts';
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
  },
};
const OPTIONS = EVENT_TYPES.map((value) => ({ value, label: value }));

/** Sends a test event to an endpoint and shows what was signed, sent and answered. */
export function TestEvent({ endpointId }: { readonly endpointId: string }) {
  const text = textsOf(TEXTS);
  const [eventType, setEventType] = useState<EventType>('shipment.created');
  const [result, setResult] = useState<Result>();
  const work = useWork(async () => {
    setResult(undefined);
    setResult(await service.webhookEndpoints.sendTestEvent.mutate({ endpointId, eventType }));
  });
  return (
    <section class="part">
      <h2>{text.title}</h2>
      <p class="quiet">{text.lead}</p>
      <Form class="filters" onSubmit={() => void work.start(undefined)}>
        <Choice label={text.kind} value={eventType} options={OPTIONS} onChange={setEventType} />
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
