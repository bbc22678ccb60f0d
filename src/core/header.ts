/** One element of a header that weighs alternatives, such as Accept (RFC 9110 section 12.4.2). */
export interface Weighted {
  /** In lower case. */
  readonly value: string;
  /** 1 when it is left out, NaN when it is not a number. */
  readonly quality: number;
}

/** The elements of Accept, Accept-Language and similar headers. */
export function parseWeighted(header: string | null): Weighted[] {
  return (header ?? '').split(',').map((element) => {
    const [value = '', ...parameters] = element.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    return { value, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
  });
}

/** The values of all cookies of one name (RFC 6265 section 4.2.1): a client can send several. */
export function parseCookies(header: string | null, name: string): string[] {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
}
