import type { Locale } from '../../../core/locale.ts';

/** What stands on a label beside what is the shipment's own. */
const en = {
  title: 'Waybill',
  hint: 'Print this page on paper of 100 × 150 mm, without margins.',
  to: 'To',
  from: 'From',
  collect: 'Collect from the recipient',
  paid: 'Nothing: it is paid',
  pieces: 'Pieces',
  weight: 'Weight',
  kilograms: 'kg',
  reference: 'Order',
  requirements: 'Handling',
  window: 'Pickup:',
  qr: 'QR code: the shipment in the console',
  barcode: 'Barcode: the number of the shipment',
};

const ar: typeof en = {
  title: 'بوليصة الشحن',
  hint: 'اطبع هذه الصفحة على ورق مقاسه 100 × 150 مم، بلا هوامش.',
  to: 'إلى',
  from: 'من',
  collect: 'المطلوب تحصيله من المستلم',
  paid: 'لا شيء: المبلغ مدفوع',
  pieces: 'القطع',
  weight: 'الوزن',
  kilograms: 'كجم',
  reference: 'الطلب',
  requirements: 'المناولة',
  window: 'الاستلام:',
  qr: 'رمز QR: الشحنة في لوحة التحكم',
  barcode: 'الباركود: رقم الشحنة',
};

export const WORDS: Readonly<Record<Locale, typeof en>> = { en, ar };
