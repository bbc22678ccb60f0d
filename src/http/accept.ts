import { parseWeighted } from '../core/header.ts';

/** Whether the client accepts a media type, or one of a range such as `image/*`. Without an Accept header it accepts every type. */
export function accepts(accept: string | null, mediaType: string): boolean {
  return accept === null || accept.trim() === '' || weightOf(accept, mediaType).quality > 0;
}

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
