import type { PARTS_OF_DAY, RecipientReturn } from '../../../contract/recipient.ts';
import type { RETURN_REASONS } from '../../../contract/resolution-state.ts';
import type { Locale } from '../../../core/locale.ts';

/** The words of returns on the recipient's page. */
interface ReturnWords {
  readonly heading: string;
  readonly title: string;
  readonly lead: (merchant: string) => string;
  readonly quantity: (left: string) => string;
  readonly why: string;
  readonly reasons: Readonly<Record<(typeof RETURN_REASONS)[number], string>>;
  readonly when: string;
  readonly parts: Readonly<Record<(typeof PARTS_OF_DAY)[number], string>>;
  readonly comment: string;
  readonly ask: string;
  readonly again: string;
  readonly states: Readonly<Record<RecipientReturn['state'], (merchant: string, until: string) => string>>;
}

const en: ReturnWords = {
  heading: 'After the delivery',
  title: 'Return something',
  lead: (merchant) => `Ask ${merchant} to take it back. If the store agrees, a driver comes to you.`,
  quantity: (left) => `How many of ${left}?`,
  why: 'Why?',
  reasons: {
    CHANGED_MIND: 'I changed my mind',
    WRONG_ITEM: 'It is not what I ordered',
    DAMAGED: 'It is damaged',
    WARRANTY: 'It does not work any more',
    OTHER: 'Another reason',
  },
  when: 'When can the driver come?',
  parts: { MORNING: 'Before noon', AFTERNOON: 'From noon to 5 pm', EVENING: 'After 5 pm' },
  comment: 'In your words (not required)',
  ask: 'Ask for the return',
  again: 'Return something else',
  states: {
    AWAITING_MERCHANT: (merchant, until) => `You asked for a return. ${merchant} decides by ${until}.`,
    ACCEPTED: (merchant) => `${merchant} agreed. A driver comes to fetch it.`,
    REJECTED: (merchant) => `${merchant} did not agree to the return. Please contact the store.`,
    EXPIRED: (merchant) => `${merchant} did not answer in time. You can ask again.`,
  },
};

const ar: ReturnWords = {
  heading: 'بعد استلام الشحنة',
  title: 'إرجاع شيء من الشحنة',
  lead: (merchant) => `اطلب من ${merchant} استرجاعه. إذا وافق المتجر جاءك سائق لأخذه.`,
  quantity: (left) => `كم قطعة تريد إرجاعها؟ (لديك ${left})`,
  why: 'ما السبب؟',
  reasons: {
    CHANGED_MIND: 'غيّرت رأيي',
    WRONG_ITEM: 'ليس ما طلبته',
    DAMAGED: 'وصل تالفًا',
    WARRANTY: 'تعطّل',
    OTHER: 'سبب آخر',
  },
  when: 'متى يستطيع السائق المجيء؟',
  parts: { MORNING: 'قبل الظهر', AFTERNOON: 'من الظهر إلى الخامسة', EVENING: 'بعد الخامسة مساءً' },
  comment: 'بكلماتك (اختياري)',
  ask: 'اطلب الإرجاع',
  again: 'إرجاع شيء آخر',
  states: {
    AWAITING_MERCHANT: (merchant, until) => `طلبت الإرجاع. يقرر ${merchant} قبل ${until}.`,
    ACCEPTED: (merchant) => `وافق ${merchant}. سيأتي سائق لأخذه.`,
    REJECTED: (merchant) => `لم يوافق ${merchant} على الإرجاع. تواصل مع المتجر من فضلك.`,
    EXPIRED: (merchant) => `لم يرد ${merchant} في الموعد. يمكنك أن تطلب مرة أخرى.`,
  },
};

export const RETURN_WORDS: Readonly<Record<Locale, ReturnWords>> = { en, ar };
