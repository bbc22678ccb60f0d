import type { Point } from './polyline.ts';

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

/** The centre of a city; undefined for a code that is not listed. */
export function cityCentre(code: string): Point | undefined {
  return Object.hasOwn(CENTRES, code) ? CENTRES[code] : undefined;
}
