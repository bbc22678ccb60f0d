import type { ShipmentState } from '../../contract/shipment-state.ts';
import { STATE_WORDS, type Tone } from '../../ui/state.tsx';
import { textsOf } from '../base/locale.ts';

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
    tones: { waiting: 'بالانتظار', running: 'مع سائق', good: 'تم توصيلها', bad: 'تحتاج إلى انتباه', over: 'ملغاة' },
    bound: (count: number) => `عُدّت أحدث ${count} شحنة فقط.`,
  },
};
const TONES: readonly Tone[] = ['waiting', 'running', 'good', 'bad', 'over'];

/** Shows today's figures, and says so if not all shipments were counted. */
export function Today({ today: { created, isMore, byTone } }: { readonly today: TodayCounts }) {
  const text = textsOf(TEXTS);
  const more = isMore ? '+' : '';
  return (
    <section aria-label={text.title} class="today">
      <h2>{text.title}</h2>
      <dl>
        <div>
          <dd class="answer">
            <bdi dir="ltr">{`${created}${more}`}</bdi>
          </dd>
          <dt>{text.created}</dt>
        </div>
        {TONES.map((tone) => (
          <div key={tone}>
            <dd class={`answer ${byTone[tone] === 0 ? 'quiet' : tone}`}>
              <bdi dir="ltr">{`${byTone[tone]}${more}`}</bdi>
            </dd>
            <dt>{text.tones[tone]}</dt>
          </div>
        ))}
      </dl>
      {isMore ? <p class="small quiet">{text.bound(created)}</p> : null}
    </section>
  );
}

/** Today's shipments in figures. */
export interface TodayCounts {
  readonly created: number;
  /** Whether there are more of today than were counted. */
  readonly isMore: boolean;
  readonly byTone: Readonly<Record<Tone, number>>;
}

interface NewestShipments {
  readonly data: readonly { readonly createdAt: string; readonly state: ShipmentState }[];
  readonly page: { readonly hasMore: boolean };
}

/** Counts the shipments created since local midnight, among the newest shipments. */
export function countToday({ data, page }: NewestShipments, now: Date): TodayCounts {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const today = data.filter(({ createdAt }) => Date.parse(createdAt) >= midnight);
  const byTone: Record<Tone, number> = { running: 0, waiting: 0, good: 0, bad: 0, over: 0 };
  for (const { state } of today) byTone[STATE_WORDS[state].tone] += 1;
  return { created: today.length, isMore: page.hasMore && today.length === data.length, byTone };
}
