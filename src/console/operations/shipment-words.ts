import type { OperatorQueue } from '../../contract/operator-shipment.ts';
import type { Actor } from '../../contract/shipment-state.ts';
import type { LocalText } from '../../core/locale.ts';

/** The queues, and what each has. */
export const QUEUE_WORDS: Readonly<Record<OperatorQueue, { readonly title: LocalText; readonly about: LocalText }>> = {
  lateReports: {
    title: { en: 'Reported by a former driver', ar: 'أبلغ عنها سائق سابق' },
    about: {
      en: 'An operator had given the shipment to somebody else. Ask both drivers who has it.',
      ar: 'كان مشغّل قد نقل الشحنة إلى سائق آخر. اسأل السائقين: مع أيّهما هي؟',
    },
  },
  strandedGoods: {
    title: { en: 'Stranded with a driver', ar: 'عالقة لدى سائق' },
    about: { en: 'The driver is off duty or blocked.', ar: 'السائق خارج المناوبة أو محظور.' },
  },
  undecidedGoods: {
    title: { en: 'Failed, with the driver', ar: 'تعذّر توصيلها وهي مع السائق' },
    about: {
      en: 'Nobody has decided yet. After a day the parcel goes back, also with a driver who is off duty or blocked.',
      ar: 'لم يُتخذ قرار بعد. تعود الشحنة بعد يوم، حتى مع سائق خارج المناوبة أو محظور.',
    },
  },
  acceptedTooLong: {
    title: { en: 'Accepted, not picked up', ar: 'قُبلت ولم تُستلم' },
    about: { en: 'The pickup window ended over an hour ago.', ar: 'انتهت فترة الاستلام قبل أكثر من ساعة.' },
  },
  addressBlocked: {
    title: { en: 'National Address missing or wrong', ar: 'العنوان الوطني مفقود أو خاطئ' },
    about: {
      en: 'No driver gets these shipments until their National Address is valid. If a driver has one already, the registry answered later.',
      ar: 'لا تُعرض هذه الشحنات على أي سائق قبل تصحيح عناوينها الوطنية. إذا كانت إحداها مع سائق فقد أجاب السجل بعد ذلك.',
    },
  },
  carriedUnverified: {
    title: { en: 'Carried with an unverified National Address', ar: 'نُقلت دون التحقق من العنوان الوطني' },
    about: {
      en: 'The registry did not answer in time. A week after the end the shipment leaves this list.',
      ar: 'لم يجب السجل في الوقت المناسب. تغادر الشحنة هذه القائمة بعد أسبوع من انتهائها.',
    },
  },
  unresolved: {
    title: { en: 'No driver found', ar: 'لم يُعثر على سائق' },
    about: { en: 'The search has ended.', ar: 'انتهى البحث.' },
  },
  pendingApproval: {
    title: { en: 'Waiting for approval', ar: 'بانتظار الموافقة' },
    about: { en: 'An operator approves each shipment of these companies.', ar: 'يوافق مشغّل على كل شحنة لهذه الشركات.' },
  },
};

/** Who made a change, as operators say it. */
export const ACTORS: Readonly<Record<Actor, LocalText>> = {
  MERCHANT: { en: 'the company', ar: 'الشركة' },
  DRIVER: { en: 'the driver', ar: 'السائق' },
  SYSTEM: { en: 'the service', ar: 'الخدمة' },
  OPERATOR: { en: 'an operator', ar: 'مشغّل' },
  RECIPIENT: { en: 'the recipient', ar: 'المستلم' },
};
