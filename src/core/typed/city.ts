import { foldedOf } from './folded.ts';

export interface City {
  readonly cityCode: string;
  readonly name: string;
  readonly nameAr: string;
}

/** Spellings on maps, in passports and in old systems. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  GIZ: ['Jizan', 'Gizan', 'جيزان'],
  JED: ['Jiddah', 'Djeddah'],
  MED: ['Medina', 'Al Madina'],
  MKK: ['Mecca', 'Mekka'],
};

/** Shorter words match too many names. */
const FIRST_WORD_MIN = 3;

/**
 * The city that somebody typed: by its code, by its name in either language as people write it, or by the first words of one
 * name alone, as `مكة` for `مكة المكرمة`.
 */
export function cityOf<Known extends City>(cities: readonly Known[], typed: string): Known | undefined {
  const code = foldedOf(typed).toUpperCase();
  const sought = foldedCityName(typed);
  if (sought === '') return undefined;
  const whole = cities.find((city) => city.cityCode === code || foldedNamesOf(city).includes(sought));
  if (whole !== undefined || sought.length < FIRST_WORD_MIN) return whole;
  const [begun, ...others] = cities.filter((city) => foldedNamesOf(city).some((name) => name.startsWith(`${sought} `)));
  return others.length === 0 ? begun : undefined;
}

/** Folded names of a city. */
export function foldedNamesOf({ cityCode, name, nameAr }: City): string[] {
  return [name, nameAr, ...(OTHER_NAMES[cityCode] ?? [])].map(foldedCityName);
}

/** A name without articles, punctuation and the silent letter at the end of `Jeddah`. */
export function foldedCityName(name: string): string {
  return foldedOf(name)
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll('-', ' ')
    .replaceAll(/(?<=^| )(?:ال|(?:a[lrdstzn]|ash|adh|el) )(?=\S)/g, '')
    .replaceAll(/(?<=a)h(?= |$)/g, '')
    .replaceAll(/ +/g, ' ')
    .trim();
}
