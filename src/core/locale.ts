/** The languages that the service answers in. English is the default. */
export type Locale = 'en' | 'ar';

/** One text in every language of the service. */
export type LocalText = Readonly<Record<Locale, string>>;
