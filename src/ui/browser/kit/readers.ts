import { readEmail, readIdentifier, readMobile, readPhone, readRegistrationNumber } from '../../../core/typed/phone.ts';
import { readCode, readDigits, readNumbered, readOneLine, readText } from '../../../core/typed/text.ts';

/** How a field reads what a person types. */
export interface Reader {
  /** Returns the value. Any other text stays as it is, so that the service can say what is wrong with it. */
  readonly read: (typed: string) => string;
  /** The keyboard that a phone shows. */
  readonly inputMode?: 'numeric' | 'decimal' | 'email' | 'tel' | 'url';
  readonly dir?: 'ltr';
  /** How an ambiguous number was read. Undefined for every other one. */
  readonly doubt?: (typed: string) => string | undefined;
}

export const TEXT: Reader = { read: readText };
/** The merchant's own number of an order. */
export const REFERENCE: Reader = { read: readOneLine };
/** A number or an id. */
export const NUMBERED: Reader = { read: readNumbered, dir: 'ltr' };
export const CODE: Reader = { read: readCode, dir: 'ltr' };
/** A one-time code. */
export const DIGITS: Reader = { read: readDigits, inputMode: 'numeric', dir: 'ltr' };
/** A search text. A number gets Latin digits, and a name keeps its own. */
export const SOUGHT: Reader = {
  read: (typed) => (/^[0-9]+$/.test(readDigits(typed)) ? readDigits(typed) : readOneLine(typed)),
};
/** The number of a commercial registration. */
export const REGISTRATION_NUMBER: Reader = { read: readRegistrationNumber, inputMode: 'numeric', dir: 'ltr' };
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
