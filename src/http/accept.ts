import { parseWeighted } from '../core/header.ts';

/** Whether a caller takes a media type at all. None of his words means anything at all will do. */
export function accepts(accept: string | null, mediaType: string): boolean {
  return accept === null || accept.trim() === '' || weightOf(accept, mediaType).quality > 0;
}

/** Whether JSON is wanted rather than HTML (RFC 9110 section 12.5.1). A page is for people, so HTML wins a draw. */
export function prefersJson(accept: string | null): boolean {
  const json = weightOf(accept, 'application/json');
  const html = weightOf(accept, 'text/html');
  return json.quality === html.quality ? json.precision > html.precision : json.quality > html.quality;
}

/** What the most precise range that fits a media type says of it. */
function weightOf(accept: string | null, mediaType: string): { readonly quality: number; readonly precision: number } {
  const ranges = ['*/*', `${mediaType.split('/')[0]}/*`, mediaType];
  let best = { quality: 0, precision: -1 };
  for (const { value, quality } of parseWeighted(accept)) {
    const precision = ranges.indexOf(value);
    if (precision > best.precision) best = { quality, precision };
  }
  return best;
}
