import * as z from 'zod';
import { parsePlainJson } from '../../core/json.ts';
import { SUGGESTIONS_MAX } from '../../core/limits.ts';
import type { Locale } from '../../core/locale.ts';
import type { AddressSuggestion } from '../../ports/addresses.ts';
import { nameOrNull, placeIn } from './answer.ts';

/** The places of an answer, best first; undefined if it is not usable. A place without a name or outside of the country is left out. */
export function readPhoton(text: string, locale: Locale): readonly AddressSuggestion[] | undefined {
  const parsed = collection.safeParse(parsePlainJson(text));
  if (!parsed.success) return undefined;
  const suggestions = new Map<string, AddressSuggestion>();
  for (const one of parsed.data.features) {
    const read = feature.safeParse(one);
    const suggestion = read.success ? suggestionOf(read.data, locale) : undefined;
    // One street is many ways of OpenStreetMap, which have one line.
    if (suggestion !== undefined && !suggestions.has(suggestion.addressLine))
      suggestions.set(suggestion.addressLine, suggestion);
  }
  return [...suggestions.values()].slice(0, SUGGESTIONS_MAX);
}

const collection = z.object({ type: z.literal('FeatureCollection'), features: z.array(z.unknown()) });

const feature = z.object({
  /** GeoJSON writes the longitude first (RFC 7946 section 3.1.1, github.com/decidim/decidim/pull/11572). */
  geometry: z.object({ type: z.literal('Point'), coordinates: z.tuple([z.number(), z.number()], z.unknown()) }),
  properties: z.object({
    /** Which part of an address it is. Servers before version 0.4 have only `osm_key` and `osm_value`. */
    type: nameOrNull,
    osm_key: nameOrNull,
    osm_value: nameOrNull,
    countrycode: nameOrNull,
    name: nameOrNull,
    housenumber: nameOrNull,
    street: nameOrNull,
    locality: nameOrNull,
    district: nameOrNull,
    city: nameOrNull,
  }),
});
type Feature = z.output<typeof feature>;
type Properties = Feature['properties'];

/** Characters of `destination.addressLine`. */
const LINE_LENGTH_MAX = 240;

function suggestionOf({ geometry, properties }: Feature, locale: Locale): AddressSuggestion | undefined {
  const [longitude, latitude] = geometry.coordinates;
  const location = placeIn(latitude, longitude);
  const confidence = confidenceOf(properties);
  const isElsewhere = properties.countrycode !== null && properties.countrycode.toUpperCase() !== 'SA';
  if (location === undefined || confidence === undefined || isElsewhere) return undefined;
  const { name, housenumber, street, locality } = properties;
  // A house often has no name of its own (github.com/komoot/leaflet.photon/pull/19).
  const road = confidence === 'STREET' ? name : street;
  const house = [housenumber, road].filter((part) => part !== null).join(' ');
  const district = properties.district ?? locality ?? (confidence === 'DISTRICT' ? name : null);
  const city = properties.city ?? (confidence === 'CITY' ? name : null);
  const title = name ?? (house === '' ? (district ?? city) : house);
  if (title === null) return undefined;
  const parts = [title, house, district, city].filter((part) => part !== null && part !== '');
  const addressLine = [...new Set(parts)].join(locale === 'ar' ? '، ' : ', ');
  return {
    title,
    addressLine: Array.from(addressLine).slice(0, LINE_LENGTH_MAX).join(''),
    district,
    city,
    location,
    shortAddress: null,
    confidence,
  };
}

const CONFIDENCE_OF_TYPE: Readonly<Record<string, AddressSuggestion['confidence']>> = {
  house: 'EXACT',
  street: 'STREET',
  locality: 'DISTRICT',
  district: 'DISTRICT',
  city: 'CITY',
};
/** Larger than a city, or no part of an address. */
const NOT_DELIVERED_TO: ReadonlySet<string> = new Set(['county', 'state', 'country', 'other']);
const CITY_VALUES: ReadonlySet<string> = new Set(['city', 'town', 'village']);
const LARGE_VALUES: ReadonlySet<string> = new Set(['country', 'state', 'county', 'region', 'province', 'municipality']);

function confidenceOf({ type, osm_key: key, osm_value: value, housenumber }: Properties) {
  if (housenumber !== null) return 'EXACT';
  if (type !== null && NOT_DELIVERED_TO.has(type)) return undefined;
  if (type !== null && Object.hasOwn(CONFIDENCE_OF_TYPE, type)) return CONFIDENCE_OF_TYPE[type];
  if (key === 'highway') return 'STREET';
  if (key !== 'place') return key === 'boundary' || key === 'natural' ? undefined : 'EXACT';
  if (value !== null && LARGE_VALUES.has(value)) return undefined;
  return value !== null && CITY_VALUES.has(value) ? 'CITY' : 'DISTRICT';
}
