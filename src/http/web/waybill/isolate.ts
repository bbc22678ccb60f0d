import { labelText } from '../../../core/label-letters.ts';

/* Texts from outside within a label: they cannot change the order of the text around them, like `<bdi>` in HTML (UAX #9). */

const [LEFT_TO_RIGHT, RIGHT_TO_LEFT, END] = ['\u2066', '\u2067', '\u2069'];
/** Give every character one direction. An isolate alone does not keep the order of `١٢-٣٤`: rule N1 reverses it. */
export const [OVERRIDE, OVERRIDE_END] = ['\u202d', '\u202c'] as const;
const ARABIC = /[[\p{Script=Arabic}\p{Script=Hebrew}]&&\p{L}]/v;
/** Their direction is not that of Latin and Persian digits (Bidi_Class AN). */
const ARABIC_DIGIT = /[٠-٩]/;
const LETTER = /\p{L}/u;
const DIGIT = /\p{Nd}/u;
const BETWEEN_WORDS = /[\s,،؛;:()/]+/u;

const PART = String.raw`[\p{Script=Latin}\p{Nd}]+`;
const SIGNS = String.raw`[-\u2010-\u2015\u2212.:/\\,+*×_~|&#=?]+`;
/** Begins with a plus sign, a zero, or the Saudi `966`, `800` or `9200`. */
const PHONE_START = String.raw`(?:\+ ?\(?|[0٠۰]|9(?=66|200)|٩(?=٦٦|٢٠٠)|8(?=00)|٨(?=٠٠))`;
/**
 * Numbers whose parts right-to-left text would swap: phones (`050 123 4567`), short addresses (`RRRD2929`, so that a number
 * after one is not drawn into it), postcodes with their number (`12211 - 8765`), positions (`24.71, 46.67`), and parts with
 * signs between them (`12-A`, `٣٠-١١-٢٠٢٦`).
 */
const NUMBER = new RegExp(
  String.raw`(?<![\p{L}\p{Nd}])(?:${[
    String.raw`\(?${PHONE_START}\p{Nd}*(?:[ \-\u2010\u2013\u2212.()]{0,2}\p{Nd}){7,}(?:/\p{Nd}+)?`,
    String.raw`[A-Z]{4}[ -]?\p{Nd}{4}(?![\p{L}\p{Nd}])`,
    String.raw`\p{Nd}{5} ?[-\u2010-\u2015] ?\p{Nd}{4}(?!\p{Nd})`,
    String.raw`-?\p{Nd}+\.\p{Nd}+, ?-?\p{Nd}+\.\p{Nd}+`,
    `${PART}(?:${SIGNS}${PART})+`,
  ].join('|')})`,
  'gu',
);

/** A text from outside, in its own direction, with its numbers in the order in which they are stored. */
export function isolate(text: string): string {
  const printed = labelText(text);
  const mayReorder = ARABIC.test(printed) || ARABIC_DIGIT.test(printed);
  const content = mayReorder ? printed.replaceAll(NUMBER, asStored) : printed;
  return `${hasArabicBase(printed) ? RIGHT_TO_LEFT : LEFT_TO_RIGHT}${content}${END}`;
}

/** Latin words with signs between them have their order already. */
function asStored(found: string): string {
  if (!DIGIT.test(found)) return found;
  return isolateLtr(ARABIC_DIGIT.test(found) ? `${OVERRIDE}${found}${OVERRIDE_END}` : found);
}

/** A text that is read from left to right in any language. */
export function isolateLtr(text: string): string {
  return `${LEFT_TO_RIGHT}${text}${END}`;
}

/**
 * Whether a text is read from right to left: most of its words are. A word with digits does not count, because a line that
 * begins with `RRRD2929` and goes on in Arabic is an Arabic line. Between equals the first word decides.
 */
function hasArabicBase(text: string): boolean {
  const words = text.split(BETWEEN_WORDS).filter((word) => LETTER.test(word));
  const plain = words.filter((word) => !DIGIT.test(word));
  const counted = plain.length > 0 ? plain : words;
  const arabic = counted.filter((word) => ARABIC.test(word)).length;
  if (arabic * 2 === counted.length) return ARABIC.test(counted[0] ?? '');
  return arabic * 2 > counted.length;
}
