import type { Failure } from '../service/failure.ts';
import { textsOf } from '../shell/locale.ts';

const TEXTS = {
  en: { needed: 'This is needed.', form: 'This does not have the right form.' },
  ar: { needed: 'هذا الحقل مطلوب.', form: 'صيغة هذه القيمة غير صحيحة.' },
};

/**
 * What is wrong with one field, for a person: the service names the expression that a text does not match, which the
 * hint of the field says in words.
 */
export function faultAt(failure: Failure | undefined, field: string, value: string): string | undefined {
  const violation = failure?.violations.find((one) => one.field === field);
  if (violation === undefined) return undefined;
  const text = textsOf(TEXTS);
  if (value === '') return text.needed;
  return violation.code === 'PATTERN_MISMATCH' ? text.form : violation.message;
}
