/*
 * The encoded polyline of Google Maps and OSRM, with six decimal places ("polyline6"): each point's difference from the
 * one before, in groups of five bits, as printable characters.
 */

/** A point in degrees. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** A place of the sixth decimal is 11 cm on the ground. */
const UNITS_PER_DEGREE = 1e6;

export function encodePolyline(points: readonly Point[]): string {
  let text = '';
  let latitude = 0;
  let longitude = 0;
  for (const point of points) {
    // The whole coordinate is rounded, not the difference: else the errors would add up along the line.
    const nextLatitude = Math.round(point.latitude * UNITS_PER_DEGREE);
    const nextLongitude = Math.round(point.longitude * UNITS_PER_DEGREE);
    text += encodeDifference(nextLatitude - latitude) + encodeDifference(nextLongitude - longitude);
    latitude = nextLatitude;
    longitude = nextLongitude;
  }
  return text;
}

/** Whether the text is a whole polyline of one point or more: no foreign character, nothing cut off at its end. */
export function isPolyline(text: string): boolean {
  // A number is any groups that go on ("_" to "~"), then one that ends it ("?" to "^").
  if (!/^[?-~]*[?-^]$/.test(text)) return false;
  let numbers = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) < CONTINUED_CODE) numbers += 1;
  return numbers % 2 === 0;
}

const FIRST_CODE = 63;
const CONTINUED = 0x20;
const CONTINUED_CODE = FIRST_CODE + CONTINUED;

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
