import type { OpenApiDocument } from '../reference/document.ts';
import { groupOperations, type ReferenceOperation } from '../reference/operations.ts';
import {
  CALLER_VARIABLES,
  isVariable,
  type SampleBody,
  type SampleCaller,
  type SampleRequest,
  type SampleText,
  sampleRequest,
} from '../reference/sample-request.ts';

const BASE_URL = '{{baseUrl}}';
/** A new one for each request that is sent. */
const UNIQUE = '{{$guid}}';

/**
 * The interface as a collection for Postman (format 2.1.0): one folder for each group of operations, with the samples of
 * the reference. It contains no secret; people fill in `clientId` and `clientSecret`.
 */
export function postmanCollection(document: OpenApiDocument, baseUrl: string): object {
  const groups = groupOperations(document);
  const items = groups.map(({ tag, description, operations }) => ({
    name: tag,
    description: description ?? '',
    item: operations.map((operation) => itemOf(operation, sampleRequest(document, operation, BASE_URL))),
  }));
  const names = [
    ...new Set([...JSON.stringify(items).matchAll(/\{\{([A-Za-z]\w*)\}\}/g)].map(([, name = '']) => name)),
  ];
  const given: Readonly<Record<string, string>> = { baseUrl, etag: '*' };
  const own = ['baseUrl', 'clientId', 'clientSecret'];
  return {
    info: {
      name: document.info.title,
      description:
        'Fill in the variables clientId and clientSecret, press “Get New Access Token” in Authorization, and use the token. ' +
        'The identifiers and the ETag of each answer are kept for the next request.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: clientAuth(),
    event: [
      {
        listen: 'test',
        script: { type: 'text/javascript', exec: rememberAnswer(names.filter((name) => !own.includes(name))) },
      },
    ],
    variable: [...own, ...names.filter((name) => !own.includes(name))].map((key) => ({ key, value: given[key] ?? '' })),
    item: items,
  };
}

/** The settings of the button “Get New Access Token”. */
function clientAuth(): object {
  const settings = {
    tokenName: 'Mirsal',
    grant_type: 'client_credentials',
    accessTokenUrl: `${BASE_URL}/oauth/token`,
    clientId: '{{clientId}}',
    clientSecret: '{{clientSecret}}',
    client_authentication: 'header',
    addTokenTo: 'header',
    headerPrefix: 'Bearer',
  };
  return authOf('oauth2', settings);
}

function authOf(type: string, settings: Readonly<Record<string, string>>): object {
  return { type, [type]: Object.entries(settings).map(([key, value]) => ({ key, value, type: 'string' })) };
}

/** A script that keeps the identifiers of an answer, so that create, read and cancel follow one another. */
function rememberAnswer(names: readonly string[]): readonly string[] {
  return [
    'let answer = null;',
    'try { answer = pm.response.json(); } catch { /* not JSON */ }',
    "const etag = pm.response.headers.get('ETag');",
    "if (etag && typeof answer?.version === 'number') pm.collectionVariables.set('etag', etag);",
    `for (const name of ${JSON.stringify(names)}) {`,
    "  if (typeof answer?.[name] === 'string') pm.collectionVariables.set(name, answer[name]);",
    '}',
  ];
}

function itemOf({ purpose, description, method, body }: ReferenceOperation, request: SampleRequest): object {
  const headers = [
    ...request.headers.map(([key, value]) => ({ key, value: key === 'Idempotency-Key' ? UNIQUE : textOf(value) })),
    ...(request.caller === 'upload'
      ? [{ key: 'Registration-Upload-Capability', value: placeholder(CALLER_VARIABLES.upload) }]
      : []),
    ...(request.body?.kind === 'json' || request.body?.kind === 'file'
      ? [{ key: 'Content-Type', value: body?.mediaType ?? '' }]
      : []),
  ];
  return {
    name: purpose,
    request: {
      method,
      url: textOf(request.address),
      description: description ?? '',
      ...callerAuth(request.caller),
      header: headers,
      ...(request.body === undefined ? {} : { body: bodyOf(request.body) }),
    },
  };
}

/** Requests of a client inherit the collection's token. */
function callerAuth(caller: SampleCaller): { readonly auth?: object } {
  if (caller === 'client') return {};
  if (caller === 'basic') return { auth: authOf('basic', { username: '{{clientId}}', password: '{{clientSecret}}' }) };
  if (caller === 'none' || caller === 'upload') return { auth: { type: 'noauth' } };
  return { auth: authOf('bearer', { token: placeholder(CALLER_VARIABLES[caller]) }) };
}

function bodyOf(body: SampleBody): object {
  if (body.kind === 'file') return { mode: 'file', file: { src: '' } };
  if (body.kind === 'form') {
    return { mode: 'urlencoded', urlencoded: body.members.map(([key, value]) => ({ key, value: valueOf(value) })) };
  }
  const raw = JSON.stringify(body.value, (name, value: unknown) => filledIn(name, value), 2);
  return { mode: 'raw', raw, options: { raw: { language: 'json' } } };
}

/** A creation can be sent again and again, because a reference is used once. */
function filledIn(name: string, value: unknown): unknown {
  if (isVariable(value)) return placeholder(value.variable);
  return name === 'externalReference' ? `order-${UNIQUE}` : value;
}

function valueOf(value: unknown): string {
  return isVariable(value) ? placeholder(value.variable) : String(value);
}

function textOf(pieces: SampleText): string {
  return pieces.map((piece) => (isVariable(piece) ? placeholder(piece.variable) : piece)).join('');
}

/** `SHIPMENT_ID` as `{{shipmentId}}`; a secret or token of the reference by the name that answers have for it. */
function placeholder(variable: string): string {
  const name = variable.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return `{{${NAMES[name] ?? name}}}`;
}

const NAMES: Readonly<Record<string, string>> = { mirsalToken: 'access_token' };
