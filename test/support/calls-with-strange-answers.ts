import type { ServerResponse } from 'node:http';
import openApiDocument from '../../docs/openapi.json' with { type: 'json' };
import { listOperations } from '../../src/pages/reference/operations.ts';
import { type StrangeAnswer, sendStrange, strangeAnswersTo } from './strange-answers.ts';

/** A call whose first answers, or all, come from something else than the service, and how it ends. */
export interface Call {
  readonly name: string;
  readonly client: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly key: string | null;
  readonly ifMatch: string | null;
  /** Whether the strange answers are those to the token request. */
  readonly isToken: boolean;
  readonly strange: readonly StrangeAnswer[] | 'always';
  /** With a Retry-After past its limit a client gives up at once. */
  readonly retryAfter?: string;
  readonly real: { readonly status: number; readonly body: string; readonly hasId: boolean };
  readonly end: 'answer' | 'unknown';
  readonly attempts: number | 'all';
}

const OPERATIONS = listOperations(openApiDocument);
const STATUS_OK = '{"status":"ok"}';
const OF_TOKENS = [
  'status-ok',
  'empty',
  'no-content',
  'portal',
  'redirect',
  'no-members',
  'null-members',
  'cut-after-headers',
];
const OF_LISTS = ['status-ok-with-an-id', 'empty', 'portal', 'list-of-it', 'null-members', 'cut-unnoticed'];
const OF_DELETIONS = ['status-ok-with-an-id', 'empty', 'portal', 'redirect', 'cut-after-headers'];
const TOO_LONG = '61';
const TOKEN = '{"access_token":"token","token_type":"Bearer","expires_in":3600}';

export function callsOf(): readonly Call[] {
  const create = realOf('POST /v2/external/shipments');
  const list = realOf('GET /v2/external/shipments');
  const named = (names: readonly string[], real: string) =>
    strangeAnswersTo(real).filter(({ name }) => names.includes(name));
  const creations = strangeAnswersTo(create.body).map((strange) =>
    callOf({ name: `creation-${strange.name}`, strange: [strange], real: create, attempts: 2 }),
  );
  const half = { name: 'half', status: 200, body: '{"access_token":"token"}' };
  const read = { method: 'GET', key: null, body: null, real: list };
  const tokens = [...named(OF_TOKENS, TOKEN), half].map((strange) => {
    const name = `token-${strange.name}`;
    return callOf({ ...read, name, client: name, isToken: true, strange: [strange] });
  });
  const alone = { ...half, name: 'without-page', body: '{"data":[]}' };
  const lists = [...named(OF_LISTS, list.body), alone].map((strange) =>
    callOf({ ...read, name: `list-${strange.name}`, strange: [strange] }),
  );
  const deletions = named(OF_DELETIONS, '').map((strange) => {
    const path = '/v2/external/webhook-endpoints/01976e2a-7c10-7f4e-8b21-6d90c3a5e842';
    const how = { method: 'DELETE', path, key: null, ifMatch: '"3"', body: null };
    return callOf({ name: `deletion-${strange.name}`, ...how, strange: [strange], real: NOTHING });
  });
  const endless = callOf({
    name: 'creation-endless',
    strange: 'always',
    real: create,
    end: 'unknown',
    attempts: 'all',
  });
  return [...creations, ...tokens, ...lists, ...deletions, endless, ...ofEach()];
}

const NOTHING = { status: 204, body: '', hasId: false };

function callOf(call: Pick<Call, 'name' | 'strange' | 'real'> & Partial<Call>): Call {
  const { name, path = '/v2/external/shipments' } = call;
  const order = { externalReference: name, declaredValue: 180 };
  return {
    ...{ client: 'caller', method: 'POST', body: order, key: `key-of-${name}`, ifMatch: null, isToken: false },
    ...{ end: 'answer', attempts: 2 },
    ...call,
    path: `${path}?call=${name}`,
  };
}

/** Every operation of the document that a client can call and that answers JSON or nothing: with its answer, and without. */
function ofEach(): readonly Call[] {
  return OPERATIONS.filter(({ path }) => path.startsWith('/v2/external')).flatMap((operation): Call[] => {
    const { method } = operation;
    const real = realOf(`${method} ${operation.path}`);
    if (real.status !== 204 && real.body === '') return [];
    const path = operation.path.replaceAll(/\{\w+\}/g, '01976e2a-7c10-7f4e-8b21-6d90c3a5e842');
    const body = ['GET', 'DELETE'].includes(method) ? null : {};
    const how = { method, path, body, key: null };
    const id = operation.id ?? path;
    // What changes something is told by its members, though a proxy may drop or add X-Request-Id.
    const isById = method === 'GET' || path.includes('/sandbox/');
    const headers = isById ? {} : { 'x-request-id': '7f1c0a52b3d40f9e' };
    const strange = [{ name: 'status-ok', status: 200, headers, body: STATUS_OK }];
    return [
      callOf({ name: `real-${id}`, ...how, strange: [], real: { ...real, hasId: isById }, attempts: 1 }),
      callOf({ name: `strange-${id}`, ...how, strange, real, retryAfter: TOO_LONG, end: 'unknown', attempts: 1 }),
    ];
  });
}

/** The first documented success with an object, or an empty one. */
function realOf(name: string): Call['real'] {
  const operation = OPERATIONS.find(({ method, path }) => `${method} ${path}` === name);
  const found = operation?.responses.find(({ status }) => Number(status) < 300);
  const [named] = Object.values(found?.content?.examples ?? {});
  const example = found?.content?.example ?? named?.value;
  const isObject = typeof example === 'object' && example !== null;
  return { status: Number(found?.status), body: isObject ? JSON.stringify(example) : '', hasId: false };
}

/** Answers a request of a call: strangely at first, if these are the requests that get strange answers. */
export function reactTo(call: Call, response: ServerResponse, { isToken, times }: { isToken: boolean; times: number }) {
  const strange = call.strange === 'always' ? { name: '', status: 200, body: STATUS_OK } : call.strange[times];
  if (isToken === call.isToken && strange !== undefined) return sendStrange(response, strange, call.retryAfter);
  const { status, body, hasId } = isToken ? { status: 200, body: TOKEN, hasId: false } : call.real;
  if (hasId) response.setHeader('x-request-id', '01976e2a-7c10-7f4e-8b21-6d90c3a5e842');
  response.writeHead(status).end(body);
}
