import { COMPANY_SCOPES } from '../../../src/contract/scope.ts';
import type { ProblemCode } from '../../../src/core/catalogue.ts';
import { PACKAGE_VERSION } from '../../../src/core/deployment.ts';
import { oauthExample } from './problem-examples.ts';
import { headerReferences, problemResponses } from './problems.ts';
import { type Operation, type Paths, type Response, referTo, type Schema } from './shapes.ts';

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;
const flag = { type: 'boolean' } as const;
const uri = { type: 'string', format: 'uri' } as const;

/** Shapes of the operations below, and of problems. */
export const SERVICE_SCHEMAS: Readonly<Record<string, Schema>> = {
  Problem: {
    type: 'object',
    description: 'An error (RFC 9457). Decide by `code`; its `type` is the address of a page with cause and fix.',
    properties: {
      type: { ...uri, description: '{base_url}/problems/<kebab-case-name>' },
      title: { ...text, maxLength: 128 },
      status: { type: 'integer', minimum: 400, maximum: 599 },
      detail: { ...text, maxLength: 512 },
      instance: { ...text, format: 'uri-reference' },
      code: { ...text, pattern: '^[A-Z][A-Z0-9_]{1,63}$' },
      timestamp: { ...text, format: 'date-time' },
      correlationId: { ...text, format: 'uuid' },
      requestId: { ...text, format: 'uuid' },
      traceId: { ...text, pattern: '^[0-9a-f]{32}$' },
      violations: {
        type: 'array',
        maxItems: 20,
        items: {
          type: 'object',
          properties: {
            field: { ...text, maxLength: 128, examples: ['items[3].weightKilograms'] },
            code: { ...text, maxLength: 64 },
            message: { ...text, maxLength: 256 },
          },
          required: ['field', 'code', 'message'],
        },
      },
    },
    required: ['type', 'title', 'status', 'code', 'timestamp', 'correlationId', 'requestId'],
    additionalProperties: true,
  },
  OAuthError: {
    description: 'An OAuth error (RFC 6749 section 5.2) with the members of a problem.',
    allOf: [
      referTo('schemas', 'Problem'),
      {
        type: 'object',
        properties: { error: text, error_description: text },
        required: ['error', 'error_description'],
      },
    ],
  },
  AccessToken: object({
    access_token: text,
    token_type: { ...text, const: 'Bearer' },
    expires_in: { type: 'integer' },
    scope: text,
  }),
  // The members that this service's clients need. RFC 8414 section 2 describes all of them.
  AuthorizationServer: object({
    issuer: uri,
    token_endpoint: uri,
    revocation_endpoint: uri,
    jwks_uri: uri,
    scopes_supported: texts,
  }),
  KeySet: object({
    keys: { type: 'array', items: object({ kty: text, crv: text, kid: text, x: text, use: text, alg: text }) },
  }),
  Health: object({ status: { ...text, const: 'ok' }, version: text }),
  Readiness: object({
    status: { ...text, enum: ['ready', 'not_ready'] },
    deployment: { ...text, enum: ['local', 'sandbox', 'production'] },
    databases: {
      type: 'array',
      items: object({ database: text, answers: flag, migrationsCurrent: flag, durabilityStrong: flag, writable: flag }),
    },
    shipments: object({
      possible: flag,
      missing: { type: 'array', items: { ...text, enum: ['TARIFF', 'SERVICE_LEVEL', 'DRIVER'] } },
    }),
    routing: object({ engine: { ...text, enum: ['osrm', 'fixture', 'none'] } }),
    addresses: object({
      registry: { ...text, enum: ['spl', 'fixture', 'none'] },
      geocoder: { ...text, enum: ['photon', 'fixture', 'none'] },
    }),
    messages: object({ provider: { ...text, enum: ['carriers', 'inbox', 'folder', 'none'] } }),
    documents: object({ provider: { ...text, enum: ['r2', 's3', 'folder', 'none'] } }),
    lastCalls: {
      type: 'object',
      properties: Object.fromEntries(
        ['routing', 'sms', 'email', 'documents', 'streets', 'registry', 'geocoder'].map((provider) => [
          provider,
          lastCall(),
        ]),
      ),
    },
    requestLog: object({ kept: { type: 'boolean' } }),
  }),
};

/** The end of the last call of a provider in the process that answers. */
function lastCall(): Schema {
  return {
    type: 'object',
    properties: {
      outcome: { ...text, enum: ['answered', 'refused', 'failed', 'timed_out'] },
      status: { type: 'integer', minimum: 100, maximum: 599 },
      secondsAgo: { type: 'integer', minimum: 0 },
    },
    required: ['outcome', 'secondsAgo'],
  };
}

const ISSUER = 'https://api.example.com';
const READY = {
  status: 'ready',
  deployment: 'production',
  databases: [{ database: 'shard-1', answers: true, migrationsCurrent: true, durabilityStrong: true, writable: true }],
  shipments: { possible: true, missing: [] },
  routing: { engine: 'osrm' },
  addresses: { registry: 'spl', geocoder: 'photon' },
  messages: { provider: 'carriers' },
  documents: { provider: 'r2' },
  lastCalls: { routing: { outcome: 'answered', secondsAgo: 2 } },
  requestLog: { kept: true },
};
const SERVICE_EXAMPLES: Readonly<Record<string, unknown>> = {
  AccessToken: {
    access_token: 'eyJhbGciOiJFZERTQSJ9.e30.c2ln',
    token_type: 'Bearer',
    expires_in: 3600,
    scope: 'shipments:read shipments:write',
  },
  AuthorizationServer: {
    issuer: ISSUER,
    token_endpoint: `${ISSUER}/oauth/token`,
    revocation_endpoint: `${ISSUER}/oauth/revoke`,
    jwks_uri: `${ISSUER}/.well-known/jwks.json`,
    scopes_supported: [...COMPANY_SCOPES],
  },
  KeySet: {
    keys: [
      {
        kty: 'OKP',
        crv: 'Ed25519',
        kid: 'k1',
        x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
        use: 'sig',
        alg: 'EdDSA',
      },
    ],
  },
  Health: { status: 'ok', version: PACKAGE_VERSION },
  Readiness: READY,
};

const client = {
  client_id: { ...text, description: 'Only without HTTP Basic.' },
  client_secret: { ...text, description: 'Only without HTTP Basic.' },
};
const AUTHENTICATION = ['Authentication'];
const SERVICE = ['Service'];

/** The operations that are not procedures. */
export const SERVICE_PATHS: Paths = {
  '/oauth/token': {
    post: {
      ...oauthOperation('oauth.token', 'Get an access token for a client'),
      description:
        'Client credentials (RFC 6749 section 4.4). The client authenticates by HTTP Basic or in the body, not both. Without scope, all that the client was granted.',
      requestBody: form(
        { grant_type: { ...text, const: 'client_credentials' }, scope: text, ...client },
        'grant_type',
        {
          grant_type: 'client_credentials',
        },
      ),
      responses: {
        200: jsonResponse('Done.', 'AccessToken'),
        403: oauthError([403, 'ACCESS_DENIED', 'unauthorized_client: the carrier has suspended the company.']),
        ...oauthProblems(),
      },
    },
  },
  '/oauth/revoke': {
    post: {
      ...oauthOperation('oauth.revoke', 'Revoke an access token'),
      description: 'RFC 7009. An invalid token, and a token of another client, get the same answer.',
      requestBody: form({ token: text, token_type_hint: text, ...client }, 'token', {
        token: 'eyJhbGciOiJFZERTQSJ9.e30.c2ln',
      }),
      responses: { 200: { description: 'Done. No body.', headers: headerReferences([]) }, ...oauthProblems() },
    },
  },
  '/.well-known/oauth-authorization-server': {
    get: publicOperation('oauth.metadata', 'Read the authorization server metadata', {
      tags: AUTHENTICATION,
      description: 'RFC 8414.',
      schema: 'AuthorizationServer',
    }),
  },
  '/.well-known/jwks.json': {
    get: publicOperation('oauth.keys', 'Read the keys that verify access tokens', {
      tags: AUTHENTICATION,
      description: 'RFC 7517.',
      schema: 'KeySet',
    }),
  },
  '/health': {
    get: publicOperation('service.health', 'Ask whether the process answers', {
      tags: SERVICE,
      description: 'Checks nothing else. If it fails, restart the process.',
      schema: 'Health',
    }),
  },
  '/ready': { get: readyOperation() },
};

function object(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties, required: Object.keys(properties) };
}

function oauthOperation(operationId: string, summary: string): Operation {
  return { operationId, tags: AUTHENTICATION, summary, security: [{ clientBasic: [] }, {}] };
}

function form(
  properties: Readonly<Record<string, Schema>>,
  required: string,
  example: Readonly<Record<string, string>>,
) {
  const schema: Schema = { type: 'object', properties, required: [required] };
  return { required: true, content: { 'application/x-www-form-urlencoded': { schema, example } } };
}

/** Errors of an OAuth endpoint have their own body, besides the problems that come before it. */
function oauthProblems(): Operation['responses'] {
  const errors: readonly OAuthAnswer[] = [
    [400, 'VALIDATION_FAILED', 'invalid_request, unsupported_grant_type or invalid_scope.'],
    [401, 'AUTHENTICATION_REQUIRED', 'invalid_client.', 'WWW-Authenticate'],
    [408, 'REQUEST_TIMEOUT', 'temporarily_unavailable.'],
    [413, 'PAYLOAD_TOO_LARGE', 'The body is longer than any token request.'],
    [415, 'UNSUPPORTED_MEDIA_TYPE', 'The body is not form-encoded.'],
    [429, 'RATE_LIMITED', 'temporarily_unavailable.', 'Retry-After'],
    [503, 'SERVICE_UNAVAILABLE', 'temporarily_unavailable.', 'Retry-After'],
  ];
  return {
    ...problemResponses([]),
    ...Object.fromEntries(errors.map((answer) => [answer[0], oauthError(answer)])),
  };
}

/** The description begins with the code of RFC 6749, if the status has one of its own. */
type OAuthAnswer = readonly [status: number, code: ProblemCode, description: string, header?: string];

function oauthError([status, code, description, header]: OAuthAnswer): Response {
  const error = /^[a-z]+_[a-z_]+/.exec(description)?.[0] ?? 'invalid_request';
  const missing = status === 400 ? { description: 'grant_type is missing' } : {};
  const example = oauthExample(code, { status, error, ...missing });
  const media = { schema: referTo('schemas', 'OAuthError'), example };
  return {
    description,
    headers: headerReferences(header === undefined ? [] : [header]),
    content: { 'application/json': media },
    'x-codes': [code],
  };
}

function jsonResponse(description: string, schema: string, headers: readonly string[] = []): Response {
  return {
    description,
    headers: headerReferences(headers),
    content: { 'application/json': { schema: referTo('schemas', schema), example: SERVICE_EXAMPLES[schema] } },
  };
}

function publicOperation(
  operationId: string,
  summary: string,
  { schema, ...rest }: { tags: string[]; description: string; schema: string },
): Operation {
  return {
    operationId,
    summary,
    ...rest,
    security: [],
    responses: { 200: jsonResponse('Done.', schema), ...problemResponses([]) },
  };
}

function readyOperation(): Operation {
  const operation = publicOperation('service.ready', 'Ask whether the service can do its work', {
    tags: SERVICE,
    description: 'Asks every database and says what is missing.',
    schema: 'Readiness',
  });
  return {
    ...operation,
    responses: {
      ...operation.responses,
      503: notReady(),
    },
  };
}

function notReady(): Response {
  const example = { ...READY, status: 'not_ready', shipments: { possible: false, missing: ['TARIFF'] } };
  return {
    ...jsonResponse('Not ready: the same members say what is missing.', 'Readiness', ['Retry-After']),
    content: { 'application/json': { schema: referTo('schemas', 'Readiness'), example } },
  };
}
