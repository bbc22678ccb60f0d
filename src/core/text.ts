import { UNKNOWN_NAME_MAX } from './limits.ts';

/** The number of Unicode code points, which length limits use. A lone surrogate counts as one. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let at = 1; at < text.length; at += 1) {
    if (isLowSurrogate(text.charCodeAt(at)) && isHighSurrogate(text.charCodeAt(at - 1))) length -= 1;
  }
  return length;
}

function isLowSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xdc00;
}

function isHighSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xd800;
}

/** The name of an unknown property as it is shown. A caller chooses such names, and may have made them long. */
export function shortNameOf(name: string): string {
  // A cut may divide a pair of surrogates.
  return name.slice(0, UNKNOWN_NAME_MAX).toWellFormed();
}

/** Words of a program: letters first, and no number that could identify a person. */
const WRITTEN_BY_PROGRAMS = /^[A-Za-z_](?!.*\d{5})[\w-]*$/;

/** The name of an unknown property as logs show it: what no program would call a property may be a person's data. */
export function loggedNameOf(name: string): string {
  return WRITTEN_BY_PROGRAMS.test(name) ? shortNameOf(name) : `<name ${name.length}>`;
}

/** A hash of 32 bits for short texts (FNV-1a). It is fast, and anyone can find two texts with the same hash. */
export function fnv1aOf(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93);
  return hash >>> 0;
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
