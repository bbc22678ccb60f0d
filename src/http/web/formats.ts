import { type Instant, toMillis } from '../../core/instant.ts';
import type { Locale } from '../../core/locale.ts';
import { RIYADH } from '../../core/riyadh.ts';

/* Times and amounts for people. Arabic also uses Latin digits and the Gregorian calendar, because people read numbers to drivers. */

const TAGS = { en: 'en-GB', ar: 'ar-SA-u-nu-latn-ca-gregory' } as const satisfies Record<Locale, string>;
const timeZone = RIYADH;

function perLocale<Value>(make: (tag: string) => Value): Readonly<Record<Locale, Value>> {
  return { en: make(TAGS.en), ar: make(TAGS.ar) };
}

const TIMES = perLocale((tag) => new Intl.DateTimeFormat(tag, { timeZone, timeStyle: 'short' }));
const DAYS = perLocale(
  (tag) => new Intl.DateTimeFormat(tag, { timeZone, weekday: 'long', day: 'numeric', month: 'long' }),
);

/** `14:05` */
export function formatTime(instant: Instant, locale: Locale): string {
  return TIMES[locale].format(toMillis(instant));
}

/** `Saturday 21 November` */
export function formatDay(instant: Instant, locale: Locale): string {
  return DAYS[locale].format(toMillis(instant));
}

const YEARS = perLocale((tag) => new Intl.DateTimeFormat(tag, { timeZone, year: 'numeric' }));

/** Between the parts of a list. */
export const COMMAS = { en: ', ', ar: '، ' } as const satisfies Record<Locale, string>;

/** `Friday 1 January 2027, 01:30`. The year is that of the local day. */
export function formatMoment(instant: Instant, locale: Locale): string {
  const year = YEARS[locale].formatToParts(toMillis(instant)).find(({ type }) => type === 'year');
  return `${formatDay(instant, locale)} ${year?.value ?? ''}${COMMAS[locale]}${formatTime(instant, locale)}`;
}

/** An exact decimal amount with its currency's name. */
export function formatMoney(amount: string, currency: string, locale: Locale): string {
  const options = { style: 'currency', currency, currencyDisplay: 'name' } as const;
  // A string keeps all digits, which a double would not (ECMA-402, Intl mathematical values).
  return new Intl.NumberFormat(TAGS[locale], options).format(amount as unknown as Intl.StringNumericLiteral);
}

/** A number with the separators of the language. */
export function formatNumber(value: number | string, locale: Locale): string {
  return new Intl.NumberFormat(TAGS[locale], { maximumFractionDigits: 6 }).format(
    value as unknown as Intl.StringNumericLiteral,
  );
}

export function directionOf(locale: Locale): 'ltr' | 'rtl' {
  return locale === 'ar' ? 'rtl' : 'ltr';
}
