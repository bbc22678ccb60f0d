import type { Locale } from '../../../core/locale.ts';

/** The words on the label. */
const en = {
  title: 'Waybill',
  hint: 'Print this page on 100 × 150 mm paper, without margins.',
  to: 'To',
  from: 'From',
  collect: 'Collect from the recipient',
  paid: 'Nothing (prepaid)',
  collectedWith: 'collected with',
  pieces: 'Pieces',
  weight: 'Weight',
  kilograms: 'kg',
  reference: 'Order',
  requirements: 'Handling',
  window: 'Pickup:',
  qr: 'QR code: the shipment in the console',
  barcode: 'Barcode: the shipment number',
};

const ar: typeof en = {
  title: 'بوليصة الشحن',
  hint: 'اطبع هذه الصفحة على ورق مقاسه 100 × 150 مم، بلا هوامش.',
  to: 'إلى',
  from: 'من',
  collect: 'المطلوب تحصيله من المستلم',
  paid: 'لا شيء (مدفوع مسبقًا)',
  collectedWith: 'يُحصَّل مع',
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
