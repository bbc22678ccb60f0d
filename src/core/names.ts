import type { Locale, LocalText } from './locale.ts';
import type { Point } from './polyline.ts';

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
  REFRIGERATED: { en: 'Refrigerated goods', ar: 'بضائع مبردة' },
  SIGNATURE: { en: 'Signature', ar: 'توقيع المستلم' },
  TAIL_LIFT: { en: 'Tail lift', ar: 'رافعة خلفية' },
  TWO_PERSON: { en: 'Two people', ar: 'شخصان للتوصيل' },
};

/** Where the cities are, to the kilometre. */
const CENTRES: Readonly<Record<string, Point>> = {
  ABT: { latitude: 20.01, longitude: 41.47 },
  AHB: { latitude: 18.22, longitude: 42.51 },
  AJF: { latitude: 29.97, longitude: 40.21 },
  BHH: { latitude: 19.99, longitude: 42.61 },
  DMM: { latitude: 26.42, longitude: 50.09 },
  EAM: { latitude: 17.57, longitude: 44.23 },
  ELQ: { latitude: 26.33, longitude: 43.97 },
  GIZ: { latitude: 16.89, longitude: 42.55 },
  HAS: { latitude: 27.51, longitude: 41.72 },
  HOF: { latitude: 25.38, longitude: 49.59 },
  JED: { latitude: 21.54, longitude: 39.17 },
  MED: { latitude: 24.47, longitude: 39.61 },
  MKK: { latitude: 21.42, longitude: 39.83 },
  RAE: { latitude: 30.98, longitude: 41.04 },
  RUH: { latitude: 24.71, longitude: 46.68 },
  TIF: { latitude: 21.27, longitude: 40.42 },
  TUU: { latitude: 28.38, longitude: 36.56 },
  YNB: { latitude: 24.09, longitude: 38.06 },
};

/** The centre of a city; undefined for a code that has no name here. */
export function cityCentre(code: string): Point | undefined {
  return Object.hasOwn(CENTRES, code) ? CENTRES[code] : undefined;
}

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
