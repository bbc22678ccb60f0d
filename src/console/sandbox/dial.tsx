import { useRef, useState } from 'preact/hooks';
import type { ClockEntry } from '../../contract/sandbox.ts';
import { RIYADH_AHEAD_MS, riyadhInstant, riyadhText } from '../../core/riyadh.ts';
import { companyNow, useNow } from '../../ui/browser/base/company-clock.ts';
import { formatAhead, formatClock, formatWeekday, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { Field } from '../../ui/browser/kit/field.tsx';
import { Button, Form } from '../../ui/browser/kit/form.tsx';
import { WhenLoaded } from '../../ui/browser/kit/loading.tsx';
import { ProblemNotice } from '../../ui/browser/kit/problem-notice.tsx';
import { Exact } from '../../ui/browser/kit/text.tsx';
import { type Inputs, type Outputs, service } from '../../ui/browser/service/calls.ts';
import { type CallFailure, violationAt } from '../../ui/browser/service/failure.ts';
import { useEvery, useLoaded, useWork, type Work } from '../../ui/browser/service/loading.ts';
import { Pill } from '../../ui/state.tsx';

type Clock = Outputs['sandbox']['readClock'];
type Due = Clock['nextDue'][number];
type Advance = Inputs['sandbox']['advanceClock'];

const TEXTS = {
  en: {
    title: 'Clock',
    lead: 'Move your company’s time ahead. Everything that is due on the way happens at its own time. The clock never goes back.',
    READY: 'The clock runs',
    ADVANCING: 'Advancing to',
    real: 'real time',
    hour: 'One hour ahead',
    day: 'One day ahead',
    to: 'Or a time of your choice',
    go: 'Advance to this time',
    due: 'What is due',
    none: 'Nothing is due. Create a shipment or a tracking link, and this list shows what happens next.',
    play: 'Play',
    advancing: 'The clock is already advancing. Wait until it runs again, then try once more.',
    range: 'Choose a time after the clock of the sandbox, and at most a year after the real time.',
    notReady: 'The sandbox has no clock yet. Create what is missing first.',
  },
  ar: {
    title: 'الساعة',
    lead: 'قدّم وقت شركتك. كل ما يحين موعده في الأثناء يحدث في موعده. لا ترجع الساعة إلى الوراء أبدًا.',
    READY: 'الساعة تعمل',
    ADVANCING: 'تتقدم الساعة إلى',
    real: 'الوقت الحقيقي',
    hour: 'ساعة إلى الأمام',
    day: 'يوم إلى الأمام',
    to: 'أو وقت تختاره',
    go: 'قدّم الساعة إلى هذا الوقت',
    due: 'ما يحين موعده',
    none: 'لا موعد لشيء الآن. أنشئ شحنة أو رابط تتبع لترى هنا ما يحدث بعد ذلك.',
    play: 'شغّل',
    advancing: 'الساعة تتقدم الآن. انتظر حتى تعمل من جديد ثم أعد المحاولة.',
    range: 'اختر وقتًا بعد ساعة البيئة التجريبية، ولا يتجاوز الوقت الحقيقي بأكثر من سنة.',
    notReady: 'ليس للبيئة التجريبية ساعة بعد. أنشئ ما ينقص أولًا.',
  },
};

/** What happens when a thing is due. */
const DUE_TEXTS: Readonly<Record<'en' | 'ar', Readonly<Record<ClockEntry, string>>>> = {
  en: {
    APPROVAL: 'The shipment is approved',
    OFFER_EXPIRY: 'The offer to the driver expires',
    DISPATCH_LOOK: 'The search for a driver begins',
    DISPATCH_GIVE_UP: 'The search ends without a driver',
    RESOLUTION: 'The default is taken after a failed delivery',
    SCENARIO_STEP: 'The scenario takes its next step',
    WEBHOOK_ATTEMPT: 'A webhook is sent',
    WEBHOOK_DISABLE: 'A failing webhook endpoint is disabled',
    LINK_EXPIRY: 'A tracking link expires',
  },
  ar: {
    APPROVAL: 'تتم الموافقة على الشحنة',
    OFFER_EXPIRY: 'تنتهي مهلة العرض على السائق',
    DISPATCH_LOOK: 'يبدأ البحث عن سائق',
    DISPATCH_GIVE_UP: 'ينتهي البحث دون العثور على سائق',
    RESOLUTION: 'يُعتمد الخيار التلقائي بعد تعذّر التوصيل',
    SCENARIO_STEP: 'ينفّذ السيناريو خطوته التالية',
    WEBHOOK_ATTEMPT: 'يُرسل إشعار برمجي',
    WEBHOOK_DISABLE: 'تُوقف نقطة استقبال لا تستجيب',
    LINK_EXPIRY: 'ينتهي رابط تتبع',
  },
};

const REFRESH_MS = 5_000;
const ADVANCING_REFRESH_MS = 1_000;
const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** The company's time, buttons that advance it, and what is due next. */
export function Dial() {
  const text = textsOf(TEXTS);
  const loaded = useLoaded('clock', readDial);
  const isAdvancing = loaded.value?.state === 'ADVANCING';
  useEvery(isAdvancing ? ADVANCING_REFRESH_MS : REFRESH_MS, loaded.reload, !loaded.isLoading);
  const status = useRef<HTMLParagraphElement>(null);
  const work = useWork(async (order: Advance) => {
    await service.sandbox.advanceClock.mutate(order);
    loaded.reload();
  });
  // What was played leaves the list with its button, so the state takes the focus.
  const play = async (due: Due) => {
    if (await work.start(advanceTo(due))) status.current?.focus();
  };
  return (
    <section class="part clock">
      <h2>{text.title}</h2>
      <p class="quiet">{text.lead}</p>
      <WhenLoaded loaded={loaded}>
        {(clock) => (
          <div class="dial">
            <Face offsetSeconds={clock.offsetSeconds} />
            <p role="status" ref={status} tabIndex={-1}>
              <Pill tone={isAdvancing ? 'waiting' : 'running'}>{text[clock.state]}</Pill>{' '}
              {clock.target === null ? null : <bdi>{formatClock(clock.target, clock.now)}</bdi>}
            </p>
            {work.failure === undefined ? null : <ProblemNotice failure={explained(work.failure)} />}
            <div class="actions">
              {([HOUR_SECONDS, DAY_SECONDS] as const).map((seconds) => (
                <Button
                  key={seconds}
                  isBusy={work.isBusy}
                  isDisabled={isAdvancing}
                  onClick={() => void work.start({ seconds })}
                >
                  {seconds === HOUR_SECONDS ? text.hour : text.day}
                </Button>
              ))}
            </div>
            <Chosen isAdvancing={isAdvancing} onBegun={loaded.reload} />
            <h3>{text.due}</h3>
            {clock.nextDue.length === 0 ? <p class="quiet">{text.none}</p> : null}
            <ul class="due">
              {clock.nextDue.map((due, index) => (
                <li key={`${due.at} ${due.what} ${due.shipmentId} ${index}`}>
                  <DueThing due={due} now={clock.now} />
                  <Button isDisabled={isAdvancing || work.isBusy} onClick={() => void play(due)}>
                    {text.play}{' '}
                    <span class="unseen">{`${textsOf(DUE_TEXTS)[due.what]} (${formatClock(due.at, clock.now)})`}</span>
                  </Button>
                </li>
              ))}
            </ul>
          </div>
        )}
      </WhenLoaded>
    </section>
  );
}

/** The numbers of shipments by their ids. They never change, so each is read once. */
const NUMBERS = new Map<string, string>();

async function readDial(): Promise<Clock> {
  const clock = await service.sandbox.readClock.query({});
  const ids = new Set(clock.nextDue.flatMap(({ shipmentId }) => shipmentId ?? []));
  const read = async (shipmentId: string) => {
    // A number that cannot be read is left out, and asked for again by the next look.
    const shipment = await service.shipments.get.query({ shipmentId }).catch(() => undefined);
    if (shipment !== undefined) NUMBERS.set(shipmentId, shipment.shipmentNumber);
  };
  await Promise.all([...ids].filter((id) => !NUMBERS.has(id)).map(read));
  return clock;
}

/** What was due while nobody looked is done by the shortest advance. */
function advanceTo({ at }: Due): Advance {
  return Date.parse(at) > companyNow() ? { to: at } : { seconds: 1 };
}

/** A clock's face with the company's time beside it. The hands say nothing that the words do not. */
function Face({ offsetSeconds }: { readonly offsetSeconds: number }) {
  const now = useNow();
  const minutes = Math.floor((now + RIYADH_AHEAD_MS) / 60_000);
  return (
    <p class="answer face">
      <svg viewBox="0 0 40 40" aria-hidden="true">
        <circle cx="20" cy="20" r="18" />
        <path d="M20 20V10" transform={`rotate(${(minutes % 720) / 2} 20 20)`} />
        <path d="M20 20V6" transform={`rotate(${(minutes % 60) * 6} 20 20)`} />
      </svg>
      <span>
        <time dateTime={new Date(now).toISOString()} role="timer" aria-live="off">
          <bdi>{formatWeekday(now)}</bdi>
        </time>{' '}
        ({offsetSeconds === 0 ? textsOf(TEXTS).real : formatAhead(offsetSeconds)})
      </span>
    </p>
  );
}

interface ChosenProps {
  readonly isAdvancing: boolean;
  readonly onBegun: () => void;
}

/** An advance to a time that the person chooses. */
function Chosen({ isAdvancing, onBegun }: ChosenProps) {
  const text = textsOf(TEXTS);
  const [to, setTo] = useState(() => riyadhText(companyNow() + DAY_SECONDS * 1000));
  const work: Work<undefined> = useWork(async () => {
    await service.sandbox.advanceClock.mutate({ to: riyadhInstant(to) });
    onBegun();
  });
  const { failure } = work;
  const isRange = failure !== undefined && hasLeftRange(failure);
  const error = isRange ? text.range : violationAt(failure, 'to', to);
  return (
    <Form onSubmit={() => (isAdvancing ? undefined : work.start(undefined))}>
      <Field label={text.to} type="datetime-local" dir="ltr" value={to} onChange={setTo} error={error} />
      {failure === undefined || error !== undefined ? null : <ProblemNotice failure={explained(failure)} />}
      <Button type="submit" isBusy={work.isBusy} isDisabled={isAdvancing}>
        {text.go}
      </Button>
    </Form>
  );
}

/** What is due, when, and for which shipment. */
function DueThing({ due: { at, what, shipmentId }, now }: { readonly due: Due; readonly now: string }) {
  const number = NUMBERS.get(shipmentId ?? '');
  return (
    <p>
      <strong>{textsOf(DUE_TEXTS)[what]}</strong>{' '}
      <time class="small quiet" dateTime={at} title={at}>
        <bdi>{formatClock(at, now)}</bdi>
      </time>
      {shipmentId === null || number === undefined ? null : (
        <>
          {' '}
          <Link to={addressOf(`shipments/${shipmentId}`)}>
            <Exact>{number}</Exact>
          </Link>
        </>
      )}
    </p>
  );
}

/** The refusals of an advance in plain words. Others keep the words of the service. */
function explained(failure: CallFailure): CallFailure {
  const text = textsOf(TEXTS);
  const titles: Readonly<Record<string, string>> = {
    CLOCK_ADVANCING: text.advancing,
    SANDBOX_NOT_READY: text.notReady,
  };
  const title = hasLeftRange(failure) ? text.range : titles[failure.code];
  return title === undefined ? failure : { ...failure, title, detail: undefined, violations: [] };
}

function hasLeftRange({ violations }: CallFailure): boolean {
  return violations.some(({ code }) => code === 'OUT_OF_RANGE');
}
