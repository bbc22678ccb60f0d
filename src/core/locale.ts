/** The languages that the service answers in. English is the default. */
export const LOCALES = ['en', 'ar'] as const;
export type Locale = (typeof LOCALES)[number];

/** One text in every language of the service. */
export type LocalText = Readonly<Record<Locale, string>>;
