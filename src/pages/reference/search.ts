import { foldedOf } from '../../core/typed/folded.ts';

/** A place in the reference that the search finds. */
export interface Found {
  readonly title: string;
  readonly address: string;
  /** Shown under the title, and searched. */
  readonly note?: string;
  /** The title in the other language, searched like the title. */
  readonly also?: string;
  /** Searched only. Folded. */
  readonly words?: string;
}

/** Places shown. A reader who does not find the right one among these adds a word. */
const FOUND_MAX = 12;

/**
 * The places with all words of a question. Whole words come before starts of longer ones, then words in titles and notes before
 * others.
 */
export function search(places: readonly Found[], question: string): readonly Found[] {
  const wanted = wordsOf(question);
  if (wanted.length === 0) return [];
  const ranked = places.flatMap((place, index) => {
    const shown = [place.title, place.also ?? '', place.note ?? ''].map(foldedOf);
    const ranks = wanted.map((word) => {
      return Math.max(rankOf(place.words ?? '', word), ...shown.map((text) => rankOf(text, word, SHOWN)));
    });
    if (ranks.includes(0)) return [];
    return [{ place, index, rank: ranks.reduce((sum, rank) => sum + rank, 0) }];
  });
  return ranked
    .toSorted((one, other) => other.rank - one.rank || one.index - other.index)
    .slice(0, FOUND_MAX)
    .map(({ place }) => place);
}

/** What adds to the rank of a word. */
const [START, SHOWN, WHOLE] = [1, 1, 2];

/** 0 if the text does not have the word. */
function rankOf(text: string, word: string, more = 0): number {
  let rank = 0;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const isStart = !isLetter(text[at - 1]);
    if (isStart && !isLetter(text[at + word.length])) return START + WHOLE + more;
    // Arabic writes articles and some prepositions as the start of a word.
    if (isStart || ARABIC.test(word)) rank = START + more;
  }
  return rank;
}

const ARABIC = /\p{Script=Arabic}/u;

function isLetter(char: string | undefined): boolean {
  return char !== undefined && /[\p{L}\p{N}]/u.test(char);
}

function wordsOf(text: string): readonly string[] {
  return foldedOf(text)
    .split(/[\s,;]+/)
    .filter((word) => word !== '');
}
