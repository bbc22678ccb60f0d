/** The languages that the service answers in. English is the default. */
export const LOCALES = ['en', 'ar'] as const;
export type Locale = (typeof LOCALES)[number];

/** One text in every language of the service. */
export type LocalText = Readonly<Record<Locale, string>>;

/** The Arabic noun after a number above two: the plural after 3 to 10, also after 103 to 110, and otherwise the singular. */
export function arabicNoun(
  count: number,
  { plural, singular }: Readonly<Record<'plural' | 'singular', string>>,
): string {
  const last = count % 100;
  return last >= 3 && last <= 10 ? plural : singular;
}
