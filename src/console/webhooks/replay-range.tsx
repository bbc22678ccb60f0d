import { useState } from 'preact/hooks';
import { Button } from '../kit/button.tsx';
import { Checks } from '../kit/checks.tsx';
import { Confirm } from '../kit/confirm.tsx';
import { Field } from '../kit/field.tsx';
import { instantOf, localText } from '../kit/local-moment.ts';
import { violationAt } from '../service/failure.ts';
import { service } from '../service/service.ts';
import { useWork } from '../service/use-loaded.ts';
import { textsOf } from '../shell/locale.ts';
import { addressOf, go } from '../shell/place.ts';
import { ReplayProgress } from './replay-progress.tsx';
import { type Endpoint, statusLabel } from './words.tsx';

const TEXTS = {
  en: {
    title: 'Replay',
    lead: 'Send once more what was delivered in a range of time: the same events under the same ids.',
    disabled: 'Enable the endpoint first: nothing is sent to it now.',
    choose: 'Choose a range',
    question: 'Replay a range',
    hint: 'At most seven days.',
    from: 'From',
    to: 'To',
    statuses: 'Only deliveries that were',
    start: 'Replay',
  },
  ar: {
    title: 'إعادة الإرسال',
    lead: 'أرسل مرة أخرى ما سُلّم في مدة معينة: الأحداث نفسها بالمعرّفات نفسها.',
    disabled: 'فعّل نقطة الاستقبال أولًا: لا يُرسل إليها شيء الآن.',
    choose: 'اختر المدة',
    question: 'إعادة إرسال مدة',
    hint: 'سبعة أيام على الأكثر.',
    from: 'من',
    to: 'إلى',
    statuses: 'عمليات التسليم التي كانت',
    start: 'أعد الإرسال',
  },
};
const STATUSES = ['SUCCEEDED', 'EXHAUSTED', 'SKIPPED'] as const;
type Status = (typeof STATUSES)[number];
const DAY_MS = 86_400_000;
/** The field knows minutes; what came in this one is meant too. */
const MINUTE_MS = 60_000;

interface ReplayRangeProps {
  readonly endpoint: Endpoint;
  readonly replayId: string | undefined;
}

/** Replays a range of an endpoint. The address keeps which, so that its progress is there after a reload. */
export function ReplayRange({ endpoint: { endpointId, state }, replayId }: ReplayRangeProps) {
  const text = textsOf(TEXTS);
  const [isAsking, setIsAsking] = useState(false);
  return (
    <section class="part">
      <h2>{text.title}</h2>
      <p class="quiet">{state === 'ENABLED' ? text.lead : text.disabled}</p>
      {replayId === undefined ? null : <ReplayProgress key={replayId} endpointId={endpointId} replayId={replayId} />}
      <Button isDisabled={state !== 'ENABLED'} onClick={() => setIsAsking(true)}>
        {text.choose}
      </Button>
      {isAsking ? <RangeDialog endpointId={endpointId} onClose={() => setIsAsking(false)} /> : null}
    </section>
  );
}

function RangeDialog({ endpointId, onClose }: { readonly endpointId: string; readonly onClose: () => void }) {
  const text = textsOf(TEXTS);
  const [range, setRange] = useState(() => ({
    from: localText(new Date(Date.now() - DAY_MS)),
    to: localText(new Date(Date.now() + MINUTE_MS)),
  }));
  const [statuses, setStatuses] = useState<readonly Status[]>(['EXHAUSTED', 'SKIPPED']);
  const work = useWork(async () => {
    const order = { endpointId, from: instantOf(range.from), to: instantOf(range.to), statuses: [...statuses] };
    const { replayId } = await service.webhookEndpoints.replay.mutate(order);
    go(addressOf(`webhooks/${endpointId}`, { replay: replayId }), { isReplacing: true });
  });
  return (
    <Confirm
      title={text.question}
      verb={text.start}
      work={work}
      isDanger={false}
      isReady={statuses.length > 0}
      fields={['from', 'to']}
      onDone={onClose}
      onClose={onClose}
    >
      <p class="quiet">{text.hint}</p>
      {(['from', 'to'] as const).map((end) => (
        <Field
          key={end}
          type="datetime-local"
          dir="ltr"
          label={text[end]}
          value={range[end]}
          onChange={(value) => setRange({ ...range, [end]: value })}
          error={violationAt(work.failure, end)}
        />
      ))}
      <Checks
        label={text.statuses}
        options={STATUSES.map((value) => ({ value, label: statusLabel(value) }))}
        values={statuses}
        onChange={setStatuses}
      />
    </Confirm>
  );
}
