import { HEADER_OF } from '../../../routers/request.ts';
import type { Environment } from '../../../scripts/shared/connection.ts';
import type { Headers } from '../../../scripts/shared/merchant.ts';
import { type JsonObject, newKey } from '../../../scripts/shared/shipments.ts';
import { OPERATIONS } from '../../../src/http/rest/routes.ts';
import type { Procedure } from './procedures.ts';
import { DECIMALS } from './things.ts';

/** A protocol to call a procedure by. */
export type Face = 'REST' | 'tRPC';

export function facesOf({ name }: Procedure): Face[] {
  return OPERATIONS.some((operation) => operation.name === name) ? ['REST', 'tRPC'] : ['tRPC'];
}

/** Calls a procedure with its tRPC input. */
export function call(
  environment: Environment,
  face: Face,
  {
    procedure,
    input,
    headers,
  }: { readonly procedure: Procedure; readonly input: JsonObject; readonly headers: Headers },
): Promise<Response> {
  // A new idempotency key for each call.
  const key = procedure.parser.places.has('idempotencyKey') ? { idempotencyKey: newKey() } : {};
  const one = { input: { ...input, ...key }, headers };
  return face === 'REST' ? onRest(environment, procedure, one) : overTrpc(environment, procedure, one);
}

interface Call {
  readonly input: JsonObject;
  readonly headers: Headers;
}
const JSON_TYPE = { 'content-type': 'application/json' };

function overTrpc(environment: Environment, { name, type }: Procedure, { input, headers }: Call): Promise<Response> {
  const body = JSON.stringify(input);
  return type === 'query'
    ? environment.fetch(`/trpc/${name}?input=${encodeURIComponent(body)}`, { headers })
    : environment.fetch(`/trpc/${name}`, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body });
}

/** Puts every member into its place: path, query, header or body. */
function onRest(environment: Environment, { name, parser }: Procedure, { input, headers }: Call): Promise<Response> {
  const operation = OPERATIONS.find((one) => one.name === name);
  if (operation === undefined) throw new Error(`${name} is not on REST`);
  const placed = (place: string) => Object.entries(input).filter(([member]) => parser.places.get(member) === place);
  let path = operation.path;
  for (const [member, value] of placed('path')) path = path.replace(`{${member}}`, encodeURIComponent(String(value)));
  const query = new URLSearchParams(placed('query').map(([member, value]) => [member, String(value)])).toString();
  const named = placed('header').map(([member, value]) => [HEADER_OF.get(member) ?? member, String(value)]);
  const body = parser.hasBody ? { body: asRest(Object.fromEntries(placed('body'))) } : {};
  return environment.fetch(query === '' ? path : `${path}?${query}`, {
    method: operation.method,
    headers: { ...(parser.hasBody ? JSON_TYPE : {}), ...Object.fromEntries(named), ...headers },
    ...body,
  });
}

function asRest(body: JsonObject): string {
  return JSON.stringify(body, (name, value: unknown) => (DECIMALS.includes(name) ? Number(value) : value));
}
