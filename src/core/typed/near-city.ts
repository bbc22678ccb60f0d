import { type City, cityOf, foldedCityName, foldedNamesOf } from './city.ts';

/** Fewer letters are near to too many names. */
const NEAR_LENGTH_MIN = 4;
/** One mistake in each of so many letters. */
const LETTERS_A_MISTAKE = 4;

/** The one city whose name is nearest to a text that is no name of a city: `Riyadh` for `Riyad`. Undefined if none is near, or several are. */
export function nearCityOf<Known extends City>(cities: readonly Known[], typed: string): Known | undefined {
  const sought = foldedCityName(typed);
  if (sought.length < NEAR_LENGTH_MIN || cityOf(cities, typed) !== undefined) return undefined;
  const near = cities
    .map((city) => ({ city, mistakes: Math.min(...foldedNamesOf(city).map((name) => mistakesBetween(sought, name))) }))
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
