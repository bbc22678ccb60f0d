/** Members with exact decimals. A double would round those with more than 15 digits. */
const DECIMALS: ReadonlySet<string> = new Set([
  'totalWeightKilograms',
  'declaredValue',
  'codAmount',
  'latitude',
  'longitude',
  'weightKilograms',
  'lengthCentimetres',
  'widthCentimetres',
  'heightCentimetres',
  'weightKilogramsMax',
  'lengthCentimetresMax',
  'netAmount',
  'vatRate',
  'vatAmount',
  'totalAmount',
  'amount',
  'surcharge',
]);

/** A whole JSON string, and the number after it if it is the name of one. Text inside a string is never read as a member. */
const NUMBER_MEMBER =
  /("[^"\\]*(?:\\.[^"\\]*)*")(?:(\s*:\s*)(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)(?=[\s,}]))?/g;

/**
 * Parses JSON with every decimal as a string of the same digits. The text is changed first, because the reviver of
 * `JSON.parse` does not get the source of a number on Node 20 and in older browsers.
 */
export function parseWithDecimals(json: string): unknown {
  return JSON.parse(
    json.replace(NUMBER_MEMBER, (whole: string, name: string, colon?: string, digits?: string) =>
      digits !== undefined && DECIMALS.has(name.slice(1, -1)) ? `${name}${colon}"${digits}"` : whole,
    ),
  );
}

/** A whole JSON string, and the number in a string after it if it is the name of one. */
const TEXT_MEMBER = /("[^"\\]*(?:\\.[^"\\]*)*")(?:(:)"(-?(?:0|[1-9]\d*)(?:\.\d+)?)"(?=[,}]))?/g;

/** Prints JSON with every decimal as a number of the same digits. */
export function printWithDecimals(value: unknown): string {
  return JSON.stringify(value).replace(TEXT_MEMBER, (whole: string, name: string, colon?: string, digits?: string) =>
    digits !== undefined && DECIMALS.has(name.slice(1, -1)) ? `${name}${colon}${digits}` : whole,
  );
}
