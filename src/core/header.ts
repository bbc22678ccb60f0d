/** One element of a header that weighs alternatives, such as Accept (RFC 9110 section 12.4.2). */
export interface Weighted {
  /** In lower case. */
  readonly value: string;
  /** 1 when it is left out, NaN when it is not a number. */
  readonly quality: number;
}

/** Several times what browsers send. These headers are read before the caller is known, so reading them has to be cheap. */
const WEIGHTED_LENGTH_MAX = 2048;

/** The elements of Accept, Accept-Language and similar headers. Elements that end beyond `lengthMax` are ignored. */
export function parseWeighted(header: string | null, lengthMax = WEIGHTED_LENGTH_MAX): Weighted[] {
  const sent = header ?? '';
  const read = sent.length > lengthMax ? sent.slice(0, Math.max(0, sent.lastIndexOf(',', lengthMax))) : sent;
  return read.split(',').map((element) => {
    const [value = '', ...parameters] = element.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    return { value, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
  });
}

/**
 * The values of all cookies of one name (RFC 6265 section 4.2.1): a client can send several, also on two lines, which workerd
 * joins with a comma. No cookie of ours has a comma. The value of another site's cookie can have one, so a name behind a comma
 * counts only if no pair begins with the name.
 */
export function parseCookies(header: string | null, name: string): string[] {
  if (header === null || !header.includes(`${name}=`)) return [];
  const isNamed = (pair: string) => pair.startsWith(`${name}=`);
  const pairs = header.split(';').map((pair) => pair.trim());
  const lines = pairs.some(isNamed) ? pairs.filter(isNamed) : pairs;
  // A comma without a name after it is part of a value.
  const found = lines.flatMap((pair) => pair.split(/,\s*(?=[^\s=,]+=)/)).filter(isNamed);
  return found.map((pair) => pair.slice(name.length + 1));
}
