import { ACTIVITY_FIGURES, type ActivityFigure } from '../../contract/shipment-state.ts';
import { formatCount, formatDay, formatDayName, formatPercent, locale, textsOf } from '../../ui/browser/base/locale.ts';
import { addressOf, Link } from '../../ui/browser/base/navigation.tsx';
import { useCityNames } from '../../ui/browser/kit/city-field.tsx';
import { Listing } from '../../ui/browser/kit/listing.tsx';
import { FIGURE_WORDS } from '../shipments/words.ts';
import type { Activity } from './today.tsx';

type Day = Activity['days'][number];
type City = Activity['cities'][number];
type Figures = Readonly<Record<ActivityFigure, number>>;

const TEXTS = {
  en: {
    title: 'The last seven days',
    numbers: 'The numbers by day',
    day: 'Day',
    cities: 'By city',
    cityNumbers: 'The numbers by city',
    city: 'City',
    noCity: 'No shipment was delivered in these days.',
    rules:
      'At the first attempt: of the delivered and failed shipments. In time: of the delivered shipments, those that arrived before the end of the pickup window plus the time of the drive. Days begin at midnight in Riyadh.',
  },
  ar: {
    title: 'آخر سبعة أيام',
    numbers: 'الأرقام حسب اليوم',
    day: 'اليوم',
    cities: 'حسب المدينة',
    cityNumbers: 'الأرقام حسب المدينة',
    city: 'المدينة',
    noCity: 'لم تُوصَّل أي شحنة في هذه الأيام.',
    rules:
      'من المحاولة الأولى: من الشحنات التي تم توصيلها أو تعذّر توصيلها. في الموعد: من الشحنات التي تم توصيلها، ما وصل قبل نهاية فترة الاستلام مضافًا إليها مدة الطريق. يبدأ اليوم عند منتصف الليل بتوقيت الرياض.',
  },
};

/** A chart of a figure; `of` is what it is a share of. */
interface Chart {
  readonly figure: ActivityFigure;
  readonly of?: ((day: Figures) => number) | undefined;
}
const CHARTS: readonly Chart[] = [
  { figure: 'created' },
  { figure: 'firstAttempt', of: ({ delivered, failed }) => delivered + failed },
  { figure: 'inTime', of: ({ delivered }) => delivered },
];

/** The last days as charts, with the same numbers in tables under them. */
export function Week({ activity: { days, cities } }: { readonly activity: Activity }) {
  const text = textsOf(TEXTS);
  const nameOf = useCityNames();
  const byDeliveries = cities.toSorted((left, right) => right.delivered - left.delivered);
  return (
    <section aria-label={text.title} class="week">
      <h2>{text.title}</h2>
      <div class="charts">
        {CHARTS.map((chart) => (
          <DayChart key={chart.figure} days={days} {...chart} />
        ))}
        <CityChart cities={byDeliveries} nameOf={nameOf} />
      </div>
      <p class="small quiet">{text.rules}</p>
      <details>
        <summary>{text.numbers}</summary>
        <Listing
          caption={text.numbers}
          rows={days.toReversed()}
          keyOf={({ day }) => day}
          columns={[
            { label: text.day, cell: ({ day }) => <bdi>{formatDay(day)}</bdi> },
            ...columnsOf<Day>((figure, row) => (
              <Link to={addressOf('shipments/day', { day: row.day, figure })}>{formatCount(row[figure])}</Link>
            )),
          ]}
        />
      </details>
      {cities.length === 0 ? null : (
        <details>
          <summary>{text.cityNumbers}</summary>
          <Listing
            caption={text.cityNumbers}
            rows={byDeliveries}
            keyOf={({ cityCode }) => cityCode}
            columns={[
              { label: text.city, cell: ({ cityCode }) => <bdi>{nameOf(cityCode)}</bdi> },
              ...columnsOf<City>((figure, row) => formatCount(row[figure])),
            ]}
          />
        </details>
      )}
    </section>
  );
}

function columnsOf<Row>(cell: (figure: ActivityFigure, row: Row) => preact.ComponentChildren) {
  return ACTIVITY_FIGURES.map((figure) => ({
    label: FIGURE_WORDS[figure][locale],
    cell: (row: Row) => cell(figure, row),
    isShort: true,
  }));
}

/* Sizes of the drawings, in their own units. */
const COLUMN = 40;
const BAR = 24;
const HEIGHT = 64;
/** Room for the words over and under the bars. */
const WORDS = 18;
const LINE = 26;
const LONGEST = 170;
const CITIES_MAX = 6;

/** One bar for each day, in the direction of reading. With `of`, the filled part is the share. */
function DayChart({ days, figure, of }: Chart & { readonly days: readonly Day[] }) {
  const label = FIGURE_WORDS[figure][locale];
  const totals = days.map((day) => of?.(day) ?? day[figure]);
  const highest = Math.max(1, ...totals);
  const width = COLUMN * days.length;
  return (
    <figure>
      <figcaption>{label}</figcaption>
      <svg
        viewBox={`0 0 ${width} ${HEIGHT + 2 * WORDS}`}
        role="img"
        aria-label={summaryOf(label, days, { figure, of })}
      >
        {days.map((day, index) => {
          const total = totals[index] ?? 0;
          const middle = COLUMN * ((locale === 'ar' ? days.length - 1 - index : index) + 0.5);
          const x = middle - BAR / 2;
          const [whole, part] = [total, day[figure]].map((count) => (HEIGHT * count) / highest) as [number, number];
          return (
            <g key={day.day}>
              <rect class="whole" x={x} width={BAR} y={WORDS + HEIGHT - whole} height={whole} />
              <rect
                class={figure === 'created' ? 'made' : 'part-of'}
                x={x}
                width={BAR}
                y={WORDS + HEIGHT - part}
                height={part}
              />
              <text x={middle} y={WORDS + HEIGHT - whole - 4}>
                {of === undefined ? formatCount(total) : shareOf(day[figure], total)}
              </text>
              <text class="axis" x={middle} y={HEIGHT + 2 * WORDS - 4}>
                {formatDayName(day.day)}
              </text>
            </g>
          );
        })}
      </svg>
    </figure>
  );
}

function summaryOf(label: string, days: readonly Day[], { figure, of }: Chart): string {
  const texts = days.map((day) => {
    const value = of === undefined ? formatCount(day[figure]) : shareOf(day[figure], of(day));
    return `${formatDay(day.day)} ${value}`;
  });
  return `${label}: ${texts.join(locale === 'ar' ? '، ' : ', ')}`;
}

function shareOf(count: number, total: number): string {
  return total === 0 ? '–' : formatPercent((Math.floor((count / total) * 100) / 100).toFixed(2));
}

interface CityChartProps {
  readonly cities: readonly City[];
  readonly nameOf: (code: string) => string;
}

/** The cities with the most deliveries. */
function CityChart({ cities, nameOf }: CityChartProps) {
  const text = textsOf(TEXTS);
  const shown = cities.filter(({ delivered }) => delivered > 0).slice(0, CITIES_MAX);
  const highest = Math.max(1, ...shown.map(({ delivered }) => delivered));
  const width = COLUMN * 7;
  const texts = shown.map(({ cityCode, delivered }) => `${nameOf(cityCode)} ${formatCount(delivered)}`);
  const at = (x: number) => (locale === 'ar' ? width - x : x);
  return (
    <figure>
      <figcaption>{`${FIGURE_WORDS.delivered[locale]} · ${text.cities}`}</figcaption>
      {shown.length === 0 ? (
        <p class="small quiet">{text.noCity}</p>
      ) : (
        <svg
          viewBox={`0 0 ${width} ${LINE * shown.length}`}
          role="img"
          aria-label={texts.join(locale === 'ar' ? '، ' : ', ')}
        >
          {shown.map(({ cityCode, delivered }, index) => {
            const length = (LONGEST * delivered) / highest;
            return (
              <g key={cityCode}>
                <rect
                  class="part-of"
                  x={at(0) - (locale === 'ar' ? length : 0)}
                  y={LINE * index + 14}
                  width={length}
                  height="8"
                />
                <text class="from" x={at(0)} y={LINE * index + 10}>
                  {`${nameOf(cityCode)} · ${formatCount(delivered)}`}
                </text>
              </g>
            );
          })}
        </svg>
      )}
    </figure>
  );
}
