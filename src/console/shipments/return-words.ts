import type { RecipientReturn } from '../../contract/recipient.ts';
import type { ReturnReason } from '../../contract/resolution-state.ts';
import type { LocalText } from '../../core/locale.ts';

/* Returns in words for merchants. */

export const RETURN_REASON_WORDS: Readonly<Record<ReturnReason, LocalText>> = {
  CHANGED_MIND: { en: 'The recipient changed their mind', ar: 'غيّر المستلم رأيه' },
  WRONG_ITEM: { en: 'Not what was ordered', ar: 'ليس ما طُلب' },
  DAMAGED: { en: 'Damaged', ar: 'تالف' },
  WARRANTY: { en: 'Does not work any more', ar: 'تعطّل' },
  OTHER: { en: 'Another reason', ar: 'سبب آخر' },
};

export const PART_OF_DAY_WORDS: Readonly<Record<RecipientReturn['partOfDay'], LocalText>> = {
  MORNING: { en: 'before noon', ar: 'قبل الظهر' },
  AFTERNOON: { en: 'from noon to 5 pm', ar: 'من الظهر إلى الخامسة' },
  EVENING: { en: 'after 5 pm', ar: 'بعد الخامسة مساءً' },
};

/** What became of the recipient's request. */
export const DECIDED_WORDS: Readonly<Record<Exclude<RecipientReturn['state'], 'AWAITING_MERCHANT'>, LocalText>> = {
  ACCEPTED: {
    en: 'The recipient asked for a return, and you created it.',
    ar: 'طلب المستلم الإرجاع، وأنشأته أنت.',
  },
  REJECTED: { en: 'The recipient asked for a return, and you declined.', ar: 'طلب المستلم الإرجاع، ورفضته أنت.' },
  EXPIRED: {
    en: 'The recipient asked for a return, and nobody decided in time.',
    ar: 'طلب المستلم الإرجاع، ولم يقرر أحد في الموعد.',
  },
};
