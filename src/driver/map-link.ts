/** A place that a map application can show. */
interface Place {
  readonly addressLine: string;
  readonly latitude: string;
  readonly longitude: string;
}

/** iPads say that they are Macs, which have no touch screen. */
export function isApple({ userAgent, maxTouchPoints }: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>): boolean {
  return /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1);
}

/**
 * The address that opens the phone's own map application at a place, with its name. iPhones know no `geo:`. Elsewhere the query
 * is what map applications of Android search for (RFC 5870 has no names), so a bracket in the name must not end it.
 */
export function mapLink({ addressLine, latitude, longitude }: Place, onApple: boolean): string {
  const point = `${latitude},${longitude}`;
  if (onApple) return `https://maps.apple.com/?ll=${point}&q=${encodeURIComponent(addressLine)}`;
  const name = encodeURIComponent(
    addressLine
      .split(/[\s()]+/)
      .filter(Boolean)
      .join(' '),
  );
  return `geo:${point}?q=${point}(${name})`;
}
