import type { AmendmentChange, AmendmentObjection, AmendmentReason } from '../../contract/amendment-state.ts';
import type { DeliveryPlace } from '../../contract/shipment-amendment.ts';
import type { LocalText } from '../../core/locale.ts';

/** What an amendment changes, in words for merchants. */
export const CHANGE_WORDS: Readonly<Record<AmendmentChange, LocalText>> = {
  PLACE: { en: 'Place', ar: 'المكان' },
  INSTRUCTIONS: { en: 'Instructions', ar: 'التعليمات' },
  LOCATION_NEARBY: { en: 'Location, nearby', ar: 'تغيير بسيط في الموقع' },
  LOCATION: { en: 'Location', ar: 'الموقع' },
  ADDRESS_LINE: { en: 'Address', ar: 'العنوان' },
  SHORT_ADDRESS: { en: 'National Address', ar: 'العنوان الوطني' },
  RECIPIENT_NAME: { en: 'Name of the recipient', ar: 'اسم المستلم' },
  RECIPIENT_PHONE: { en: 'Mobile of the recipient', ar: 'جوال المستلم' },
  ALTERNATE_CONTACT: { en: 'Alternate contact', ar: 'جهة الاتصال البديلة' },
  PICKUP_WINDOW: { en: 'Pickup window', ar: 'فترة الاستلام' },
  DELIVERY_WINDOW: { en: 'Delivery window', ar: 'فترة التوصيل' },
  COD_AMOUNT_LOWERED: { en: 'Less to collect', ar: 'مبلغ التحصيل أقل' },
  COD_AMOUNT_RAISED: { en: 'More to collect', ar: 'مبلغ التحصيل أكثر' },
};

export const AMENDMENT_REASON_WORDS: Readonly<Record<AmendmentReason, LocalText>> = {
  RECIPIENT_ASKED: { en: 'The recipient asked for it', ar: 'طلبه المستلم' },
  OUR_MISTAKE: { en: 'Our mistake', ar: 'خطأ من جهتنا' },
  PAID_ONLINE: { en: 'Paid online meanwhile', ar: 'دُفع عبر الإنترنت في الأثناء' },
  OTHER: { en: 'Other', ar: 'غير ذلك' },
};

export const OBJECTION_WORDS: Readonly<Record<AmendmentObjection, LocalText>> = {
  TOO_LATE: { en: 'it is too late for this', ar: 'فات موعد هذا التغيير' },
  CITY_CHANGE: {
    en: 'this is another city: cancel, and create a new shipment',
    ar: 'هذه مدينة أخرى: ألغِ الشحنة وأنشئ غيرها',
  },
  NOT_PERMITTED: { en: 'this is not yours to change', ar: 'لا يمكنك تغيير هذا' },
  LIMIT_REACHED: { en: 'the shipment was amended too often', ar: 'بلغت الشحنة الحد الأقصى للتعديلات' },
};

export const PLACE_WORDS: Readonly<Record<DeliveryPlace['kind'], LocalText>> = {
  HAND: { en: 'Into the hand', ar: 'باليد' },
  DOOR: { en: 'At the door', ar: 'عند الباب' },
  RECEPTION: { en: 'At the reception', ar: 'في الاستقبال' },
  NEIGHBOUR: { en: 'With a neighbour', ar: 'لدى الجار' },
  SAFE_PLACE: { en: 'In a safe place', ar: 'في مكان آمن' },
};
