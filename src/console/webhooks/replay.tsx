import { useState } from 'preact/hooks';
import { REPLAY_DAYS_MAX, REPLAY_MATCHED_MAX } from '../../core/limits.ts';
import { riyadhInstant, riyadhText } from '../../core/riyadh.ts';
import { companyNow } from '../../ui/browser/base/company-clock.ts';
import { formatCount, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, navigate } from '../../ui/browser/base/navigation.tsx';
import { Confirm } from '../../ui/browser/kit/dialog.tsx';
import { Checks, Field } from '../../ui/browser/kit/field.tsx';
import { Button } from '../../ui/browser/kit/form.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { type Outputs, service } from '../../ui/browser/service/calls.ts';
import { violationAt } from '../../ui/browser/service/failure.ts';
import { useEvery, useLoaded, useSettled, useWork } from '../../ui/browser/service/loading.ts';
import { type Endpoint, statusLabel } from './words.tsx';

const TEXTS = {
  en: {
    title: 'Replay',
    lead: 'Send the deliveries of a time range again. The events keep their ids.',
    disabled: 'Enable the endpoint first. Nothing is sent to a disabled endpoint.',
    choose: 'Choose a time range',
    recover: 'Recover all failed',
    recovery: 'Recover all failed deliveries',
    since: 'Failed since',
    all: 'Every delivery that failed or was skipped since then is sent again, the oldest first.',
    matched: (count: number) => `Deliveries to send: ${countOf(count)}.`,
    tooMany: `One replay sends at most ${formatCount(REPLAY_MATCHED_MAX)}. Enter a later time, or choose a time range.`,
    none: 'Nothing failed since then.',
    nothing: `Nothing that failed in the last ${REPLAY_DAYS_MAX} days is still missing.`,
    question: 'Replay a time range',
    hint: `At most ${REPLAY_DAYS_MAX} days.`,
    from: 'From',
    to: 'To',
    statuses: 'Only deliveries with this status',
    start: 'Replay',
  },
  ar: {
    title: 'إعادة الإرسال',
    lead: 'تُعاد عمليات التسليم خلال مدة معينة، وتبقى معرّفات الأحداث كما هي.',
    disabled: 'فعّل نقطة الاستقبال أولًا. لا يُرسل شيء إلى نقطة موقوفة.',
    choose: 'اختر المدة',
    recover: 'استعادة كل ما فشل',
    recovery: 'استعادة كل عمليات التسليم الفاشلة',
    since: 'فشلت منذ',
    all: 'يُعاد إرسال كل ما فشل أو تُخطي منذ ذلك الوقت، الأقدم أولًا.',
    matched: (count: number) => `عدد ما سيُرسل: ${countOf(count)}.`,
    tooMany: `تُعيد المرة الواحدة إرسال ${formatCount(REPLAY_MATCHED_MAX)} على الأكثر. اكتب وقتًا بعده أو اختر مدة.`,
    none: 'لم يفشل شيء منذ ذلك الوقت.',
    nothing: `لا ينقص نظامك شيء مما فشل في آخر ${REPLAY_DAYS_MAX} أيام.`,
    question: 'إعادة إرسال مدة',
    hint: `${REPLAY_DAYS_MAX} أيام على الأكثر.`,
    from: 'من',
    to: 'إلى',
    statuses: 'عمليات التسليم بهذه الحالة فقط',
    start: 'أعد الإرسال',
  },
};
const STATUSES = ['SUCCEEDED', 'EXHAUSTED', 'SKIPPED'] as const;
type Status = (typeof STATUSES)[number];
const FAILED = ['EXHAUSTED', 'SKIPPED'] as const;
const DAY_MS = 86_400_000;
/** The field has no seconds, so the range ends after the current minute. */
const MINUTE_MS = 60_000;

interface ReplayRangeProps {
  readonly endpoint: Endpoint;
  readonly replayId: string | undefined;
}

/** Replays a time range. The address has the replay's id, so that its progress is visible after a reload. */
export function ReplayRange({ endpoint, replayId }: ReplayRangeProps) {
  const text = textsOf(TEXTS);
  const { endpointId, state } = endpoint;
  const [asking, setAsking] = useState<'range' | 'recovery'>();
  const close = () => setAsking(undefined);
  return (
    <section class="part">
      <h2>{text.title}</h2>
      <p class="quiet">{state === 'ENABLED' ? text.lead : text.disabled}</p>
      {replayId === undefined ? null : <ReplayProgress key={replayId} endpointId={endpointId} replayId={replayId} />}
      <div class="actions">
        <Button isDisabled={state !== 'ENABLED'} onClick={() => setAsking('recovery')}>
          {text.recover}
        </Button>
        <Button isDisabled={state !== 'ENABLED'} onClick={() => setAsking('range')}>
          {text.choose}
        </Button>
      </div>
      {asking === 'range' ? <RangeDialog endpointId={endpointId} onClose={close} /> : null}
      {asking === 'recovery' ? <Recovery endpointId={endpointId} onClose={close} /> : null}
    </section>
  );
}

interface RecoveryProps {
  readonly endpointId: string;
  readonly onClose: () => void;
}

const TYPING_MS = 300;

/** Sends again what failed since a time: by default since the oldest failure whose event the receiver still misses. */
function Recovery({ endpointId, onClose }: RecoveryProps) {
  const text = textsOf(TEXTS);
  const [typed, setTyped] = useState<string>();
  const settled = useSettled(typed, TYPING_MS);
  const loaded = useLoaded(`recovery ${endpointId} ${settled}`, () =>
    service.webhookEndpoints.recovery.query({
      endpointId,
      ...(settled === undefined ? {} : { from: riyadhInstant(settled) }),
    }),
  );
  const { from = null, matched = 0 } = loaded.value ?? {};
  const since = typed ?? (from === null ? '' : riyadhText(Date.parse(from)));
  const work = useWork(async () => {
    const to = new Date(companyNow() + MINUTE_MS).toISOString();
    const order = { endpointId, from: from ?? riyadhInstant(since), to, statuses: [...FAILED] };
    const { replayId } = await service.webhookEndpoints.replay.mutate(order);
    navigate(addressOf(`webhooks/${endpointId}`, { replay: replayId }), { isReplacing: true });
  });
  const isNone = loaded.value !== undefined && matched === 0;
  const isTooMany = matched > REPLAY_MATCHED_MAX;
  return (
    <Confirm
      title={text.recovery}
      verb={text.start}
      work={work}
      isReady={matched > 0 && !isTooMany && typed === settled}
      isDanger={false}
      isForCompany
      fields={['from']}
      onDone={onClose}
      onClose={onClose}
    >
      <p>{text.all}</p>
      <Field
        type="datetime-local"
        dir="ltr"
        label={text.since}
        hint={text.hint}
        value={since}
        onChange={setTyped}
        error={violationAt(loaded.failure ?? work.failure, 'from', since)}
      />
      <p role="status">
        {isNone ? (typed === undefined ? text.nothing : text.none) : matched > 0 ? text.matched(matched) : ''}{' '}
        {isTooMany ? text.tooMany : null}
      </p>
    </Confirm>
  );
}

function RangeDialog({ endpointId, onClose }: { readonly endpointId: string; readonly onClose: () => void }) {
  const text = textsOf(TEXTS);
  const [range, setRange] = useState(() => ({
    from: riyadhText(companyNow() - DAY_MS),
    to: riyadhText(companyNow() + MINUTE_MS),
  }));
  const [statuses, setStatuses] = useState<readonly Status[]>(FAILED);
  const work = useWork(async () => {
    const order = { endpointId, from: riyadhInstant(range.from), to: riyadhInstant(range.to), statuses: [...statuses] };
    const { replayId } = await service.webhookEndpoints.replay.mutate(order);
    navigate(addressOf(`webhooks/${endpointId}`, { replay: replayId }), { isReplacing: true });
  });
  return (
    <Confirm
      title={text.question}
      verb={text.start}
      work={work}
      isDanger={false}
      isForCompany
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
          error={violationAt(work.failure, end, range[end])}
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

type Replay = Outputs['webhookEndpoints']['getReplay'];

const REPLAY_PROGRESS_TEXTS = {
  en: {
    RUNNING: 'Replay running',
    COMPLETED: 'Replay complete',
    none: 'There was nothing to send in this time range.',
    CANCELLED: 'Replay ended early: the endpoint was disabled.',
    sent: (sent: number, matched: number) => `${sent} of ${matched} sent`,
    succeeded: 'delivered',
    exhausted: 'failed',
    label: 'Progress of the replay',
  },
  ar: {
    RUNNING: 'إعادة الإرسال جارية',
    COMPLETED: 'اكتملت إعادة الإرسال',
    none: 'لم يكن في هذه المدة ما يُرسل.',
    CANCELLED: 'انتهت إعادة الإرسال مبكرًا: أُوقفت نقطة الاستقبال.',
    sent: (sent: number, matched: number) => `أُرسل ${sent} من ${matched}`,
    succeeded: 'سُلّمت',
    exhausted: 'تعذّر تسليمها',
    label: 'تقدّم إعادة الإرسال',
  },
};
const REFRESH_MS = 1_000;

/** The progress of a replay. It refreshes until every delivery has ended. */
function ReplayProgress(target: { readonly endpointId: string; readonly replayId: string }) {
  const loaded = useLoaded(`replay ${target.replayId}`, () => service.webhookEndpoints.getReplay.query(target));
  const isOver = loaded.value !== undefined && isReplayOver(loaded.value);
  useEvery(REFRESH_MS, loaded.reload, !(loaded.isLoading || isOver));
  return <WhenLoaded loaded={loaded}>{(replay) => <Progress replay={replay} />}</WhenLoaded>;
}

/** A replay is complete when all its deliveries are queued, but some of them may not have ended yet. */
function isReplayOver({ state, matched, succeeded, exhausted }: Replay): boolean {
  return state === 'CANCELLED' || (state === 'COMPLETED' && succeeded + exhausted >= matched);
}

function Progress({ replay }: { readonly replay: Replay }) {
  const text = textsOf(REPLAY_PROGRESS_TEXTS);
  const { state, matched, succeeded, exhausted } = replay;
  const sent = succeeded + exhausted;
  const shown = state === 'COMPLETED' && !isReplayOver(replay) ? 'RUNNING' : state;
  return (
    <div class="replay" role="status">
      <p>
        <strong>{text[shown]}</strong>
      </p>
      {matched === 0 ? (
        <p>{text.none}</p>
      ) : (
        <>
          <progress aria-label={text.label} max={matched} value={sent} />
          <p class="small">
            {text.sent(sent, matched)} · {text.succeeded}: {succeeded} · {text.exhausted}: {exhausted}
          </p>
        </>
      )}
    </div>
  );
}

/** The service counts up to one more than a replay takes. */
function countOf(matched: number): string {
  return matched > REPLAY_MATCHED_MAX ? `${formatCount(REPLAY_MATCHED_MAX)}+` : formatCount(matched);
}
