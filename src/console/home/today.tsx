import { COLLECTION_DAYS_MAX } from '../../contract/cod-state.ts';
import { ACTIVITY_FIGURES, type ActivityFigure } from '../../contract/shipment-state.ts';
import { formatCount, formatMoney, locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import type { Outputs } from '../../ui/browser/service/calls.ts';
import { STATE_WORDS, type Tone } from '../../ui/state.tsx';
import { FIGURE_WORDS } from '../shipments/words.ts';

export type Activity = Outputs['activity']['read'];

const TEXTS = {
  en: {
    title: 'Today',
    open: 'Open now',
    cash: (days: number) => `Cash with drivers, collected within ${days} days:`,
    none: 'No shipment is open.',
    counting: 'Earlier events are still being counted. These numbers are not final.',
  },
  ar: {
    title: 'اليوم',
    open: 'الجارية الآن',
    cash: (days: number) => `المبالغ لدى السائقين، حُصّلت خلال ${days} يومًا:`,
    none: 'لا توجد شحنات جارية.',
    counting: 'ما زال عدّ الأحداث السابقة مستمرًا. هذه الأرقام ليست نهائية.',
  },
};
const TONES: Readonly<Partial<Record<ActivityFigure, Tone>>> = {
  delivered: 'good',
  firstAttempt: 'good',
  inTime: 'good',
  failed: 'bad',
};

interface TodayProps {
  readonly activity: Activity;
  /** What drivers have collected, as far back as a list of it reaches. */
  readonly cash: string;
}

/** Shows what happened today and what is open now. Each number leads to its shipments. */
export function Today({ activity: { days, open, isComplete }, cash }: TodayProps) {
  const text = textsOf(TEXTS);
  const today = days.at(-1);
  const waiting = open.filter(({ count }) => count > 0);
  return (
    <section aria-label={text.title} class="today">
      <h2>{text.title}</h2>
      {isComplete ? null : <p class="small quiet">{text.counting}</p>}
      {today === undefined ? null : (
        <dl>
          {ACTIVITY_FIGURES.map((figure) => (
            <div key={figure}>
              <dd class={`answer ${today[figure] === 0 ? 'quiet' : (TONES[figure] ?? '')}`}>
                <Link to={addressOf('shipments/day', { day: today.day, figure })}>
                  <bdi dir="ltr">{formatCount(today[figure])}</bdi>
                </Link>
              </dd>
              <dt>{FIGURE_WORDS[figure][locale]}</dt>
            </div>
          ))}
        </dl>
      )}
      <h3>{text.open}</h3>
      {waiting.length === 0 ? <p class="quiet">{text.none}</p> : null}
      <ul class="open-now">
        {waiting.map(({ state, count, isMore }) => (
          <li key={state}>
            <Link to={addressOf('shipments', { state })}>{STATE_WORDS[state].label[locale]}</Link>{' '}
            <bdi dir="ltr">{`${formatCount(count)}${isMore ? '+' : ''}`}</bdi>
          </li>
        ))}
      </ul>
      {cash === '0' ? null : (
        <p>
          {text.cash(COLLECTION_DAYS_MAX)} <bdi dir="ltr">{formatMoney(cash, 'SAR')}</bdi>
        </p>
      )}
    </section>
  );
}
