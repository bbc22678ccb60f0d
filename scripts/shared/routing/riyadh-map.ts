import { type Street, streetGrid } from './street-map.ts';

/*
 * Riyadh for a trial: a grid of streets with names of the city, which the routing engine and the map of a local service
 * share. Streets and districts are about where they really are, and straight.
 */

/** [latitude, longitude] */
export const SOUTH_WEST = [24.5, 46.5] as const;
export const NORTH_EAST = [24.95, 47] as const;

interface Name {
  readonly en: string;
  readonly ar: string;
}

/** Of streets from west to east, by their latitude. */
const ACROSS: Readonly<Record<string, Name>> = {
  '24.55': { en: 'Southern Ring Road', ar: 'الطريق الدائري الجنوبي' },
  '24.58': { en: 'Al Hair Road', ar: 'طريق الحائر' },
  '24.61': { en: 'Hamza ibn Abdulmuttalib Street', ar: 'شارع حمزة بن عبدالمطلب' },
  '24.63': { en: 'Al Batha Street', ar: 'شارع البطحاء' },
  '24.65': { en: 'Imam Mohammed ibn Saud Road', ar: 'طريق الإمام محمد بن سعود' },
  '24.67': { en: 'Makkah Al Mukarramah Road', ar: 'طريق مكة المكرمة' },
  '24.69': { en: 'Prince Mohammed ibn Abdulaziz Street', ar: 'شارع الأمير محمد بن عبدالعزيز' },
  '24.71': { en: 'Al Urubah Road', ar: 'طريق العروبة' },
  '24.73': { en: 'King Abdullah Road', ar: 'طريق الملك عبدالله' },
  '24.75': { en: 'Imam Saud ibn Faisal Road', ar: 'طريق الإمام سعود بن فيصل' },
  '24.77': { en: 'Northern Ring Road', ar: 'الطريق الدائري الشمالي' },
  '24.8': { en: 'Anas ibn Malik Road', ar: 'طريق أنس بن مالك' },
  '24.83': { en: 'King Salman Road', ar: 'طريق الملك سلمان' },
  '24.87': { en: 'Banban Road', ar: 'طريق بنبان' },
};
/** Of streets from south to north, by their longitude. */
const ALONG: Readonly<Record<string, Name>> = {
  '46.55': { en: 'Wadi Hanifah Road', ar: 'طريق وادي حنيفة' },
  '46.58': { en: 'Western Ring Road', ar: 'الطريق الدائري الغربي' },
  '46.61': { en: 'King Khalid Road', ar: 'طريق الملك خالد' },
  '46.63': { en: 'Prince Turki ibn Abdulaziz Road', ar: 'طريق الأمير تركي بن عبدالعزيز' },
  '46.65': { en: 'Takhassusi Street', ar: 'شارع التخصصي' },
  '46.67': { en: 'King Fahd Road', ar: 'طريق الملك فهد' },
  '46.68': { en: 'Olaya Street', ar: 'شارع العليا' },
  '46.7': { en: 'King Abdulaziz Road', ar: 'طريق الملك عبدالعزيز' },
  '46.72': { en: 'Abu Bakr As Siddiq Road', ar: 'طريق أبي بكر الصديق' },
  '46.74': { en: 'Uthman ibn Affan Road', ar: 'طريق عثمان بن عفان' },
  '46.78': { en: 'Eastern Ring Road', ar: 'الطريق الدائري الشرقي' },
  '46.82': { en: 'Sheikh Jaber Road', ar: 'طريق الشيخ جابر' },
  '46.86': { en: 'Al Janadriyah Road', ar: 'طريق الجنادرية' },
};
const IS_TRUNK = /^(?:King (?:Fahd|Abdullah)|\w+ern Ring)/;

/** The streets of the grid. `name:ar` is among the tags of those that have a name of the city. */
export function riyadhStreets(): Street[] {
  return streetGrid(SOUTH_WEST, NORTH_EAST).map((street, index) => {
    const [[latitude, longitude] = SOUTH_WEST, [otherLatitude] = NORTH_EAST] = street.points;
    const name = latitude === otherLatitude ? ACROSS[String(latitude)] : ALONG[String(longitude)];
    if (name === undefined)
      return { ...street, tags: { ...street.tags, highway: 'residential', 'name:ar': `شارع ${index + 1}` } };
    const highway = IS_TRUNK.test(name.en) ? 'trunk' : 'primary';
    return { ...street, name: name.en, tags: { ...street.tags, highway, 'name:ar': name.ar } };
  });
}

export interface District extends Name {
  readonly latitude: number;
  readonly longitude: number;
}

export const DISTRICTS: readonly District[] = [
  { en: 'As Sahafah', ar: 'حي الصحافة', latitude: 24.805, longitude: 46.635 },
  { en: 'Al Olaya', ar: 'حي العليا', latitude: 24.695, longitude: 46.685 },
  { en: 'Al Malqa', ar: 'حي الملقا', latitude: 24.815, longitude: 46.605 },
  { en: 'Al Yasmin', ar: 'حي الياسمين', latitude: 24.825, longitude: 46.655 },
  { en: 'An Narjis', ar: 'حي النرجس', latitude: 24.845, longitude: 46.675 },
  { en: 'Al Aqiq', ar: 'حي العقيق', latitude: 24.775, longitude: 46.625 },
  { en: 'Hittin', ar: 'حي حطين', latitude: 24.765, longitude: 46.595 },
  { en: 'An Nakhil', ar: 'حي النخيل', latitude: 24.745, longitude: 46.615 },
  { en: 'Al Wadi', ar: 'حي الوادي', latitude: 24.785, longitude: 46.695 },
  { en: 'Al Murooj', ar: 'حي المروج', latitude: 24.755, longitude: 46.655 },
  { en: 'Al Wurud', ar: 'حي الورود', latitude: 24.725, longitude: 46.675 },
  { en: 'As Sulimaniyah', ar: 'حي السليمانية', latitude: 24.705, longitude: 46.705 },
  { en: 'Al Murabba', ar: 'حي المربع', latitude: 24.655, longitude: 46.705 },
  { en: 'Al Malaz', ar: 'حي الملز', latitude: 24.665, longitude: 46.735 },
  { en: 'Ar Rawdah', ar: 'حي الروضة', latitude: 24.735, longitude: 46.765 },
  { en: 'An Nasim', ar: 'حي النسيم', latitude: 24.725, longitude: 46.825 },
  { en: 'Ishbiliyah', ar: 'حي إشبيلية', latitude: 24.795, longitude: 46.785 },
  { en: 'Irqah', ar: 'حي عرقة', latitude: 24.685, longitude: 46.575 },
  { en: 'Al Suwaidi', ar: 'حي السويدي', latitude: 24.595, longitude: 46.665 },
  { en: 'Ash Shifa', ar: 'حي الشفا', latitude: 24.565, longitude: 46.705 },
];

/** A district with a park in its middle. */
export const PARK = { en: 'King Abdullah Park', ar: 'حديقة الملك عبدالله', latitude: 24.665, longitude: 46.745 };
export const LAKE = { en: 'Wadi Namar Lake', ar: 'بحيرة وادي نمار', latitude: 24.565, longitude: 46.675 };
export const CITY = { en: 'Riyadh', ar: 'الرياض', latitude: 24.7, longitude: 46.7 };
