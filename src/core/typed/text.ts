import { latinDigits } from '../text.ts';

/*
 * What people type, paste or upload, read once for every page. Reading what was read changes nothing, so that a kept draft
 * can be read again.
 */

/**
 * White space, controls, and characters that are drawn as nothing: marks of direction, joiners, fillers, blanks, and the place
 * of an object (U+FFFC), which dictation on iOS leaves.
 */
const UNSEEN = String.raw`\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffc`;
const SEEN = new RegExp(`[^${UNSEEN}]`, 'u');
const ALL_UNSEEN = new RegExp(`[${UNSEEN}]+`, 'gu');
/** Invisible characters that change how the one before them is drawn: the form of a picture, an Indic final consonant. */
const BELONGS_BEFORE = /(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f\u{e0020}-\u{e007f}]+|(?<=\p{M})[\u200c\u200d]/uy;

/** The text without white and invisible edges. Empty if it has no visible character. */
export function readText(typed: string): string {
  const start = typed.search(SEEN);
  if (start < 0) return '';
  const characters = Array.from(typed);
  const last = characters.findLastIndex((character) => SEEN.test(character));
  BELONGS_BEFORE.lastIndex = characters.slice(0, last + 1).join('').length;
  const end = BELONGS_BEFORE.lastIndex;
  return typed.slice(start, end + (BELONGS_BEFORE.exec(typed)?.[0].length ?? 0));
}

/** Joiners, variation selectors and tags, which change how a letter or a picture before them is drawn. */
const MODIFIERS = String.raw`\u200c\u200d\ufe00-\ufe0f\u{e0000}-\u{e0fff}`;
const UNSEEN_WITHIN = new RegExp(`(?![${MODIFIERS}])[\\p{Cc}\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffc]`, 'gu');
/** After a sign of ASCII they change nothing. */
const IDLE_MODIFIERS = new RegExp(`(^|[ -~])[${MODIFIERS}]+`, 'gu');
const WHITE = /[\p{White_Space}\u2800]+/gu;

/**
 * A text in one line, with single spaces and without what nobody sees within it: a reference, because those that look alike on the
 * screen are one order, or a name from elsewhere.
 */
export function readOneLine(typed: string): string {
  const seen = typed.normalize('NFC').replaceAll(WHITE, ' ').replaceAll(UNSEEN_WITHIN, '');
  return readText(seen.replaceAll(IDLE_MODIFIERS, '$1').replaceAll(WHITE, ' ').normalize('NFC'));
}

/** The text without any white or invisible character. */
export function withoutUnseen(text: string): string {
  return text.replaceAll(ALL_UNSEEN, '');
}

/** A number or an id: a text with Latin digits. */
export function readNumbered(typed: string): string {
  return readText(latinDigits(typed));
}

/** A code of the service, such as that of a city, a branch or a currency. They have capital letters. */
export function readCode(typed: string): string {
  return readNumbered(typed).toUpperCase();
}

/** A typed list of codes, separated by spaces, commas (also Arabic ones) or lines. */
export function readCodes(typed: string): string[] {
  return typed
    .split(/[\s,،;؛]+/)
    .map(readCode)
    .filter((code) => code !== '');
}

const BETWEEN_DIGITS = /[\p{Z}\p{Pd}]/gu;

/** The digits of a one-time code or a registration number. Any other text stays a text. */
export function readDigits(typed: string): string {
  const text = readNumbered(typed);
  const digits = withoutUnseen(text).replaceAll(BETWEEN_DIGITS, '');
  return /^[0-9]+$/.test(digits) ? digits : text;
}
