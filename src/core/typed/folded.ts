import { latinDigits } from '../text.ts';

/*
 * One form for all spellings of a name, so that people find it however they type it. Stored names and search texts
 * are folded alike. A folded text is only compared, never shown.
 */

/** Marks above and below letters, of Latin and Arabic: accents, vowel signs, hamza and madda. NFKD separates them from their letters. */
const MARKS = /[\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u08ca-\u08e1\u08e3-\u08ff]/g;
/** Presentation forms of a mark without a letter, of which NFKD makes a space and the mark. */
const MARK_FORMS = /[\ufc5e-\ufc63\ufe70-\ufe7f]/g;
/** Direction marks, joiners, the Arabic letter extender and the like, which a comparison ignores. Line feeds and tabs are spaces. */
const UNSEEN = /(?![\t-\r\u0085])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u0640\u2800\ufff9-\ufffc]/gu;
const SPACES = /[\s\u0085]+/g;

/** Letters that people confuse, or that keyboards of neighbouring countries have, each with the letter that replaces it. */
const ALIKE: Readonly<Record<string, string>> = {
  ...letters('ا', 'ٱٲٳٵ'),
  ...letters('ي', 'ىیېےۍ'),
  ...letters('ه', 'ةۃہھە'),
  ...letters('و', 'ۆۇٶ'),
  ...letters('ك', 'کڪ'),
  ...letters('l', 'ł'),
  ...letters('d', 'đ'),
  ...letters('o', 'ø'),
  ...letters("'", '‘’ʼ′`ʾʿ'),
  ...letters('-', '\u2010\u2012\u2013\u2014\u2015\u2212'),
};
const ALIKE_LETTERS = new RegExp(`[${Object.keys(ALIKE).join('')}]`, 'gu');

function letters(one: string, others: string): Record<string, string> {
  return Object.fromEntries(Array.from(others, (other) => [other, one]));
}

/**
 * The text without marks, in small letters, with one letter for those that are written for each other, Latin digits, and one
 * space for each run of spaces and line feeds. Nothing is left of a text without visible characters.
 */
export function foldedOf(text: string): string {
  return latinDigits(
    text
      .replace(MARK_FORMS, '')
      .normalize('NFKD')
      // Capitals first, because small letters with the same capital (`ß` and `ss`, `ı` and `i`) then become equal.
      .toUpperCase()
      .toLowerCase()
      .replace(MARKS, '')
      .replace(UNSEEN, '')
      .replace(ALIKE_LETTERS, (letter) => ALIKE[letter] ?? letter)
      .replace(SPACES, ' ')
      .trim(),
  );
}
