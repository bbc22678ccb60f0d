import { minorUnits } from '../../../core/currency.ts';
import type { Locale } from '../../../core/locale.ts';
import { RIYADH, RIYADH_AHEAD_MS, riyadhDay } from '../../../core/riyadh.ts';
import { companyNow } from './company-clock.ts';

/** The language of the page. The service chooses it and sets `lang` on the document. */
export const locale: Locale = document.documentElement.lang === 'ar' ? 'ar' : 'en';

/** Picks the texts in the language of the page. */
export function textsOf<Texts>(texts: Readonly<Record<Locale, Texts>>): Texts {
  return texts[locale];
}

const YEAR_SECONDS = 31_536_000;

/** Switches to the other language and remembers the choice in a cookie. */
export function changeLocale(): void {
  const other = locale === 'ar' ? 'en' : 'ar';
  document.cookie = `lang=${other}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
  const address = new URL(location.href);
  address.searchParams.set('lang', other);
  location.assign(address);
}

/** Whether the clock of this browser shows another time than Riyadh's. */
export function isElsewhere(): boolean {
  return new Date().getTimezoneOffset() * 60_000 !== -RIYADH_AHEAD_MS;
}

/** Arabic also uses Latin digits, the Gregorian calendar and 24 hours, because people read numbers to drivers and type them into systems. */
const TAGS = { en: 'en-GB', ar: 'ar-SA-u-ca-gregory-hc-h23-nu-latn' } as const satisfies Record<Locale, string>;

const timeZone = RIYADH;

const DATE_TIME = new Intl.DateTimeFormat(TAGS[locale], { timeZone, dateStyle: 'medium', timeStyle: 'short' });

const TIME = new Intl.DateTimeFormat(TAGS[locale], { timeZone, timeStyle: 'short' });

const THIS_YEAR = new Intl.DateTimeFormat(TAGS[locale], {
  timeZone,
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** Formats an instant in Riyadh time: without the day if it is today for the company, or without this year. */
export function formatTime(instant: string): string {
  const date = new Date(instant);
  return formatOf(date).format(date);
}

/** The shortest format in which these dates are clear. */
function formatOf(...dates: readonly Date[]): Intl.DateTimeFormat {
  const today = riyadhDay(companyNow());
  const days = dates.map((date) => riyadhDay(date.getTime()));
  if (days.every((day) => day === today)) return TIME;
  return days.every((day) => day.slice(0, 4) === today.slice(0, 4)) ? THIS_YEAR : DATE_TIME;
}

const TO_THE_SECOND = new Intl.DateTimeFormat(TAGS[locale], { timeZone, dateStyle: 'medium', timeStyle: 'medium' });

/** Formats the time from one instant to another: `10:00–12:00` if that is today for the company. */
export function formatRange(start: string, end: string): string {
  const [first, last] = [new Date(start), new Date(end)];
  return formatOf(first, last).formatRange(first, last);
}

/** Formats an instant with seconds. */
export function formatTimeToSecond(instant: string): string {
  return TO_THE_SECOND.format(new Date(instant));
}

const CLOCK = new Intl.DateTimeFormat(TAGS[locale], { timeZone, timeStyle: 'medium' });

/** Formats an instant with seconds: only the time if it is on the same day as `now`. */
export function formatClock(instant: string, now: string): string {
  const date = new Date(instant);
  const isToday = riyadhDay(date.getTime()) === riyadhDay(Date.parse(now));
  return (isToday ? CLOCK : TO_THE_SECOND).format(date);
}

const MONTH = new Intl.DateTimeFormat(TAGS[locale], { timeZone: 'UTC', month: 'long', year: 'numeric' });

/** Formats a month such as `2026-11`: `November 2026`. Other text stays as it is. */
export function formatMonth(month: string): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? month : MONTH.format(date);
}

const WEEKDAY = new Intl.DateTimeFormat(TAGS[locale], {
  timeZone,
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** Formats a time with its day of the week: `Thu 26 Nov, 14:05`. */
export function formatWeekday(timeMs: number): string {
  return WEEKDAY.format(timeMs);
}

const DAY_SECONDS = 86_400;
const SPAN_UNITS = [
  ['day', DAY_SECONDS],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;
const SPANS = new Intl.ListFormat(TAGS[locale], { type: 'unit', style: 'narrow' });

/** How far a clock is ahead, in its two largest units: `+3 days 2 hours`. An advance takes a moment, so it is rounded. */
export function formatAhead(seconds: number): string {
  const step = seconds > DAY_SECONDS - 60 ? 3600 : seconds > 60 ? 60 : 1;
  let rest = Math.round(seconds / step) * step;
  const first = SPAN_UNITS.findIndex(([, size]) => rest >= size);
  const parts = SPAN_UNITS.slice(first, first + 2).flatMap(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest %= size;
    const format = new Intl.NumberFormat(TAGS[locale], { style: 'unit', unit, unitDisplay: 'long' });
    return count === 0 ? [] : [format.format(count)];
  });
  // Arabic has words without a number for one and two, which could not have a sign.
  return `${locale === 'ar' ? 'متقدمة ' : '+'}${SPANS.format(parts)}`;
}

const DAY = new Intl.DateTimeFormat(TAGS[locale], {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const DAY_NAME = new Intl.DateTimeFormat(TAGS[locale], { weekday: 'short', timeZone: 'UTC' });

/** Formats a day such as `2026-01-31`: weekday, day and month. */
export function formatDay(day: string): string {
  return DAY.format(new Date(day));
}

/** Formats a day such as `2026-01-31`: only the weekday. */
export function formatDayName(day: string): string {
  return DAY_NAME.format(new Date(day));
}

const COUNT = new Intl.NumberFormat(TAGS[locale]);

/** Formats a whole number with grouped digits. */
export function formatCount(count: number): string {
  return COUNT.format(count);
}

const AGE = new Intl.RelativeTimeFormat(TAGS[locale], { numeric: 'always', style: 'short' });
const AGE_UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** How long ago an instant was, in its largest unit: `5 min. ago`. */
export function formatAge(instant: string, nowMs: number = companyNow()): string {
  const ageMs = Math.max(0, nowMs - Date.parse(instant));
  const [unit, unitMs] = AGE_UNITS.find(([, ms]) => ageMs >= ms) ?? ['second', 1_000];
  return AGE.format(-Math.floor(ageMs / unitMs), unit);
}

/**
 * Formats an amount as `1,234.50 SAR`, `1.500 KWD` or `100 JPY`. It is an exact decimal, so digits are grouped and added, and none is
 * rounded away.
 */
export function formatMoney(amount: string, currency: string): string {
  const [whole = '', fraction = ''] = amount.split('.');
  const shown = fraction.padEnd(minorUnits(currency) ?? 2, '0');
  return `${whole.replace(/\B(?=(?:\d{3})+$)/g, ',')}${shown === '' ? '' : `.${shown}`} ${currency}`;
}

const KILOMETRES = new Intl.NumberFormat(TAGS[locale], {
  style: 'unit',
  unit: 'kilometer',
  maximumFractionDigits: 1,
});
const MINUTES = new Intl.NumberFormat(TAGS[locale], { style: 'unit', unit: 'minute', unitDisplay: 'long' });

/** Formats a distance in kilometres. */
export function formatDistance(meters: number): string {
  return KILOMETRES.format(meters / 1000);
}

/** Formats a duration in minutes, at least one. */
export function formatDuration(seconds: number): string {
  return MINUTES.format(Math.max(1, Math.round(seconds / 60)));
}

const PERCENT = new Intl.NumberFormat(TAGS[locale], { style: 'percent', maximumFractionDigits: 2 });

/** Formats a rate such as `0.15` as a percentage. */
export function formatPercent(rate: string): string {
  return PERCENT.format(Number(rate));
}
