import type { Locale, LocalText } from '../../core/locale.ts';

/** Cities that people know by another name than their code. Of any other the code is shown. */
const CITIES: Readonly<Record<string, LocalText>> = {
  RUH: { en: 'Riyadh', ar: 'الرياض' },
  JED: { en: 'Jeddah', ar: 'جدة' },
  DMM: { en: 'Dammam', ar: 'الدمام' },
  MED: { en: 'Madinah', ar: 'المدينة المنورة' },
  MKK: { en: 'Makkah', ar: 'مكة المكرمة' },
};

/** What a city is called. */
export function cityName(code: string, locale: Locale): string {
  return Object.hasOwn(CITIES, code) ? (CITIES[code]?.[locale] ?? code) : code;
}
