import { readNumber, unmistakable } from '../../core/typed/number.ts';
import { readEmail, readIdentifier, readMobile, readPhone } from '../../core/typed/phone.ts';
import { readCode, readDigits, readNumbered, readText } from '../../core/typed/text.ts';

interface Reader {
  /** The value of what was typed. What is no such value stays as it is, so that the service can say what is wrong. */
  readonly read: (typed: string) => string;
  /** The keyboard that a phone shows. */
  readonly inputMode?: 'numeric' | 'decimal' | 'email' | 'tel' | 'url';
  readonly dir?: 'ltr';
  /** How a number was read that could also be read otherwise. */
  readonly doubt?: (typed: string) => string | undefined;
}

const numbers = (isGrouped: boolean): Pick<Reader, 'read' | 'doubt'> => ({
  read: (typed) => readNumber(typed, { isGrouped })?.value ?? readNumbered(typed),
  doubt: (typed) => {
    const number = readNumber(typed, { isGrouped });
    return number?.isDoubtful === true ? unmistakable(number.value) : undefined;
  },
});

/** What a field can be for, and how it reads what is typed. */
export const READERS = {
  text: { read: readText },
  /** A reference, a number or an id. */
  numbered: { read: readNumbered, dir: 'ltr' },
  code: { read: readCode, dir: 'ltr' },
  digits: { read: readDigits, inputMode: 'numeric', dir: 'ltr' },
  /** What somebody searches for: digits are Latin if there is nothing else. */
  sought: { read: (typed) => (/^[0-9]+$/.test(readDigits(typed)) ? readDigits(typed) : readText(typed)) },
  mobile: { read: (typed) => readMobile(typed) ?? readNumbered(typed), inputMode: 'tel', dir: 'ltr' },
  /** A telephone of any country, in E.164. */
  phone: { read: (typed) => readPhone(typed) ?? readNumbered(typed), inputMode: 'tel', dir: 'ltr' },
  email: { read: readEmail, inputMode: 'email', dir: 'ltr' },
  /** An e-mail address or a Saudi mobile number. */
  identifier: { read: readIdentifier, dir: 'ltr' },
  url: { read: readText, inputMode: 'url', dir: 'ltr' },
  amount: { ...numbers(true), inputMode: 'decimal', dir: 'ltr' },
  whole: { ...numbers(true), inputMode: 'numeric', dir: 'ltr' },
  degrees: { ...numbers(false), inputMode: 'decimal', dir: 'ltr' },
} as const satisfies Readonly<Record<string, Reader>>;

export type Reads = keyof typeof READERS;

export function readerOf(reads: Reads): Reader {
  return READERS[reads];
}
