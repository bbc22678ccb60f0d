import type { Locale, LocalText } from './locale.ts';

/* Names for the codes of a deployment. A code that has no name here is shown as it is. */

type Names = Readonly<Record<string, LocalText>>;

/** Cities by the code of their airport or of their metropolitan area (IATA). */
const CITIES: Names = {
  ABT: { en: 'Al Bahah', ar: 'الباحة' },
  AHB: { en: 'Abha', ar: 'أبها' },
  AJF: { en: 'Sakaka', ar: 'سكاكا' },
  BHH: { en: 'Bisha', ar: 'بيشة' },
  DMM: { en: 'Dammam', ar: 'الدمام' },
  EAM: { en: 'Najran', ar: 'نجران' },
  ELQ: { en: 'Buraydah', ar: 'بريدة' },
  GIZ: { en: 'Jazan', ar: 'جازان' },
  HAS: { en: 'Hail', ar: 'حائل' },
  HOF: { en: 'Hofuf', ar: 'الهفوف' },
  JED: { en: 'Jeddah', ar: 'جدة' },
  MED: { en: 'Madinah', ar: 'المدينة المنورة' },
  MKK: { en: 'Makkah', ar: 'مكة المكرمة' },
  RAE: { en: 'Arar', ar: 'عرعر' },
  RUH: { en: 'Riyadh', ar: 'الرياض' },
  TIF: { en: 'Taif', ar: 'الطائف' },
  TUU: { en: 'Tabuk', ar: 'تبوك' },
  YNB: { en: 'Yanbu', ar: 'ينبع' },
};

/** What a shipment can require. */
const CAPABILITIES: Names = {
  BULKY: { en: 'Bulky goods', ar: 'بضائع كبيرة الحجم' },
  COD: { en: 'Cash on delivery', ar: 'الدفع عند الاستلام' },
  COLD_CHAIN: { en: 'Cold chain', ar: 'سلسلة تبريد' },
  DOCUMENTS: { en: 'Documents', ar: 'مستندات' },
  FRAGILE: { en: 'Fragile goods', ar: 'بضائع قابلة للكسر' },
  FROZEN: { en: 'Frozen goods', ar: 'بضائع مجمدة' },
  HAZARDOUS: { en: 'Hazardous goods', ar: 'مواد خطرة' },
  HEAVY: { en: 'Heavy goods', ar: 'بضائع ثقيلة' },
  ID_CHECK: { en: 'Identity check', ar: 'التحقق من الهوية' },
  INSTALLATION: { en: 'Installation', ar: 'تركيب' },
  PHARMA: { en: 'Medicines', ar: 'أدوية' },
  PROOF_PHOTO: { en: 'Photo at the delivery', ar: 'صورة عند التسليم' },
  PROOF_PIN: { en: 'PIN at the delivery', ar: 'رمز عند التسليم' },
  PROOF_SIGNATURE: { en: 'Signature at the delivery', ar: 'توقيع عند التسليم' },
  REFRIGERATED: { en: 'Refrigerated goods', ar: 'بضائع مبردة' },
  SIGNATURE: { en: 'Signature', ar: 'توقيع المستلم' },
  TAIL_LIFT: { en: 'Tail lift', ar: 'رافعة خلفية' },
  TWO_PERSON: { en: 'Two people', ar: 'شخصان للتوصيل' },
};

/** The cities that have a name here. */
export const NAMED_CITIES = Object.entries(CITIES).map(([cityCode, { en, ar }]) => ({
  cityCode,
  name: en,
  nameAr: ar,
}));

export function cityName(code: string, locale: Locale): string {
  return nameOf(CITIES, code, locale);
}

export function capabilityTitle(code: string, locale: Locale): string {
  return nameOf(CAPABILITIES, code, locale);
}

function nameOf(names: Names, code: string, locale: Locale): string {
  return Object.hasOwn(names, code) ? (names[code]?.[locale] ?? code) : code;
}
