import { toE164 } from '../phone.ts';
import { latinDigits } from '../text.ts';
import { readNumbered, readText, withoutUnseen } from './text.ts';

/* Phone numbers as people write, copy and export them. A reader returns undefined for any other text. */

/** How links and spreadsheets begin a number, and how a list or a column of numbers with fractions ends it. */
const AROUND =
  /^\W*(?:(?:tel|sms|callto|whatsapp):(?:\/\/)?|https?:\/\/wa\.me\/)|(?<=^\D*\d{9,12})[.,]0+$|[,،;؛][\p{Z}\p{C}]*$/giu;
/** A zero that is dialled inside the country only: `+966 (0) 50`. */
const TRUNK_ZERO = /\(\s*0\s*\)/;
/** Spaces, invisible characters, dashes, brackets, dots, quotation marks, slashes, pictures of telephones, `="050"` of exports and what looks like a dash. */
const SEPARATORS =
  /[\p{Z}\p{C}\p{M}\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Extended_Pictographic}\u02d7\u0640\u2212\u2043\u2500\u30fc\u00b7\u2022\u30fb._~/'"`=]/gu;
/** Where text runs from right to left, the plus sign is often typed last. */
const LAST_PLUS = /^([0-9]+)\+$/;

/** The number without separators, with Latin digits and its plus sign first. Anything else in it stays. */
function dialled(typed: string): string {
  return latinDigits(typed.normalize('NFKC'))
    .replaceAll(AROUND, '')
    .replaceAll(SEPARATORS, '')
    .replace(LAST_PLUS, '+$1');
}

const MOBILE = /^(?:\+?(?:00)?9660?|0)?(5[0-9]{8})$/;

/** A Saudi mobile number: `0501234567`. */
export function readMobile(typed: string): string | undefined {
  const subscriber = MOBILE.exec(dialled(typed))?.[1];
  return subscriber === undefined ? undefined : `0${subscriber}`;
}

/**
 * With the country code. That of the Kingdom may lack its plus sign, and nine digits follow it, or ten if they begin with 800:
 * further digits would be those of an extension.
 */
const INTERNATIONAL = /^(?:\+|00)?(966(?:[1-9][0-9]{8}|800[0-9]{7}))$|^(?:\+|00)((?!966)[1-9][0-9]{6,14})$/;

/** A number of any country in E.164. Without a country code it is a Saudi mobile number. */
export function readPhone(typed: string): string | undefined {
  const mobile = readMobile(typed);
  if (mobile !== undefined) return toE164(mobile);
  const [, own, foreign] = INTERNATIONAL.exec(dialled(typed.replace(TRUNK_ZERO, ''))) ?? [];
  const number = own ?? foreign;
  return number === undefined ? undefined : `+${number}`;
}

/** The number of a commercial registration, read as phones are: with other digits, spaces, dashes and what exports put around it. */
export function readRegistrationNumber(typed: string): string {
  const digits = dialled(typed);
  return /^[0-9]+$/.test(digits) ? digits : readNumbered(typed);
}

/** An e-mail address has no white and no invisible characters. */
export function readEmail(typed: string): string {
  return withoutUnseen(typed.normalize('NFKC'));
}

/** What somebody signs in with: an e-mail address, or a Saudi mobile number in E.164. Other texts stay texts. */
export function readIdentifier(typed: string): string {
  if (/[@＠]/.test(typed)) return readEmail(typed);
  const mobile = readMobile(typed);
  return mobile === undefined ? readText(typed) : toE164(mobile);
}
