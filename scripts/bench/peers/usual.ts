import { createRoute, OpenAPIHono } from '@hono/zod-openapi';
import { createClient } from '@libsql/client/web';
import type { LibSQLDatabase } from 'drizzle-orm/libsql';
import { drizzle } from 'drizzle-orm/libsql/web';
import { importJWK, type JWK, jwtVerify } from 'jose';
import { cancelShipment } from './usual-cancel.ts';
import {
  cancellation,
  createHeaders,
  idParameter,
  listQuery,
  problem,
  shipment,
  shipmentPage,
  shipmentRequest,
} from './usual-schemas.ts';
import { createShipment, findShipment, listShipments } from './usual-store.ts';

/*
 * The usual stack, written with care: Hono, its zod-openapi, drizzle over libSQL's own HTTP client, jose. The same
 * operations, tables, rows and statuses as the service, with price, dispatch and events; one transaction for each creation.
 */

interface Caller {
  readonly companyId: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
}
interface App {
  Bindings: { LIBSQL_URL: string; ISSUER: string; PUBLIC_KEY: string };
  Variables: { caller: Caller; db: LibSQLDatabase };
}

const app = new OpenAPIHono<App>({
  defaultHook: (result, c) =>
    result.success
      ? undefined
      : c.json({ title: 'The request is not valid', status: 422, code: 'VALIDATION_FAILED' }, 422),
});

app.get('/health', (c) => c.json({ status: 'ok' }));

let publicKey: ReturnType<typeof importJWK> | undefined;

app.use('/v2/*', async (c, next) => {
  const token = c.req.header('authorization')?.replace(/^Bearer /, '') ?? '';
  try {
    publicKey ??= importJWK(JSON.parse(c.env.PUBLIC_KEY) as JWK, 'EdDSA');
    const { ISSUER: issuer } = c.env;
    const options = { issuer, audience: issuer, algorithms: ['EdDSA'], typ: 'at+jwt' };
    const { payload } = await jwtVerify(token, await publicKey, options);
    const scopes = String(payload['scope']).split(' ');
    c.set('caller', { companyId: String(payload['company']), clientId: String(payload['client_id']), scopes });
  } catch {
    return c.json({ title: 'Authentication is required', status: 401, code: 'AUTHENTICATION_REQUIRED' }, 401);
  }
  // A client for each request: a Worker must not hand the I/O of one request to another.
  c.set('db', drizzle(createClient({ url: c.env.LIBSQL_URL })));
  return next();
});

app.onError((error, c) => {
  console.error(error);
  return c.json({ title: 'Something went wrong', status: 503, code: 'SERVICE_UNAVAILABLE' }, 503);
});

const json = <Schema>(schema: Schema) => ({ content: { 'application/json': { schema } } });
const refusal = { ...json(problem), description: 'A problem' };
const PATH = '/v2/external/shipments';
const DENIED = { title: 'Access is denied', status: 403, code: 'ACCESS_DENIED' };

const create = createRoute({
  method: 'post',
  path: PATH,
  request: { headers: createHeaders, body: { ...json(shipmentRequest), required: true } },
  responses: {
    201: { ...json(shipment), description: 'Created' },
    200: { ...json(shipment), description: 'Replayed' },
    403: refusal,
    409: refusal,
    422: refusal,
  },
});
app.openapi(create, async (c) => {
  const caller = c.get('caller');
  if (!caller.scopes.includes('shipments:write')) return c.json(DENIED, 403);
  const key = c.req.valid('header')['idempotency-key'];
  const created = await createShipment(c.get('db'), caller, key, c.req.valid('json'));
  if (!created.ok) return c.json({ title: created.code, status: created.status, code: created.code }, created.status);
  c.header('etag', '"0"');
  c.header('location', `${PATH}/${created.shipment.shipmentId}`);
  return created.isReplay ? c.json(created.shipment, 200) : c.json(created.shipment, 201);
});

const list = createRoute({
  method: 'get',
  path: PATH,
  request: { query: listQuery },
  responses: { 200: { ...json(shipmentPage), description: 'A page' }, 403: refusal },
});
app.openapi(list, async (c) => {
  const caller = c.get('caller');
  if (!caller.scopes.includes('shipments:read')) return c.json(DENIED, 403);
  return c.json(await listShipments(c.get('db'), caller.companyId, c.req.valid('query')), 200);
});

const get = createRoute({
  method: 'get',
  path: `${PATH}/{shipmentId}`,
  request: { params: idParameter },
  responses: { 200: { ...json(shipment), description: 'A shipment' }, 403: refusal },
});
app.openapi(get, async (c) => {
  const caller = c.get('caller');
  const found = await findShipment(c.get('db'), caller.companyId, c.req.valid('param').shipmentId);
  if (found === undefined || !caller.scopes.includes('shipments:read')) return c.json(DENIED, 403);
  c.header('etag', `"${found.version}"`);
  return c.json(found, 200);
});

const cancel = createRoute({
  method: 'post',
  path: `${PATH}/{shipmentId}/cancellations`,
  request: { params: idParameter, body: { ...json(cancellation), required: true } },
  responses: { 200: { ...json(shipment), description: 'Cancelled' }, 403: refusal, 409: refusal },
});
app.openapi(cancel, async (c) => {
  const caller = c.get('caller');
  if (!caller.scopes.includes('shipments:write')) return c.json(DENIED, 403);
  const { reasonCode } = c.req.valid('json');
  const cancelled = await cancelShipment(c.get('db'), caller.companyId, c.req.valid('param').shipmentId, reasonCode);
  if (!cancelled.ok) return c.json({ title: cancelled.code, ...cancelled }, cancelled.status);
  c.header('etag', `"${cancelled.shipment.version}"`);
  return c.json(cancelled.shipment, 200);
});

export default app;
