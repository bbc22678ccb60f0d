/* Text to copy: JSON bodies and curl commands of the REST operations and of webhooks. */

/** Members that are numbers in REST bodies. In the browser they are strings, so that they keep all their digits. */
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
/** Marks the strings that become numbers, until their quotation marks are removed. */
const MARK = '\u0001';
const MARKED = /"\\u0001([^"]+)\\u0001"/g;

/** A body as JSON text. Its decimals are numbers and keep all their digits. */
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

/** A curl command for a POSIX shell. The token comes from a shell variable. */
export function curlText({ method, path, headers = {}, body }: CurlCall): string {
  const all = { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) };
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${location.origin}${path}`,
    `  -H "Authorization: Bearer $MIRSAL_TOKEN"`,
    ...Object.entries(all).map(([name, value]) => `  -H ${shellQuoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`  -d ${shellQuoted(restJson(body))}`]),
  ].join(' \\\n');
}

/** In single quotes, only the single quote itself needs escaping. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

interface SentRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A curl command for a POSIX shell that sends this POST again, byte for byte, and shows the answer with its headers. */
export function curlOfRequest({ url, headers, body }: SentRequest): string {
  return [
    `curl -i -X POST ${shellQuoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `  -H ${shellQuoted(`${name}: ${value}`)}`),
    `  --data-raw ${shellQuoted(body)}`,
  ].join(' \\\n');
}
