/**
 * Writes a value in this many symbols of Crockford's base 32, with leading zeros.
 * Throws a RangeError if the value is negative or does not fit (five bits per symbol).
 */
export function encodeCrockford(value: bigint, length: number): string {
  // Shifting a negative value ends at -1, never at 0.
  if (value >> BigInt(5 * length) !== 0n) throw new RangeError(`${value} does not fit in ${length} symbols`);
  let text = '';
  for (let rest = value; text.length < length; rest >>= 5n) {
    text = symbols.charAt(Number(rest & 31n)) + text;
  }
  return text;
}

/**
 * Crockford's check symbol: the value modulo 37, the smallest prime above 32. It detects every single wrong symbol and
 * every swap of two neighbours. Throws a RangeError if the value is negative.
 */
export function crockfordCheck(value: bigint): string {
  if (value < 0n) throw new RangeError(`${value} is negative`);
  return checkSymbols.charAt(Number(value % 37n));
}

/** I, L and O look like digits; U is left out so that no word appears by accident. */
const symbols = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const checkSymbols = `${symbols}*~$=U`;
