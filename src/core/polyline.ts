/*
 * The encoded polyline of Google Maps and OSRM, with six decimal places ("polyline6"): each point's difference from the
 * one before, in groups of five bits, as printable characters.
 */

/** A point in degrees of WGS 84. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

const UNITS_PER_DEGREE = 1e6;
const FIRST_CODE = 63;
const CONTINUED = 0x20;

/** The points of a line. Of a text that is cut off or is no polyline, those that can be read. */
export function decodePolyline(text: string): readonly Point[] {
  const points: Point[] = [];
  let latitude = 0;
  let longitude = 0;
  let at = 0;
  while (at < text.length) {
    const northward = readDifference(text, at);
    const eastward = northward && readDifference(text, northward.next);
    if (eastward === undefined || northward === undefined) return points;
    latitude += northward.difference;
    longitude += eastward.difference;
    points.push({ latitude: latitude / UNITS_PER_DEGREE, longitude: longitude / UNITS_PER_DEGREE });
    at = eastward.next;
  }
  return points;
}

function readDifference(
  text: string,
  start: number,
): { readonly difference: number; readonly next: number } | undefined {
  let bits = 0;
  for (let at = start, shift = 0; at < text.length && shift < 32; at += 1, shift += 5) {
    const group = text.charCodeAt(at) - FIRST_CODE;
    if (group < 0 || group >= 2 * CONTINUED) return undefined;
    bits |= (group & (CONTINUED - 1)) << shift;
    // The sign is the lowest bit.
    if (group < CONTINUED) return { difference: (bits & 1) === 1 ? ~(bits >>> 1) : bits >>> 1, next: at + 1 };
  }
  return undefined;
}
