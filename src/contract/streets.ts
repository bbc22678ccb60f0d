import * as z from 'zod';
import { addViolation, hidden } from './values.ts';

const longitude = hidden(z.number().min(-180).max(180));
/** Web Mercator ends at 85 degrees. */
const latitude = hidden(z.number().min(-85).max(85));
/** About one meter. */
const SIDE_DEGREES_MIN = 0.000_01;

/** A rectangle on the map, in degrees of WGS 84. */
export const mapBounds = z
  .strictObject({ west: longitude, south: latitude, east: longitude, north: latitude })
  .superRefine(({ west, south, east, north }, context) => {
    if (Math.min(east - west, north - south) < SIDE_DEGREES_MIN) addViolation(context, 'OUT_OF_RANGE');
  });
export type MapBounds = z.output<typeof mapBounds>;

/** The streets of a rectangle as data of SVG paths, north up. Both are empty where the map has no street. */
export const streetPaths = z.strictObject({
  /** The size of the rectangle in units of the paths. */
  width: z.number(),
  height: z.number(),
  /** Highways and main roads. */
  major: z.string(),
  minor: z.string(),
});
export type StreetPaths = z.output<typeof streetPaths>;
