/*
 * The encoded polyline of Google Maps and OSRM, with six decimal places ("polyline6"): each point's difference from the
 * one before, in groups of five bits, as printable characters.
 */

/** A point in degrees of WGS 84. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** A place of the sixth decimal is 11 cm on the ground. */
const UNITS_PER_DEGREE = 1e6;
const FIRST_CODE = 63;
const CONTINUED = 0x20;

/** The line as text. */
export function encodePolyline(points: readonly Point[]): string {
  let text = '';
  let latitude = 0;
  let longitude = 0;
  for (const point of points) {
    // Rounds the whole coordinate, not the difference, because rounding errors of differences would add up.
    const nextLatitude = Math.round(point.latitude * UNITS_PER_DEGREE);
    const nextLongitude = Math.round(point.longitude * UNITS_PER_DEGREE);
    text += encodeDifference(nextLatitude - latitude) + encodeDifference(nextLongitude - longitude);
    latitude = nextLatitude;
    longitude = nextLongitude;
  }
  return text;
}

/** Whether the text is a complete polyline of at least one point, with valid characters only. */
export function isPolyline(text: string): boolean {
  // A number has continuing groups ("_" to "~") and then a final group ("?" to "^").
  if (!/^[?-~]*[?-^]$/.test(text)) return false;
  let numbers = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) < FIRST_CODE + CONTINUED) numbers += 1;
  return numbers % 2 === 0;
}

/** The points of a line. For incomplete or invalid text, only the points that can be read. */
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

function encodeDifference(difference: number): string {
  // The sign becomes the lowest bit. Differences are below 2^29, so 32 bits suffice.
  let rest = difference < 0 ? ~(difference << 1) : difference << 1;
  let text = '';
  while (rest >= CONTINUED) {
    text += String.fromCharCode(FIRST_CODE + (CONTINUED | (rest & 0x1f)));
    rest >>>= 5;
  }
  return text + String.fromCharCode(FIRST_CODE + rest);
}
