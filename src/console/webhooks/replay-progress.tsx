import { WhenLoaded } from '../kit/when-loaded.tsx';
import { type Outputs, service } from '../service/service.ts';
import { useEvery } from '../service/use-every.ts';
import { useLoaded } from '../service/use-loaded.ts';
import { textsOf } from '../shell/locale.ts';

type Replay = Outputs['webhookEndpoints']['getReplay'];

const TEXTS = {
  en: {
    RUNNING: 'Replay under way',
    COMPLETED: 'Replay done',
    CANCELLED: 'Replay ended early: the endpoint was disabled.',
    sent: (sent: number, matched: number) => `${sent} of ${matched} sent`,
    succeeded: 'delivered',
    exhausted: 'given up',
    label: 'Progress of the replay',
  },
  ar: {
    RUNNING: 'إعادة الإرسال جارية',
    COMPLETED: 'اكتملت إعادة الإرسال',
    CANCELLED: 'انتهت إعادة الإرسال مبكرًا: أُوقفت نقطة الاستقبال.',
    sent: (sent: number, matched: number) => `أُرسل ${sent} من ${matched}`,
    succeeded: 'سُلّمت',
    exhausted: 'تعذّر تسليمها',
    label: 'تقدّم إعادة الإرسال',
  },
};
const REFRESH_MS = 1_000;

/** How far a replay has come, until all of it is sent. */
export function ReplayProgress(target: { readonly endpointId: string; readonly replayId: string }) {
  const loaded = useLoaded(`replay ${target.replayId}`, () => service.webhookEndpoints.getReplay.query(target));
  const isOver = loaded.value !== undefined && isReplayOver(loaded.value);
  useEvery(REFRESH_MS, loaded.reload, !(loaded.isLoading || isOver));
  return <WhenLoaded loaded={loaded}>{(replay) => <Progress replay={replay} />}</WhenLoaded>;
}

/** All may be queued while the last of it is still on its way. */
function isReplayOver({ state, matched, succeeded, exhausted }: Replay): boolean {
  return state === 'CANCELLED' || (state === 'COMPLETED' && succeeded + exhausted >= matched);
}

function Progress({ replay }: { readonly replay: Replay }) {
  const text = textsOf(TEXTS);
  const { state, matched, succeeded, exhausted } = replay;
  const sent = succeeded + exhausted;
  const shown = state === 'COMPLETED' && !isReplayOver(replay) ? 'RUNNING' : state;
  return (
    <div class="replay" role="status">
      <p>
        <strong>{text[shown]}</strong>
      </p>
      <progress aria-label={text.label} max={Math.max(1, matched)} value={matched === 0 ? 1 : sent} />
      <p class="small">
        {text.sent(sent, matched)} · {text.succeeded}: {succeeded} · {text.exhausted}: {exhausted}
      </p>
    </div>
  );
}
