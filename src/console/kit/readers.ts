import { readEmail, readIdentifier, readMobile, readPhone } from '../../core/typed/phone.ts';
import { readCode, readDigits, readNumbered, readText } from '../../core/typed/text.ts';

/** What a field is for. */
export interface Reader {
  /** The value of what was typed. What is no such value stays as it is, so that the service can say what is wrong. */
  readonly read: (typed: string) => string;
  /** The keyboard that a phone shows. */
  readonly inputMode?: 'numeric' | 'decimal' | 'email' | 'tel' | 'url';
  readonly dir?: 'ltr';
  /** How a number was read that could also be read otherwise. */
  readonly doubt?: (typed: string) => string | undefined;
}

export const TEXT: Reader = { read: readText };
/** A reference, a number or an id. */
export const NUMBERED: Reader = { read: readNumbered, dir: 'ltr' };
export const CODE: Reader = { read: readCode, dir: 'ltr' };
/** The number of a registration, or a one-time code. */
export const DIGITS: Reader = { read: readDigits, inputMode: 'numeric', dir: 'ltr' };
/** What somebody searches for: a number has Latin digits, and a name keeps its own. */
export const SOUGHT: Reader = {
  read: (typed) => (/^[0-9]+$/.test(readDigits(typed)) ? readDigits(typed) : readText(typed)),
};
export const MOBILE: Reader = {
  read: (typed) => readMobile(typed) ?? readNumbered(typed),
  inputMode: 'tel',
  dir: 'ltr',
};
/** A telephone of any country, in E.164. */
export const PHONE: Reader = { read: (typed) => readPhone(typed) ?? readNumbered(typed), inputMode: 'tel', dir: 'ltr' };
export const EMAIL: Reader = { read: readEmail, inputMode: 'email', dir: 'ltr' };
/** An e-mail address or a Saudi mobile number. */
export const IDENTIFIER: Reader = { read: readIdentifier, dir: 'ltr' };
export const URL_READER: Reader = { read: readText, inputMode: 'url', dir: 'ltr' };
