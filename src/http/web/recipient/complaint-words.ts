import type { CaseState, RECIPIENT_CASE_KINDS } from '../../../contract/case-state.ts';
import type { Locale } from '../../../core/locale.ts';

/** The words of complaints on the recipient's page. */
interface ComplaintWords {
  readonly title: string;
  readonly another: string;
  readonly lead: string;
  readonly kind: string;
  readonly kinds: Readonly<Record<(typeof RECIPIENT_CASE_KINDS)[number], string>>;
  readonly description: string;
  readonly hint: string;
  readonly send: string;
  readonly yours: string;
  readonly number: string;
  readonly states: Readonly<Record<CaseState, string>>;
  readonly answerBy: string;
  readonly overdue: string;
  readonly withdrawn: string;
  readonly you: string;
  readonly carrier: string;
  readonly forgotten: string;
  readonly withdraw: string;
  readonly regulator: string;
  readonly sent: string;
}

const en: ComplaintWords = {
  title: 'Is something wrong?',
  another: 'Complain about something else',
  lead: 'Tell the carrier. You get an answer within five business days, here on this page.',
  kind: 'What is it about?',
  kinds: {
    NOT_RECEIVED: 'I did not get the parcel',
    LATE: 'It is late',
    DAMAGED: 'It is damaged',
    LOST: 'It is lost',
    MISSING_ITEMS: 'Something is missing',
    FALSE_ATTEMPT: 'Nobody came',
    COD_AMOUNT: 'I paid a wrong amount',
    DRIVER_CONDUCT: 'How the driver behaved',
    OTHER: 'Something else',
  },
  description: 'What happened?',
  hint: 'The carrier and the shop read it.',
  send: 'Send the complaint',
  yours: 'Your complaints',
  number: 'Number',
  states: { OPEN: 'Waits for an answer', ANSWERED: 'Answered', DISPUTED: 'Is looked at again', CLOSED: 'Closed' },
  answerBy: 'You get an answer by',
  overdue: 'The answer is late. It was due by',
  withdrawn: 'You withdrew it.',
  you: 'You',
  carrier: 'Carrier',
  forgotten: 'This text was deleted.',
  withdraw: 'Withdraw it',
  regulator: 'If you do not agree, or get no answer in time, call the Transport General Authority:',
  sent: 'Your complaint is sent. The answer will be on this page.',
};

const ar: ComplaintWords = {
  title: 'هل حدث خطأ؟',
  another: 'شكوى من أمر آخر',
  lead: 'أخبر الناقل. يصلك الرد هنا في هذه الصفحة خلال خمسة أيام عمل.',
  kind: 'ما الموضوع؟',
  kinds: {
    NOT_RECEIVED: 'لم أستلم الشحنة',
    LATE: 'تأخرت',
    DAMAGED: 'وصلت تالفة',
    LOST: 'ضاعت',
    MISSING_ITEMS: 'ينقصها شيء',
    FALSE_ATTEMPT: 'لم يحضر أحد',
    COD_AMOUNT: 'دفعت مبلغًا غير صحيح',
    DRIVER_CONDUCT: 'سلوك السائق',
    OTHER: 'أمر آخر',
  },
  description: 'ماذا حدث؟',
  hint: 'يقرأ ذلك الناقل والمتجر.',
  send: 'أرسل الشكوى',
  yours: 'شكاواك',
  number: 'الرقم',
  states: { OPEN: 'تنتظر الرد', ANSWERED: 'أُجيب عليها', DISPUTED: 'يُنظر فيها مرة أخرى', CLOSED: 'مغلقة' },
  answerBy: 'يصلك الرد قبل',
  overdue: 'تأخر الرد. كان موعده',
  withdrawn: 'سحبتها.',
  you: 'أنت',
  carrier: 'الناقل',
  forgotten: 'حُذف هذا النص.',
  withdraw: 'اسحب الشكوى',
  regulator: 'إذا لم توافق على الرد أو لم يصلك في موعده فاتصل بالهيئة العامة للنقل:',
  sent: 'أُرسلت شكواك. سيظهر الرد في هذه الصفحة.',
};

export const COMPLAINT_WORDS: Readonly<Record<Locale, ComplaintWords>> = { en, ar };
