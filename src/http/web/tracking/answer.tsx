import { hasDriver, type ShipmentState, STATE_FACTS } from '../../../contract/shipment-state.ts';
import { type Instant, parseInstant } from '../../../core/instant.ts';
import type { Locale } from '../../../core/locale.ts';
import type { TrackingView } from '../../../domain/tracking/page-view.ts';
import { formatDay, formatTime } from '../formats.ts';
import { WORDS } from './words.ts';

type Tone = 'running' | 'waiting' | 'good' | 'bad' | 'over';

/** One icon for each tone, because not everyone can tell the colours apart. */
const SHAPES: Readonly<Record<Tone, string>> = {
  waiting: 'M12 7v5l3.5 2.5M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18z',
  running: 'M4 12h15M13 6l6 6-6 6',
  good: 'M4.5 12.5l5 5L20 7',
  bad: 'M12 5v9M12 18.5v.5',
  over: 'M6 6l12 12M18 6L6 18',
};

/** The main section: the state of the parcel and when it arrives. */
export function Answer({ view, locale }: { readonly view: TrackingView; readonly locale: Locale }) {
  const { state, stateLabel, merchantName, driver, updatedAt } = view.tracking;
  const words = WORDS[locale];
  const tone = toneOf(state);
  return (
    <section id="answer" class={`answer ${tone}`}>
      <p class="overline">{words.from(merchantName)}</p>
      <h1>
        <svg viewBox="0 0 24 24" class={tone === 'running' ? 'icon onward' : 'icon'} aria-hidden="true">
          <path d={SHAPES[tone]} />
        </svg>
        <span>{stateLabel}</span>
      </h1>
      <p class="lead">{leadOf(view, locale)}</p>
      {view.asked === null ? null : <p>{askedText(view.asked, locale)}</p>}
      {driver === null ? null : <p>{words.driver(driver.firstName, words.vehicles[driver.vehicleType])}</p>}
      <p class="quiet">
        {textAt(updatedAt, (at) => words.updated(words.at(formatDay(at, locale), formatTime(at, locale))))}
      </p>
    </section>
  );
}

function toneOf(state: ShipmentState): Tone {
  const { outcome } = STATE_FACTS[state];
  if (outcome !== null) return OUTCOME_TONES[outcome];
  return hasDriver(state) ? 'running' : 'waiting';
}
const OUTCOME_TONES = { delivered: 'good', failed: 'bad', cancelled: 'over' } as const;

/** The sentence below the state: when the parcel arrives, or what the recipient can do. */
function leadOf({ tracking, expected, followUp }: TrackingView, locale: Locale): string {
  const words = WORDS[locale];
  const { state, merchantName, updatedAt } = tracking;
  const { outcome, phase } = STATE_FACTS[state];
  if (outcome === 'cancelled') return words.cancelled(merchantName);
  if (outcome === 'failed') return (followUp === null ? words.failed : words.followedBy[followUp])(merchantName);
  if (outcome === 'delivered')
    return textAt(updatedAt, (at) => words.handedOver(formatDay(at, locale), formatTime(at, locale)));
  if (expected !== null) return expectedText(expected, locale);
  return phase === 'UNRESOLVED' ? words.noDriver : words.noTime;
}

function expectedText({ from, to, isLive }: NonNullable<TrackingView['expected']>, locale: Locale): string {
  const words = WORDS[locale];
  if (isLive && from !== null) return words.arriving(formatTime(from, locale), formatTime(to, locale));
  const [day, time] = [formatDay(to, locale), formatTime(to, locale)];
  if (from === null) return words.around(day, time);
  const [firstDay, firstTime] = [formatDay(from, locale), formatTime(from, locale)];
  return firstDay === day
    ? words.onDayBetween(day, firstTime, time)
    : words.between(`${firstDay} ${firstTime}`, `${day} ${time}`);
}

function askedText({ start, end }: NonNullable<TrackingView['asked']>, locale: Locale): string {
  return WORDS[locale].asked(formatDay(start, locale), formatTime(start, locale), formatTime(end, locale));
}

/** A sentence about an instant in the format of the API. */
function textAt(text: string, say: (at: Instant) => string): string {
  const at = parseInstant(text);
  return at === undefined ? '' : say(at);
}
