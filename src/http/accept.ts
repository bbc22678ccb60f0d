import { parseWeighted } from '../core/header.ts';

/**
 * The media type that the client prefers, by default and among equals the first; undefined if it accepts none. A type can be
 * a range such as `image/*`. Without an Accept header the client accepts every type.
 */
export function preferredType<Type extends string>(accept: string | null, types: readonly Type[]): Type | undefined {
  if (accept === null || accept.trim() === '') return types[0];
  let best: { readonly type: Type | undefined; readonly quality: number; readonly precision: number } = NOTHING;
  for (const type of types) {
    const { quality, precision } = weightOf(accept, type);
    const isBetter = quality === best.quality ? precision > best.precision : quality > best.quality;
    if (quality > 0 && isBetter) best = { type, quality, precision };
  }
  return best.type;
}

const NOTHING = { type: undefined, quality: 0, precision: -1 } as const;

/** Whether the client prefers JSON to HTML (RFC 9110 section 12.5.1). HTML is the default, because pages are for people. */
export function prefersJson(accept: string | null): boolean {
  const json = weightOf(accept, 'application/json');
  const html = weightOf(accept, 'text/html');
  return json.quality === html.quality ? json.precision > html.precision : json.quality > html.quality;
}

/**
 * Whether the client names HTML and prefers it to JSON, as browsers do. Programs that accept any media type do not name
 * it.
 */
export function asksForPage(accept: string | null): boolean {
  const { quality, precision } = weightOf(accept, 'text/html');
  return quality > 0 && precision > 0 && !prefersJson(accept);
}

/** The weight of a media type, from the most precise range that matches it. */
function weightOf(accept: string | null, mediaType: string): { readonly quality: number; readonly precision: number } {
  const ranges = ['*/*', `${mediaType.split('/')[0]}/*`, mediaType];
  let best = { quality: 0, precision: -1 };
  const isRange = mediaType.endsWith('/*');
  for (const { value, quality } of parseWeighted(accept)) {
    const isInRange = isRange && quality > 0 && value.startsWith(mediaType.slice(0, -1));
    const precision = isInRange ? ranges.length : ranges.indexOf(value);
    if (precision > best.precision) best = { quality, precision };
  }
  return best;
}
