import { lettersOfForms } from './arabic-forms.ts';
import { latinDigits } from './text.ts';

/*
 * Which characters labels can print. The build cuts a font file for each entry (scripts/build/fonts.ts), and a label loads
 * the files whose letters it has.
 */

/** The letters in each file, as the content of a class in a regular expression with the flag `v`. */
export const LABEL_LETTERS = {
  arabic: String.raw`\u0600-\u0604\u0606-\u061b\u061e-\u06a1\u06a3-\u06ff\u0750-\u077f\u08a0\u08a2-\u08ac\u08b3\u08e4-\u08fe\u2010\ufd3e\ufd3f`,
  latin: String.raw`\x20-\x7e\xa0-\xac\xae-\xff\u0131\u0152\u0153\u02bb\u02bc\u02c6\u02da\u02dc\u0300\u0301\u0303\u0304\u0308\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u2039\u203a\u2044\u20ac\u2122\u2191\u2193\u2212\u2215`,
  'latin-ext': String.raw`\u0100-\u0130\u0132-\u0151\u0154-\u02ba\u02bd-\u02c5\u02c7-\u02cc\u02ce-\u02d7\u02dd-\u02ff\u0323\u0329\u1e00-\u1e9f\u1ef2-\u1eff`,
  vietnamese: String.raw`\u0309\u1ea0-\u1ef1\u20ab`,
  cyrillic: String.raw`\u0400-\u045f\u0490\u0491\u04b0\u04b1\u2116`,
  'cyrillic-ext': String.raw`\u0460-\u048f\u0492-\u04af\u04b2-\u052f`,
  devanagari: String.raw`\u0900-\u097f\u20b9\ua8e0-\ua8ff`,
  bengali: String.raw`\u0980-\u0983\u0985-\u098c\u098f\u0990\u0993-\u09a8\u09aa-\u09b0\u09b2\u09b6-\u09b9\u09bc-\u09c4\u09c7\u09c8\u09cb-\u09ce\u09d7\u09dc\u09dd\u09df-\u09e3\u09e6-\u09fe`,
  tamil: String.raw`\u0b82\u0b83\u0b85-\u0b8a\u0b8e-\u0b90\u0b92-\u0b95\u0b99\u0b9a\u0b9c\u0b9e\u0b9f\u0ba3\u0ba4\u0ba8-\u0baa\u0bae-\u0bb9\u0bbe-\u0bc2\u0bc6-\u0bc8\u0bca-\u0bcd\u0bd0\u0bd7\u0be6-\u0bfa`,
  malayalam: String.raw`\u0d00-\u0d0c\u0d0e-\u0d10\u0d12-\u0d44\u0d46-\u0d48\u0d4a-\u0d4f\u0d54-\u0d63\u0d66-\u0d7f`,
} as const;
export type LabelFont = keyof typeof LABEL_LETTERS;
export const LABEL_FONTS = Object.keys(LABEL_LETTERS) as readonly LabelFont[];

/** Files that every label needs: its own words are in these letters. */
const ALWAYS: readonly LabelFont[] = ['arabic', 'latin'];
const CLASSES = Object.fromEntries(LABEL_FONTS.map((font) => [font, new RegExp(`[${LABEL_LETTERS[font]}]`, 'u')]));
const UNPRINTABLE = new RegExp(`[^${Object.values(LABEL_LETTERS).join('')}\\u200c\\u200d]`, 'gu');
/** What has no glyph and no width, such as marks of direction. Joiners stay, because they change how letters join. */
const INVISIBLE = /[[\p{Cc}\p{Default_Ignorable_Code_Point}]--[\t\n\v\f\r\u200c\u200d]]+/gv;
/** What a font draws, as far as any has it: neither spaces nor joiners. */
const INK = /[^\s\u200c\u200d]/u;

/**
 * A text as labels print it: letters in place of Arabic presentation forms, without invisible characters, with single
 * spaces. A character without a glyph becomes its compatibility form (NFKC) or a Latin digit where that has one: `Ａ` is
 * printed as `A`.
 */
export function labelText(text: string): string {
  return lettersOfForms(text)
    .normalize('NFC')
    .replaceAll(INVISIBLE, '')
    .replaceAll(UNPRINTABLE, printableForm)
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

function printableForm(character: string): string {
  const form = latinDigits(character.normalize('NFKC'));
  if (form.search(UNPRINTABLE) >= 0) return character;
  // Apart from the digits beside it: `12⅔` is not `122⁄3`.
  return /\p{No}/u.test(character) ? ` ${form} ` : form;
}

/** Whether labels print every character of a text, and there is one to print. */
export function isPrintable(text: string): boolean {
  const printed = labelText(text);
  return INK.test(printed) && printed.search(UNPRINTABLE) < 0;
}

/** The files that these texts need. */
export function labelFontsOf(texts: readonly string[]): readonly LabelFont[] {
  return LABEL_FONTS.filter((font) => ALWAYS.includes(font) || texts.some((text) => CLASSES[font]?.test(text)));
}
