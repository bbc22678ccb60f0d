import type { HandoverReason } from '../../contract/shipment-state.ts';
import type { LocalText } from '../../core/locale.ts';
import { locale } from '../../ui/browser/base/locale.ts';
import { LATE_WORDS, REASON_WORDS } from './words.ts';

/** Why an operator gave a shipment to another driver. */
const HANDOVER_WORDS: Readonly<Record<HandoverReason, LocalText>> = {
  DRIVER_BLOCKED: { en: 'The driver is blocked', ar: 'السائق محظور' },
  DRIVER_UNREACHABLE: { en: 'The driver cannot be reached', ar: 'تعذّر الوصول إلى السائق' },
  DRIVER_LATE: { en: 'The driver is late', ar: 'السائق متأخر' },
  PHONE_LOST: { en: 'The driver’s phone is lost or broken', ar: 'جوال السائق مفقود أو معطّل' },
  VEHICLE_BREAKDOWN: { en: 'The vehicle broke down', ar: 'تعطلت المركبة' },
  OTHER: REASON_WORDS.OTHER,
};
const ALL_REASONS: ReadonlyMap<string, LocalText> = new Map(
  Object.entries({ ...REASON_WORDS, ...LATE_WORDS, ...HANDOVER_WORDS }),
);

/** A reason in words; codes without words stay as they are. */
export function reasonText(code: string): string {
  return ALL_REASONS.get(code)?.[locale] ?? code;
}

/** The note of an event in words: a reason, and after a colon another one or what somebody wrote. */
export function noteText(note: string): string {
  const [, code = '', rest = ''] = /^([A-Z_]+)(?:: (.*))?$/s.exec(note) ?? [];
  if (!ALL_REASONS.has(code)) return note;
  return rest === '' ? reasonText(code) : `${reasonText(code)}: ${noteText(rest)}`;
}
