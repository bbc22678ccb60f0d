import type { Chance } from './chance.ts';
import { conformingText } from './conforming.ts';
import { ODD_TEXTS } from './odd-values.ts';
import { type RequestDraft, setHeader } from './request-draft.ts';

/* Faults of a request outside its body. */

/** Values of other callers, and invalid ones. */
export interface Finds {
  /** Values of Authorization for every kind of caller. */
  readonly authorizations: readonly string[];
  /** Cursors of other lists and other companies. */
  readonly cursors: readonly string[];
  /** Ids of other companies. */
  readonly ids: readonly string[];
  readonly cookies: readonly string[];
}

/** Node's own limit for all headers of a request is 16 KiB. */
const LONG_HEADER = 'h'.repeat(4000);
const LIMITS = ['0', '1', '100', '101', '-1', '1.5', '1e1', '', '%20', '+5', '05', '0x10', '%D9%A5', '9'.repeat(400)];
const RAW = [
  '[x]|^',
  '%',
  '%zz',
  '%ff',
  '%00',
  '%C3%28',
  '%ED%A0%80',
  '%2e%2e',
  '%2F',
  'a%2Fb',
  '+',
  '%0d%0aX:1',
  '%F0%9F%9A%9A',
];
const TAGS = [
  '*',
  '"0"',
  '"1"',
  '0',
  'W/"0"',
  '""',
  '"9223372036854775808"',
  '"0", "1"',
  '"-1"',
  '"01"',
  '*, "0"',
  '"x"',
  '"',
];
const KEYS = [
  '',
  'short',
  'k'.repeat(16),
  'k'.repeat(128),
  'k'.repeat(129),
  '"quoted-key-0123456789"',
  '"unbalanced-0123456789',
];
const TYPES = [
  '',
  'text/plain',
  'application/xml',
  'application/json; charset=utf-8',
  'application/json; charset=latin1',
  'application/problem+json',
  'APPLICATION/JSON',
  'application/json;;',
  'multipart/form-data; boundary=x',
  'a',
  '*/*',
  'application/x-www-form-urlencoded',
  'image/png',
  'application/pdf',
]; // prettier
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const SCHEMES = [
  '',
  'Bearer',
  'Bearer ',
  'Bearer x',
  'bearer x.y.z',
  'Basic eDp5',
  'Basic %',
  'Digest x',
  'Bearer \u00ff',
];
/** Other headers, with their values. */
const HEADERS: readonly (readonly [name: string, values: readonly string[]])[] = [
  [
    'Accept',
    ['*/*', 'text/html', 'application/json;q=0', 'application/*', 'application/problem+json', ';;', LONG_HEADER],
  ],
  ['Accept-Language', ['ar', 'ar;q=NaN', '*', 'ar-SA, en;q=0.5', ',,,', 'x'.repeat(64), 'x'.repeat(65), '\u00e9']],
  ['Content-Encoding', ['gzip', 'identity', 'br']],
  ['X-Correlation-Id', ['0190d0c8-7a6b-7c3d-8e4f-0123456789ab', 'x', LONG_HEADER, '']],
  ['traceparent', [`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`, 'x']],
  ['If-None-Match', ['*', '"x"', 'W/"x"', '"', LONG_HEADER]],
  ['Origin', ['https://evil.example', 'null']],
  ['Sec-Fetch-Site', ['cross-site', 'same-origin', 'x']],
  ['Range', ['bytes=0-0', 'x']],
  ['X-HTTP-Method-Override', ['DELETE']],
  ['X-Forwarded-For', ['10.0.0.1', LONG_HEADER]],
  ['X-Document-Filename', ['', '%', '%ff', '../x.pdf', 'a%00.pdf', 'n'.repeat(2305), '\u00e9']],
  ['Registration-Upload-Capability', ['', 'upl_x', LONG_HEADER]],
];

type Spoil = (draft: RequestDraft, chance: Chance, finds: Finds) => void;

const REQUESTS: Readonly<Record<string, Spoil>> = {
  'another method': (draft, chance) => {
    draft.method = chance.oneOf(METHODS);
  },
  'another path parameter': (draft, chance, { ids }) => {
    const places = draft.operation.path
      .slice(1)
      .split('/')
      .flatMap((part, index) => (part.startsWith('{') ? [index] : []));
    if (places.length === 0) return;
    const odd = chance.once(3) ? chance.oneOf(RAW) : encodeURIComponent(wellFormed(chance.oneOf(ODD_TEXTS)));
    draft.segments[chance.oneOf(places)] = chance.once(2) ? chance.oneOf(ids) : odd;
  },
  'another path': (draft, chance) => {
    draft.segments.splice(chance.below(draft.segments.length), 1, chance.oneOf(['', '..', 'v3', chance.oneOf(RAW)]));
  },
  'a query parameter': (draft, chance, finds) => {
    const own = draft.operation.parameters.filter((one) => one.in === 'query');
    if (own.length === 0) return;
    const { name, schema } = chance.oneOf(own);
    const good = () => encodeURIComponent(wellFormed(conformingText(schema, chance)));
    draft.query.push([name, chance.once(3) ? oddParameter(name, chance, finds) : good()]);
  },
  'a query parameter twice': (draft, chance, finds) => {
    const own = draft.operation.parameters.filter((one) => one.in === 'query');
    const name = own.length === 0 ? 'limit' : chance.oneOf(own).name;
    const value = oddParameter(name, chance, finds);
    draft.query.push([name, value], [name, chance.once(2) ? value : oddParameter(name, chance, finds)]);
  },
  'an unknown query parameter': (draft, chance) => {
    draft.query.push([
      chance.oneOf(['x', '__proto__', 'constructor', 'Limit', '', '%ff', 'limit[]', 'shipmentId']),
      '1',
    ]);
  },
  'an entity tag': (draft, chance) => setHeader(draft, 'If-Match', ...two(chance, TAGS)),
  'no entity tag': (draft) => setHeader(draft, 'If-Match'),
  'an idempotency key': (draft, chance) => setHeader(draft, 'Idempotency-Key', ...two(chance, KEYS)),
  'no idempotency key': (draft) => setHeader(draft, 'Idempotency-Key'),
  'a media type': (draft, chance) => setHeader(draft, 'Content-Type', chance.oneOf(TYPES)),
  'no media type': (draft) => setHeader(draft, 'Content-Type'),
  'a header': (draft, chance) => {
    const [name, values] = chance.oneOf(HEADERS);
    setHeader(draft, name, ...two(chance, values));
  },
  'another authorization': (draft, chance, { authorizations }) =>
    setHeader(draft, 'Authorization', chance.oneOf(chance.once(2) ? SCHEMES : authorizations)),
  'no authorization': (draft) => setHeader(draft, 'Authorization'),
  'a cookie': (draft, chance, { cookies }) => setHeader(draft, 'Cookie', chance.oneOf(cookies)),
  'a body where none is read': (draft) => {
    draft.body ??= Buffer.from('{"a":1}');
  },
  'a cut connection': (draft, chance) => {
    draft.isCut = draft.body !== undefined && draft.body.length > 1 && chance.once(4);
  },
};

export const REQUEST_FAULTS = Object.keys(REQUESTS);

export function spoilRequest(draft: RequestDraft, fault: string, chance: Chance, finds: Finds): void {
  REQUESTS[fault]?.(draft, chance, finds);
}

function oddParameter(name: string, chance: Chance, { cursors, ids }: Finds): string {
  if (name === 'limit') return chance.oneOf(LIMITS);
  if (name === 'cursor') return chance.oneOf(cursors);
  if (chance.once(3)) return chance.oneOf(ids);
  return chance.once(2) ? chance.oneOf(RAW) : encodeURIComponent(wellFormed(chance.oneOf(ODD_TEXTS)));
}

/** One of the values, or two of them in two headers. */
function two(chance: Chance, values: readonly string[]): string[] {
  return chance.once(8) ? [chance.oneOf(values), chance.oneOf(values)] : [chance.oneOf(values)];
}

/** A path cannot contain an unpaired surrogate, nor exceed what a server reads of a line. */
function wellFormed(text: string): string {
  return text.toWellFormed().slice(0, 1000).toWellFormed();
}
