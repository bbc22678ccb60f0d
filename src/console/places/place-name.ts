import type { Locale } from '../../core/locale.ts';

interface Named {
  readonly name: string;
  readonly nameAr: string | null;
}

/** The name of a place for a reader of this language. */
export function nameOf({ name, nameAr }: Named, locale: Locale): string {
  return locale === 'ar' ? (nameAr ?? name) : name;
}
