import type { LocalText } from '../../core/locale.ts';
import { locale } from '../../ui/browser/base/locale.ts';
import { AMENDMENT_REASON_WORDS, CHANGE_WORDS } from './amendment-words.ts';
import { LATE_WORDS, REASON_WORDS } from './words.ts';

const ALL_REASONS: ReadonlyMap<string, LocalText> = new Map(
  Object.entries({ ...AMENDMENT_REASON_WORDS, ...REASON_WORDS, ...LATE_WORDS, ...CHANGE_WORDS }),
);

/** A reason in words; codes without words stay as they are. */
export function reasonText(code: string): string {
  return ALL_REASONS.get(code)?.[locale] ?? code;
}

/** The note of an event in words: a reason, and after a colon another one or what somebody wrote. */
export function noteText(note: string): string {
  const changes = note.split(', ');
  if (changes.length > 1 && changes.every((change) => ALL_REASONS.has(change))) {
    return changes.map(reasonText).join(locale === 'ar' ? '، ' : ', ');
  }
  const [, code = '', rest = ''] = /^([A-Z_]+)(?:: (.*))?$/s.exec(note) ?? [];
  if (!ALL_REASONS.has(code)) return note;
  return rest === '' ? reasonText(code) : `${reasonText(code)}: ${noteText(rest)}`;
}
