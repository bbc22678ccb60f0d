/** A place in the reference that the search finds. */
export interface Found {
  readonly title: string;
  readonly address: string;
  /** Shown under the title, and searched. */
  readonly note?: string;
  /** Searched only. */
  readonly words?: string;
}

/** More than this, nobody reads: another word finds better. */
const FOUND_MAX = 12;

/** The places with all words of a question, those with the words in their titles first. */
export function search(places: readonly Found[], question: string): readonly Found[] {
  const wanted = wordsOf(question);
  if (wanted.length === 0) return [];
  const ranked = places.flatMap((place, index) => {
    const title = plain(place.title);
    const text = plain(`${place.title} ${place.note ?? ''} ${place.words ?? ''}`);
    if (!wanted.every((word) => text.includes(word))) return [];
    const inTitle = wanted.filter((word) => title.includes(word)).length;
    const atStart = wanted.filter((word) => ` ${title}`.includes(` ${word}`)).length;
    return [{ place, index, rank: inTitle + atStart }];
  });
  return ranked
    .toSorted((one, other) => other.rank - one.rank || one.index - other.index)
    .slice(0, FOUND_MAX)
    .map(({ place }) => place);
}

function wordsOf(text: string): readonly string[] {
  return plain(text)
    .split(/[\s,;]+/)
    .filter((word) => word !== '');
}

/** Without case and marks, and with one form of the Arabic letters that people write in several ways. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\u0640]/gu, '')
    .toLowerCase()
    .replaceAll('ى', 'ي')
    .replaceAll('ة', 'ه');
}
