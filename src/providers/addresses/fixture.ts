import { literalDecimal } from '../../core/decimal.ts';
import { metersBetween } from '../../core/earth.ts';
import { SUGGESTIONS_MAX } from '../../core/limits.ts';
import type { LocalText } from '../../core/locale.ts';
import { foldedOf } from '../../core/typed/folded.ts';
import type { AddressSuggestion, Geocoder, NationalAddress, Registry } from '../../ports/addresses.ts';
import type { Coordinates } from '../../ports/routing.ts';

/* Replaces the registry and the geocoder on `local` and `sandbox`. The guides name its codes and streets. */

/** A registry answers `nearest` with the building, not with the next village. */
const NEAREST_METERS_MAX = 300;

export const fixtureRegistry: Registry = {
  isRegistryDown: () => false,
  find(shortAddress) {
    const address = BUILDINGS.find((building) => building.shortAddress === shortAddress);
    return Promise.resolve(address === undefined ? { kind: 'unknown' } : { kind: 'found', address });
  },
  nearest(point) {
    const [closest] = BUILDINGS.map((address) => ({
      address,
      meters: metersBetween(point, address.location),
    })).toSorted((one, other) => one.meters - other.meters);
    const isNear = closest !== undefined && closest.meters <= NEAREST_METERS_MAX;
    return Promise.resolve(isNear ? { kind: 'found', address: closest.address } : { kind: 'unknown' });
  },
};

/** Finds the places whose names have all words of the text, however they are spelled. */
export const fixtureGeocoder: Geocoder = {
  suggest({ text, near, locale }) {
    const words = foldedOf(text)
      .replaceAll(/[,،.]/g, ' ')
      .split(' ')
      .filter((word) => word !== '');
    const found = words.length === 0 ? [] : PLACES.filter(({ names }) => words.every((word) => names.includes(word)));
    const nearest =
      near === undefined
        ? found
        : found.toSorted((one, other) => metersBetween(near, one.location) - metersBetween(near, other.location));
    return Promise.resolve(nearest.slice(0, SUGGESTIONS_MAX).map((place) => suggestionOf(place, locale)));
  },
};

const RIYADH = { en: 'Riyadh', ar: 'الرياض' };
const JEDDAH = { en: 'Jeddah', ar: 'جدة' };
const DAMMAM = { en: 'Dammam', ar: 'الدمام' };

const BUILDINGS: readonly NationalAddress[] = [
  {
    shortAddress: 'RRRD2929',
    buildingNumber: '2929',
    street: 'شارع العليا',
    district: 'حي الصحافة',
    city: RIYADH.ar,
    postalCode: '13321',
    additionalNumber: '8118',
    location: at('24.7743', '46.6572'),
  },
  {
    shortAddress: 'JEDA1234',
    buildingNumber: '1234',
    street: 'شارع فلسطين',
    district: 'حي الرويس',
    city: JEDDAH.ar,
    postalCode: '23214',
    additionalNumber: '7001',
    location: at('21.5433', '39.1728'),
  },
];

interface Place {
  readonly street: LocalText | null;
  readonly district: LocalText;
  readonly city: LocalText;
  readonly location: Coordinates;
  readonly building?: { readonly shortAddress: string; readonly number: string };
  /** Everything that it is found by, folded. */
  readonly names: string;
}

const PLACES: readonly Place[] = [
  place({
    street: { en: 'Olaya Street', ar: 'شارع العليا' },
    district: { en: 'As Sahafah', ar: 'حي الصحافة' },
    city: RIYADH,
    location: at('24.7743', '46.6572'),
    building: { shortAddress: 'RRRD2929', number: '2929' },
  }),
  place({
    street: { en: 'Palestine Street', ar: 'شارع فلسطين' },
    district: { en: 'Ar Ruwais', ar: 'حي الرويس' },
    city: JEDDAH,
    location: at('21.5433', '39.1728'),
    building: { shortAddress: 'JEDA1234', number: '1234' },
  }),
  place({
    street: { en: 'King Fahd Road', ar: 'طريق الملك فهد' },
    district: { en: 'Al Olaya', ar: 'حي العليا' },
    city: RIYADH,
    location: at('24.6905', '46.6853'),
  }),
  place({
    street: { en: 'Prince Mohammed bin Abdulaziz Road', ar: 'طريق الأمير محمد بن عبدالعزيز' },
    district: { en: 'Al Olaya', ar: 'حي العليا' },
    city: RIYADH,
    location: at('24.6969', '46.6804'),
  }),
  place({
    street: { en: 'King Abdulaziz Road', ar: 'طريق الملك عبدالعزيز' },
    district: { en: 'Ash Shati', ar: 'حي الشاطئ' },
    city: JEDDAH,
    location: at('21.5986', '39.1262'),
  }),
  place({
    street: { en: 'King Fahd Road', ar: 'طريق الملك فهد' },
    district: { en: 'Al Faisaliyah', ar: 'حي الفيصلية' },
    city: DAMMAM,
    location: at('26.3927', '50.0756'),
  }),
  place({
    street: null,
    district: { en: 'Al Malqa', ar: 'حي الملقا' },
    city: RIYADH,
    location: at('24.8136', '46.6105'),
  }),
];

function place(known: Omit<Place, 'names'>): Place {
  const { street, district, city, building } = known;
  const texts = [street, district, city].flatMap((text) => (text === null ? [] : [text.en, text.ar]));
  return { ...known, names: foldedOf([...texts, building?.number, building?.shortAddress].join(' ')) };
}

function suggestionOf({ street, district, city, location, building }: Place, locale: 'en' | 'ar'): AddressSuggestion {
  const comma = locale === 'ar' ? '، ' : ', ';
  const title = [building?.number, (street ?? district)[locale]].filter((text) => text !== undefined).join(' ');
  const rest = street === null ? [city[locale]] : [district[locale], city[locale]];
  return {
    title,
    addressLine: [title, ...rest].join(comma),
    district: district[locale],
    city: city[locale],
    location,
    shortAddress: building?.shortAddress ?? null,
    confidence: building === undefined ? (street === null ? 'DISTRICT' : 'STREET') : 'EXACT',
  };
}

function at(latitude: string, longitude: string): Coordinates {
  return { latitude: literalDecimal(latitude), longitude: literalDecimal(longitude) };
}
