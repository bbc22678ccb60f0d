import { LEVELS_MAX } from './json-reader.ts';
import type { Locale, LocalText } from './locale.ts';

/** What is wrong with a request, and where: the detail of its problem. A word in braces is one of the values of the cause. */
export const CAUSE_TEXTS = {
  byteOrderMark: {
    en: 'A byte order mark stands before the text. Send the text without it.',
    ar: 'تسبق النص علامة ترتيب البايتات (BOM). أرسل النص بدونها.',
  },
  notUtf8: {
    en: 'Byte {byte} is not UTF-8. Send the text in UTF-8.',
    ar: 'البايت رقم {byte} ليس بترميز UTF-8. أرسل النص بترميز UTF-8.',
  },
  formNotUtf8: {
    en: '{escape} in `{name}` is not UTF-8. Percent-encode the bytes of UTF-8.',
    ar: 'القيمة {escape} في {name} ليست بترميز UTF-8. رمّز بايتات UTF-8 بعلامات النسبة المئوية.',
  },
  partNotUtf8: {
    en: '`{name}` is not UTF-8. Send the text in UTF-8.',
    ar: '{name} ليس بترميز UTF-8. أرسل النص بترميز UTF-8.',
  },
  repeated: { en: '`{name}` stands twice.', ar: 'يرد {name} مرتين.' },
  repeatedHeader: {
    en: '{name} has one value in one line. Two lines arrive joined by a comma.',
    ar: 'للترويسة {name} قيمة واحدة في سطر واحد. يصل السطران موصولين بفاصلة.',
  },
  tooDeep: {
    en: `The JSON has more than ${LEVELS_MAX} levels of lists and objects.`,
    ar: `في JSON أكثر من ${LEVELS_MAX} مستوى من القوائم والكائنات.`,
  },
  empty: { en: 'The body is empty. Send JSON.', ar: 'متن الطلب فارغ. أرسل JSON.' },
  contentCoding: {
    en: 'The body has the content coding {coding}. Send it without Content-Encoding.',
    ar: 'لمتن الطلب ترميز المحتوى {coding}. أرسله دون الترويسة Content-Encoding.',
  },
} as const satisfies Readonly<Record<string, LocalText>>;
/** What is wrong and where, for the detail of a problem. `values` are short and come from the request. */
export interface Cause {
  readonly text: keyof typeof CAUSE_TEXTS;
  readonly values?: Readonly<Record<string, string>>;
}

/** The sentence of a cause. Values are isolated in Arabic text, so that their order stays. */
export function causeText({ text, values = {} }: Cause, locale: Locale): string {
  return CAUSE_TEXTS[text][locale].replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    return locale === 'ar' ? `\u2068${value}\u2069` : value;
  });
}
