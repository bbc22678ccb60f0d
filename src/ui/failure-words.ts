import type { FailureReason } from '../contract/shipment-state.ts';
import type { LocalText } from '../core/locale.ts';

/** Why a delivery failed. A file of its own, because the drivers’ page loads these words and no others. */
export const FAILURE_WORDS: Readonly<Record<FailureReason, LocalText>> = {
  RECIPIENT_UNREACHABLE: { en: 'The recipient could not be reached', ar: 'تعذّر الوصول إلى المستلم' },
  NOT_AS_ORDERED: { en: 'The recipient looked at the goods and refused them', ar: 'فحص المستلم الشحنة ورفضها' },
  RECIPIENT_REFUSED: { en: 'The recipient refused the parcel', ar: 'رفض المستلم الشحنة' },
  COD_NOT_PAID: { en: 'The amount was not paid', ar: 'لم يُدفع المبلغ' },
  WRONG_ADDRESS: { en: 'Wrong address', ar: 'العنوان غير صحيح' },
  DAMAGED: { en: 'Damaged', ar: 'تلفت الشحنة' },
  LOST: { en: 'Lost', ar: 'فُقدت الشحنة' },
  OTHER: { en: 'Other reason', ar: 'سبب آخر' },
};
