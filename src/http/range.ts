/* Range requests (RFC 9110 section 14). */

/** The bytes that a request asks for: all of them, a part from `first` to `last`, or none that exist. */
export type AskedRange =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly first: number; readonly last: number }
  | { readonly kind: 'unsatisfiable' };

const WHOLE = { kind: 'whole' } as const;
const UNSATISFIABLE = { kind: 'unsatisfiable' } as const;

/**
 * The range of a GET of a file. A header that is not valid, another unit and several ranges are ignored, as section 14.2 allows. So is
 * one with an `If-Range` that names another file (section 13.1.5), or a date, because files here have none.
 */
export function askedRange(
  headers: Headers,
  { size, etag }: { readonly size: number; readonly etag: string },
): AskedRange {
  const ifRange = headers.get('if-range');
  if (ifRange !== null && ifRange.trim() !== etag) return WHOLE;
  const [, from = '', to = ''] = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(headers.get('range') ?? '') ?? [];
  if (from === '' && to === '') return WHOLE;
  if (from === '') {
    const length = Number(to);
    return length === 0 ? UNSATISFIABLE : { kind: 'part', first: Math.max(0, size - length), last: size - 1 };
  }
  const [first, last] = [Number(from), to === '' ? size - 1 : Math.min(Number(to), size - 1)];
  if (to !== '' && Number(to) < first) return WHOLE;
  return first >= size ? UNSATISFIABLE : { kind: 'part', first, last };
}
