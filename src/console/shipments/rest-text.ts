/** How programs say the same on REST, as text to copy. */

/** What is a number there; in the browser a decimal is a string, and keeps its digits. */
const DECIMALS: ReadonlySet<string> = new Set([
  'latitude',
  'longitude',
  'declaredValue',
  'codAmount',
  'totalWeightKilograms',
  'weightKilograms',
  'lengthCentimetres',
  'widthCentimetres',
  'heightCentimetres',
]);
const NUMBER = /^-?\d+(?:\.\d+)?$/;
/** Stands around a number until its quotes are taken off. */
const MARK = '\u0001';
const MARKED = /"\\u0001([^"]+)\\u0001"/g;

/** A body as JSON, its decimals as bare numbers with every digit. */
export function restJson(body: unknown): string {
  const mark = (name: string, value: unknown) =>
    typeof value === 'string' && DECIMALS.has(name) && NUMBER.test(value) ? `${MARK}${value}${MARK}` : value;
  return JSON.stringify(body, mark, 2).replaceAll(MARKED, '$1');
}

interface CurlCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A call for a POSIX shell; the token stands in a variable. */
export function curlText({ method, path, headers = {}, body }: CurlCall): string {
  const all = { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) };
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${location.origin}${path}`,
    `  -H "Authorization: Bearer $MIRSAL_TOKEN"`,
    ...Object.entries(all).map(([name, value]) => `  -H ${shellQuoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`  -d ${shellQuoted(restJson(body))}`]),
  ].join(' \\\n');
}

/** Within single quotes nothing means anything but the quote itself. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
