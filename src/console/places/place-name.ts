import type { Locale } from '../../core/locale.ts';

interface Named {
  readonly name: string;
  readonly nameAr: string | null;
}

/** Names that are longer are titles of a smaller size. */
export const TITLE_MAX = 40;

/** The name of a place for a reader of this language. */
export function nameOf({ name, nameAr }: Named, locale: Locale): string {
  return locale === 'ar' ? (nameAr ?? name) : name;
}
