import type { Locale } from '../../core/locale.ts';

/** The language of the page, as the service has chosen it. */
export const locale: Locale = document.documentElement.lang === 'ar' ? 'ar' : 'en';

/** The texts of a part of the console in the language of the page. */
export function textsOf<Texts>(texts: Readonly<Record<Locale, Texts>>): Texts {
  return texts[locale];
}

const YEAR_SECONDS = 31_536_000;

/** Shows the console in the other language from now on. */
export function changeLocale(): void {
  const other = locale === 'ar' ? 'en' : 'ar';
  document.cookie = `lang=${other}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
  const address = new URL(location.href);
  address.searchParams.set('lang', other);
  location.assign(address);
}

/** Latin digits and the Gregorian calendar in Arabic too: numbers are read aloud to drivers and typed into systems. */
const TAGS = { en: 'en-GB', ar: 'ar-SA-u-nu-latn-ca-gregory' } as const satisfies Record<Locale, string>;

const DATE_TIME = new Intl.DateTimeFormat(TAGS[locale], { dateStyle: 'medium', timeStyle: 'short' });

/** An instant of the service, in the time zone of the reader. */
export function formatTime(instant: string): string {
  return DATE_TIME.format(new Date(instant));
}

const TO_THE_SECOND = new Intl.DateTimeFormat(TAGS[locale], { dateStyle: 'medium', timeStyle: 'medium' });

/** The same with its seconds. */
export function formatTimeToSecond(instant: string): string {
  return TO_THE_SECOND.format(new Date(instant));
}

/** An amount of money. Its digits are those of the service, for it is an exact decimal. */
export function formatMoney(amount: string, currency: string): string {
  return `${amount} ${currency}`;
}

const KILOMETRES = new Intl.NumberFormat(TAGS[locale], {
  style: 'unit',
  unit: 'kilometer',
  maximumFractionDigits: 1,
});
const MINUTES = new Intl.NumberFormat(TAGS[locale], { style: 'unit', unit: 'minute', unitDisplay: 'long' });

/** A way, in kilometres. */
export function formatDistance(meters: number): string {
  return KILOMETRES.format(meters / 1000);
}

/** How long a way takes, in minutes; less than one is one. */
export function formatDuration(seconds: number): string {
  return MINUTES.format(Math.max(1, Math.round(seconds / 60)));
}

const PERCENT = new Intl.NumberFormat(TAGS[locale], { style: 'percent', maximumFractionDigits: 2 });

/** A rate of the service as so many of a hundred. */
export function formatPercent(rate: string): string {
  return PERCENT.format(Number(rate));
}
