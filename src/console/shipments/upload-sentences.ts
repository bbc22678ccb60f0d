import type { ProblemViolation } from '../../client/problem.ts';
import { isRounded } from '../../core/typed/rounded.ts';
import { textsOf } from '../../ui/browser/base/locale.ts';
import { sentenceOf } from '../../ui/browser/service/failure.ts';

const TEXTS = {
  en: {
    rounded:
      'A spreadsheet has rounded this number, so its last digits are lost. Format the column as text and save the file again, or enter the number here.',
  },
  ar: {
    rounded:
      'قرّب برنامج الجداول هذا الرقم ففُقدت خاناته الأخيرة. اجعل تنسيق العمود نصًا واحفظ الملف من جديد، أو اكتب الرقم هنا.',
  },
};

/** What is wrong with a cell of an uploaded file, as a sentence. */
export function sentenceOfCell(violation: ProblemViolation, value: string | undefined): string {
  return value !== undefined && isRounded(value) ? textsOf(TEXTS).rounded : sentenceOf(violation, value);
}
