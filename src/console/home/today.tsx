import { SHIPMENT_STATES } from '../../contract/shipment-state.ts';
import { STATE_WORDS, type Tone } from '../../ui/state.tsx';
import { companyNow } from '../base/company-clock.ts';
import { textsOf } from '../base/locale.ts';
import { addressOf, Link } from '../base/navigation.tsx';
import { localDay } from '../kit/typed-values.ts';
import type { TodayCounts } from './count-today.ts';

const TEXTS = {
  en: {
    title: 'Today',
    created: 'created',
    tones: {
      waiting: 'waiting',
      running: 'with a driver',
      good: 'delivered',
      bad: 'need attention',
      over: 'cancelled',
    },
    bound: (count: number) => `Only the newest ${count} shipments are counted.`,
  },
  ar: {
    title: 'اليوم',
    created: 'أُنشئت',
    tones: { waiting: 'بالانتظار', running: 'مع سائق', good: 'تم توصيلها', bad: 'تحتاج إلى متابعة', over: 'ملغاة' },
    bound: (count: number) => `عُدّت أحدث ${count} شحنة فقط.`,
  },
};
const TONES: readonly Tone[] = ['waiting', 'running', 'good', 'bad', 'over'];

/** Shows today's figures, each with a link to its shipments, and says so if not all shipments were counted. */
export function Today({ today: { created, isMore, byTone } }: { readonly today: TodayCounts }) {
  const text = textsOf(TEXTS);
  const more = isMore ? '+' : '';
  const createdFrom = localDay(new Date(companyNow()));
  return (
    <section aria-label={text.title} class="today">
      <h2>{text.title}</h2>
      <dl>
        <div>
          <dd class="answer">
            <Link to={addressOf('shipments', { createdFrom })}>
              <bdi dir="ltr">{`${created}${more}`}</bdi>
            </Link>
          </dd>
          <dt>{text.created}</dt>
        </div>
        {TONES.map((tone) => (
          <div key={tone}>
            <dd class={`answer ${byTone[tone] === 0 ? 'quiet' : tone}`}>
              <Link to={addressOf('shipments', { createdFrom, state: statesOf(tone) })}>
                <bdi dir="ltr">{`${byTone[tone]}${more}`}</bdi>
              </Link>
            </dd>
            <dt>{text.tones[tone]}</dt>
          </div>
        ))}
      </dl>
      {isMore ? <p class="small quiet">{text.bound(created)}</p> : null}
    </section>
  );
}

function statesOf(tone: Tone): string {
  return SHIPMENT_STATES.filter((state) => STATE_WORDS[state].tone === tone).join();
}
