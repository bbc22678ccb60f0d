import { labelText } from '../../../core/label-letters.ts';

/* Texts from outside within a label: they cannot change the order of the text around them, like `<bdi>` in HTML (UAX #9). */

const [LEFT_TO_RIGHT, RIGHT_TO_LEFT, END] = ['\u2066', '\u2067', '\u2069'];
const ARABIC = /[[\p{Script=Arabic}\p{Script=Hebrew}]&&\p{L}]/v;
const LETTER = /\p{L}/u;
const DIGIT = /\p{Nd}/u;
const BETWEEN_WORDS = /[\s,،؛;:()/]+/u;
/**
 * Numbers whose parts right-to-left text would swap: phones (`050 123 4567`), short addresses (`RRRD2929`, so that a number
 * after one is not drawn into it) and parts with signs between them (`12211-8765`).
 */
const NUMBER =
  /(?<![\p{L}\p{Nd}])(?:\(?(?:\+ ?\(?|[0٠۰])\p{Nd}*(?:[ \-\u2010\u2013\u2212.()]{0,2}\p{Nd}){7,}|[A-Z]{4}[ -]?\p{Nd}{4}(?![\p{L}\p{Nd}]))|\p{Nd}+(?:[-\u2010\u2013\u2014\u2212.:/]\p{Nd}+)+/gu;

/** A text from outside, in its own direction, with its numbers in the order in which they are stored. */
export function isolate(text: string): string {
  const printed = labelText(text);
  const content = ARABIC.test(printed) ? printed.replaceAll(NUMBER, isolateLtr) : printed;
  return `${hasArabicBase(printed) ? RIGHT_TO_LEFT : LEFT_TO_RIGHT}${content}${END}`;
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
