import type { Meta } from '../../../routers/procedure.ts';
import type { RequestPart } from '../../../routers/request.ts';
import { PROBLEM_CODES, PROBLEMS, type ProblemCode } from '../../../src/core/catalogue.ts';
import { DEPLOYMENTS, type Deployment } from '../../../src/core/deployment.ts';
import type { RestOperation } from '../../../src/http/rest/routes.ts';
import { exampleHeaders } from '../../../src/pages/problems/example.ts';
import { problemExample } from './problem-examples.ts';
import {
  type Header,
  isReference,
  operationsOf,
  type Paths,
  type Reference,
  type Response,
  referTo,
  type Schema,
} from './shapes.ts';

/** Codes that the service itself answers for any operation. */
const EVERYWHERE: readonly ProblemCode[] = ['METHOD_NOT_ALLOWED', 'INTERNAL_ERROR'];
const REST: readonly ProblemCode[] = [
  'INVALID_HEADER',
  // A query that is not UTF-8, also where the operation has no parameter.
  'INVALID_QUERY_PARAMETER',
  'UNKNOWN_QUERY_PARAMETER',
  'NOT_ACCEPTABLE',
  'SERVICE_UNAVAILABLE',
];
/** A merchant's token may lack the scope. Any driver may ask for their own data. A public path needs no token. */
const OF_CALLER: Readonly<Record<NonNullable<Meta['security']> | 'client', readonly ProblemCode[]>> = {
  client: ['AUTHENTICATION_REQUIRED', 'ACCESS_DENIED', 'RATE_LIMITED'],
  driver: ['AUTHENTICATION_REQUIRED', 'RATE_LIMITED', 'SESSION_CHANGED'],
  recipient: ['AUTHENTICATION_REQUIRED', 'RATE_LIMITED'],
  session: ['AUTHENTICATION_REQUIRED', 'RATE_LIMITED', 'SESSION_CHANGED'],
  upload: ['AUTHENTICATION_REQUIRED', 'RATE_LIMITED'],
  none: [],
};
const OF_PLACE: Readonly<Record<RequestPart, readonly ProblemCode[]>> = {
  path: ['INVALID_PATH_PARAMETER'],
  query: ['INVALID_QUERY_PARAMETER'],
  header: ['INVALID_HEADER'],
  body: ['MALFORMED_JSON', 'REQUEST_TIMEOUT', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'VALIDATION_FAILED'],
};

/** The description of a status that several codes share. A single code has its own description. */
const SHARED: Readonly<Record<number, string>> = {
  400: 'The headers, the path, the query or the JSON text cannot be read.',
  403: 'The request is not permitted.',
  404: 'There is nothing at this address.',
  409: 'The current state of things is against the request.',
  413: 'The body is too large.',
  415: 'The Content-Type is not accepted.',
  422: 'The body can be read, but it breaks a rule.',
  429: 'Too many requests were made in a short time.',
  503: 'The service or a provider that it needs cannot answer at the moment.',
};

/** Headers of every response. */
const COMMON_HEADERS = ['X-Request-Id', 'X-Correlation-Id', 'Content-Language'] as const;

/** Whether only some deployments have the operation. Elsewhere its path is unknown. */
export function existsOn({ deployments }: Meta, deployment: Deployment): boolean {
  return deployments?.includes(deployment) ?? true;
}

/** A person may lack the role or the second factor, and a page of another site must not change data by the cookie. */
function codesOfPerson({ meta: { security, demands }, method }: RestOperation): readonly ProblemCode[] {
  if (security === 'recipient' && method !== 'GET') return ['ACCESS_DENIED'];
  if (security !== 'session') return [];
  return [
    ...(demands?.role === 'OWNER' || method !== 'GET' ? (['ACCESS_DENIED'] as const) : []),
    ...(demands?.assurance === 'AAL2' ? (['ASSURANCE_REQUIRED', 'REAUTHENTICATION_REQUIRED'] as const) : []),
    ...(demands?.assurance === 'AAL2' && demands.admitsHeld !== true ? (['IDENTIFIER_RECENTLY_CHANGED'] as const) : []),
  ];
}

/** All codes that a REST operation can answer, in the order of the catalogue. */
export function codesOf(operation: RestOperation): readonly ProblemCode[] {
  const { meta, parser } = operation;
  const codes = new Set([
    ...EVERYWHERE,
    ...REST,
    ...OF_CALLER[meta.security ?? 'client'],
    ...codesOfPerson(operation),
    ...(meta.alsoSession === true ? (['SESSION_CHANGED'] as const) : []),
    ...(DEPLOYMENTS.every((deployment) => existsOn(meta, deployment)) ? [] : (['ROUTE_NOT_FOUND'] as const)),
    ...[...parser.places.values()].flatMap((place) => OF_PLACE[place]),
    // A body without members can be invalid too.
    ...(parser.hasBody ? OF_PLACE.body : []),
    ...(parser.raw === undefined ? [] : (['REQUEST_TIMEOUT'] as const)),
    ...(meta.problems ?? []),
  ]);
  return PROBLEM_CODES.filter((code) => codes.has(code));
}

/** Problem responses by status. One with a single code is a component with the name of the code. */
export function problemResponses(codes: readonly ProblemCode[]): Record<string, Response | Reference> {
  const statuses = Map.groupBy([...EVERYWHERE, ...codes], (code) => PROBLEMS[code].status);
  const entries = [...statuses].sort(([left], [right]) => left - right);
  return Object.fromEntries(entries.map(([status, all]) => [status, responseOf(status, [...new Set(all)])]));
}

/**
 * The components that `problemResponses` refers to, if these paths use them. Descriptions are short, because the address of
 * each problem has the details and the document is part of every bundle.
 */
export function problemComponents(paths: Paths): Record<string, Response> {
  const responses = operationsOf(paths).flatMap((operation) => Object.values(operation.responses ?? {}));
  const used = new Set(responses.filter(isReference).map((response) => response.$ref));
  const codes = PROBLEM_CODES.filter((code) => used.has(referTo('responses', componentName(code)).$ref));
  return Object.fromEntries(
    codes.map((code) => [componentName(code), problemResponse([code], `${PROBLEMS[code].title.en}.`)]),
  );
}

export function headerReferences(names: readonly string[]): Record<string, Reference> {
  return Object.fromEntries([...names, ...COMMON_HEADERS].map((name) => [name, referTo('headers', name)]));
}

/** All response headers that operations refer to. Headers that only some answers have are not required. */
export const HEADERS: Readonly<Record<string, Header>> = {
  Allow: always('The methods that the path supports.', { type: 'string', examples: ['GET, HEAD, POST, OPTIONS'] }),
  'Content-Language': always('Language of titles and messages.', { type: 'string', enum: ['en', 'ar'] }),
  ETag: always(
    'Strong entity tag: a decimal integer in quotation marks. It is the version, except for links and endpoints with views or deliveries: their tags change with these too. Send it as If-Match with the next change: only the version counts there.',
    {
      type: 'string',
      pattern: '^"[0-9]+"$',
      examples: ['"0"'],
    },
  ),
  'Idempotency-Replayed': always('The answer is a replay.', { type: 'string', const: 'true' }),
  Location: always('Where the new resource is.', {
    type: 'string',
    format: 'uri-reference',
    examples: ['/v2/external/shipments/01976e2a-7c10-7f4e-8b21-6d90c3a5e842'],
  }),
  'Mirsal-In-Flight': always(
    'Requests to the endpoint that had begun and have not ended within a second. No other begins any more.',
    { type: 'integer', minimum: 0, examples: [0] },
  ),
  'Mirsal-Sandbox-Now': {
    description: 'The time of the company, which its sandbox may have advanced. Absent on production.',
    schema: { type: 'string', format: 'date-time', examples: ['2030-02-02T15:20:04.402918Z'] },
  },
  'Mirsal-Warnings': {
    description:
      'What a person should look at in the request, as codes of ValidationWarning with their field (RFC 9651). Absent without any.',
    schema: { type: 'string', examples: ['NOT_PRINTABLE;field="recipient.name"'] },
  },
  'Price-Lock-Id': {
    description: 'The lockId of the price lock that the shipment was created with. Only for a request with Price-Lock.',
    schema: { type: 'string', format: 'uuid', examples: ['01976e2b-4d10-7a92-8e35-9b7c1f04d6a8'] },
  },
  RateLimit: {
    description:
      'What is left of the limit: its name, uses (`r`), and seconds until it is full again (`t`). Absent where the platform does not tell.',
    schema: { type: 'string', examples: ['"reads";r=1187;t=42'] },
  },
  'RateLimit-Policy': always(
    'The limit that the request counted against: its name, uses (`q`) and window in seconds (`w`).',
    {
      type: 'string',
      pattern: '^"(reads|writes|estimates)";q=[0-9]+;w=60$',
      examples: ['"reads";q=1200;w=60'],
    },
  ),
  'Retry-After': {
    description: 'Seconds to wait before the same request.',
    schema: { type: 'integer', minimum: 1, examples: [5] },
  },
  'Set-Cookie': always('The session as a cookie, or its end.', {
    type: 'string',
    examples: [
      '__Host-session=ses_dGhpcyBpcyBhbiBleGFtcGxlLCBub3QgYSBzZXNzaW9u; Path=/; Secure; HttpOnly; SameSite=Lax',
    ],
  }),
  TextETag: always('Strong entity tag of this text. Send it as If-None-Match to be told whether anything is new.', {
    type: 'string',
    examples: ['"k2J8v0p1QmZ7Yw3rTn5XcA"'],
  }),
  'WWW-Authenticate': {
    description: 'The challenge (RFC 6750).',
    schema: { type: 'string', examples: ['Bearer realm="mirsal"'] },
  },
  'X-Correlation-Id': always('The correlation id of the request, or a new one.', {
    type: 'string',
    format: 'uuid',
    examples: ['01976e2a-8f00-7d3a-9c41-5b6f0a2e7d11'],
  }),
  'X-Request-Id': always('Identifies this request to support.', {
    type: 'string',
    format: 'uuid',
    examples: ['01976e2a-8f01-7b52-a7d0-2c8e4f913a60'],
  }),
};

function always(description: string, schema: Schema): Header {
  return { description, required: true, schema };
}

function responseOf(status: number, codes: readonly ProblemCode[]): Response | Reference {
  const [only] = codes;
  if (codes.length === 1 && only !== undefined) return referTo('responses', componentName(only));
  const description = SHARED[status];
  if (description === undefined) throw new Error(`scripts/build/openapi/problems.ts has no words for status ${status}`);
  return problemResponse(codes, description);
}

function problemResponse(codes: readonly ProblemCode[], description: string): Response {
  const headers = new Set(codes.flatMap((code) => exampleHeaders(code).map(([name]) => name)));
  return {
    description,
    headers: headerReferences([...headers, ...(codes.includes('ACCESS_DENIED') ? ['WWW-Authenticate'] : [])]),
    content: { 'application/problem+json': { schema: referTo('schemas', 'Problem'), examples: examplesOf(codes) } },
    'x-codes': [...codes],
  };
}

function examplesOf(codes: readonly ProblemCode[]): Record<string, Reference> {
  return Object.fromEntries(codes.map((code) => [code, referTo('examples', code)]));
}

/** The examples that the responses of these paths refer to. */
export function problemExamples(paths: Paths): Record<string, { summary: string; value: unknown }> {
  const text = JSON.stringify([paths, problemComponents(paths)]);
  const used = PROBLEM_CODES.filter((code) => text.includes(`"${referTo('examples', code).$ref}"`));
  return Object.fromEntries(
    used.map((code) => [code, { summary: PROBLEMS[code].title.en, value: problemExample(code) }]),
  );
}

/** `RATE_LIMITED` is `RateLimited`. */
function componentName(code: ProblemCode): string {
  return code.toLowerCase().replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
