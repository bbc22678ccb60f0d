import { latinDigits } from '../../../core/text.ts';
import { readText } from '../../../core/typed/text.ts';

/** Degrees, as the service takes them. */
export interface Position {
  readonly latitude: string;
  readonly longitude: string;
}

const DEGREES = String.raw`([-+]?\d{1,3}(?:\.\d+)?)`;
const PAIR = String.raw`\s*${DEGREES}\s*,\s*${DEGREES}(?![.\d])`;

/** Where map links have a position. If a link has several, the first of these is that of the place itself. */
const IN_LINKS = [
  // Google Maps: the place that the link shows.
  new RegExp(`!3d${DEGREES}!4d${DEGREES}`),
  // What is searched for, or where the way ends. Apple Maps has `ll` and `coordinate`.
  new RegExp(String.raw`[?&](?:q|query|ll|coordinate|destination|daddr)=(?:loc:)?${PAIR}`),
  new RegExp(String.raw`\/(?:place|search)\/${PAIR}`),
  // RFC 5870. With a search for a name, `geo:0,0` is no position.
  new RegExp(`^geo:${PAIR}(?!.*[?&]q=)`, 'i'),
];
/** The middle of the map. In the link of a way it is somewhere between its ends. */
const MIDDLE = new RegExp(`@${PAIR}`);
const WAY = /\/dir\//;
/** Whole degrees are not enough here: `24,79` may be one number with a decimal comma. */
const TYPED = /^\(?([-+]?\d{1,3}\.\d+)(?:\s*[,،;]\s*|\s+)([-+]?\d{1,3}\.\d+)\)?$/;
/** One centimetre. Links have up to fifteen decimals. */
const DECIMALS = /(?<=\.\d{7})\d+$/;

/** The position in pasted text: a pair such as `24.79, 46.62`, or a link to a map. */
export function positionIn(pasted: string): Position | undefined {
  const text = readText(latinDigits(pasted)).replaceAll('٫', '.');
  const plain = text
    .replaceAll(/%2c/gi, ',')
    .replaceAll(/%21/g, '!')
    .replaceAll(/%20|\+/g, ' ');
  const patterns = WAY.test(plain) ? IN_LINKS : [...IN_LINKS, MIDDLE];
  const found = isLink(text) ? patterns.map((pattern) => pattern.exec(plain)).find((one) => one !== null) : undefined;
  const [, latitude, longitude] = found ?? TYPED.exec(text) ?? [];
  if (latitude === undefined || longitude === undefined) return undefined;
  if (Math.abs(Number(latitude)) > 90 || Math.abs(Number(longitude)) > 180) return undefined;
  return { latitude: degreesOf(latitude), longitude: degreesOf(longitude) };
}

function degreesOf(found: string): string {
  return found.replace('+', '').replace(DECIMALS, '');
}

/** Whether text is a link or contains one. Short links have no position: only a request would find it. */
export function isLink(text: string): boolean {
  return /:\/\/|^geo:|goo\.gl|^(?:www\.|maps\.)/i.test(readText(text));
}
