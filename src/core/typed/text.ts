/*
 * What people type, paste or upload, read once for every page. Reading what was read changes nothing, so that a kept draft
 * can be read again.
 */

/** White space, controls, and characters that Unicode draws as nothing: marks of direction, joiners, fillers, blanks. */
const UNSEEN = String.raw`\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb`;
const SEEN = new RegExp(`[^${UNSEEN}]`, 'u');
const ALL_UNSEEN = new RegExp(`[${UNSEEN}]+`, 'gu');
/** What draws nothing and changes how the character before it is drawn: the form of a picture, an Indic final consonant. */
const BELONGS_BEFORE = /(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f\u{e0020}-\u{e007f}]+|(?<=\p{M})[\u200c\u200d]/uy;

/** The text without white and invisible edges: empty if nothing of it can be seen. */
export function readText(typed: string): string {
  const start = typed.search(SEEN);
  if (start < 0) return '';
  const characters = Array.from(typed);
  const last = characters.findLastIndex((character) => SEEN.test(character));
  BELONGS_BEFORE.lastIndex = characters.slice(0, last + 1).join('').length;
  const end = BELONGS_BEFORE.lastIndex;
  return typed.slice(start, end + (BELONGS_BEFORE.exec(typed)?.[0].length ?? 0));
}

/** The text without any white or invisible character. */
export function withoutUnseen(text: string): string {
  return text.replaceAll(ALL_UNSEEN, '');
}

const FOREIGN_DIGIT = /[^\P{Nd}0-9]/gu;

/** The text with the digits of every script as Latin ones. */
export function latinDigits(text: string): string {
  return text.replaceAll(FOREIGN_DIGIT, valueOfDigit);
}

/** Unicode has the ten digits of a script in order, and may have several such rows after each other. */
function valueOfDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}

/** A reference, a number or an id: a text with Latin digits. */
export function readNumbered(typed: string): string {
  return readText(latinDigits(typed));
}

/** A code of the service, such as that of a city, a branch or a currency. They have capital letters. */
export function readCode(typed: string): string {
  return readNumbered(typed).toUpperCase();
}

/** Codes in a list as people type it: separated by spaces, commas (also Arabic ones) or lines. */
export function readCodes(typed: string): string[] {
  return typed
    .split(/[\s,،;؛]+/)
    .map(readCode)
    .filter((code) => code !== '');
}

const BETWEEN_DIGITS = /[\p{Z}\p{Pd}]/gu;

/** A number that has no value, such as a code or that of a registration: its digits alone. Other texts stay texts. */
export function readDigits(typed: string): string {
  const text = readNumbered(typed);
  const digits = withoutUnseen(text).replaceAll(BETWEEN_DIGITS, '');
  return /^[0-9]+$/.test(digits) ? digits : text;
}
