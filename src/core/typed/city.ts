import { foldedOf } from './folded.ts';

interface City {
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
  const sought = folded(typed);
  if (sought === '') return undefined;
  const whole = cities.find((city) => city.cityCode === code || namesOf(city).includes(sought));
  if (whole !== undefined || sought.length < FIRST_WORD_MIN) return whole;
  const [begun, ...others] = cities.filter((city) => namesOf(city).some((name) => name.startsWith(`${sought} `)));
  return others.length === 0 ? begun : undefined;
}

/** Fewer letters are near to too many names. */
const NEAR_LENGTH_MIN = 4;
/** One mistake in each of so many letters. */
const LETTERS_A_MISTAKE = 4;

/** The one city whose name is nearest to a text that is no name of a city: `Riyadh` for `Riyad`. Undefined if none is near, or several are. */
export function nearCityOf<Known extends City>(cities: readonly Known[], typed: string): Known | undefined {
  const sought = folded(typed);
  if (sought.length < NEAR_LENGTH_MIN || cityOf(cities, typed) !== undefined) return undefined;
  const near = cities
    .map((city) => ({ city, mistakes: Math.min(...namesOf(city).map((name) => mistakesBetween(sought, name))) }))
    .toSorted((one, other) => one.mistakes - other.mistakes);
  const [best, next] = near;
  if (best === undefined || best.mistakes > sought.length / LETTERS_A_MISTAKE) return undefined;
  return next?.mistakes === best.mistakes ? undefined : best.city;
}

/** How many letters are wrong, missing or too many (the distance of Levenshtein); two neighbours in the wrong order count as one mistake. */
function mistakesBetween(one: string, other: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      next.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (before[column - 2] ?? Number.POSITIVE_INFINITY) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [before, last] = [last, next];
  }
  return last[other.length] ?? 0;
}

function namesOf({ cityCode, name, nameAr }: City): string[] {
  return [name, nameAr, ...(OTHER_NAMES[cityCode] ?? [])].map(folded);
}

/** A name without articles, punctuation and the silent letter at the end of `Jeddah`. */
function folded(name: string): string {
  return foldedOf(name)
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll('-', ' ')
    .replaceAll(/(?<=^| )(?:ال|(?:a[lrdstzn]|ash|adh|el) )(?=\S)/g, '')
    .replaceAll(/(?<=a)h(?= |$)/g, '')
    .replaceAll(/ +/g, ' ')
    .trim();
}
