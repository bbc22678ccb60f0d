import { afterAll, describe, expect, it } from 'vitest';
import { forceState } from '../../scripts/shared/force-state.ts';
import { type Headers, SHIPMENTS } from '../../scripts/shared/merchant.ts';
import { newKey, newReference } from '../../scripts/shared/shipments.ts';
import { linksOf } from '../../scripts/shared/tracking.ts';
import { ENDPOINTS } from '../../scripts/shared/webhooks.ts';
import { PNG } from '../support/files.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { receivers, subscribe } from '../support/subscription.ts';
import { trpcClient } from '../support/trpc.ts';

const environment = sharedEnvironment();
const { start, close } = receivers();
afterAll(close);
const one = await subscribe(environment, await start(), { eventTypes: ['shipment.created'] });
const { merchant } = one;
const { company } = merchant;
const { shard, companyId } = company;
const authorization = `Bearer ${await environment.token(company)}`;

interface Sent {
  readonly path: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly otherPath?: string;
  readonly otherBody?: string;
  readonly headers?: Headers;
}
const send = (path: string, body: Sent['body'], headers: Headers) =>
  environment.fetch(path, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', ...headers },
    ...(body.length === 0 ? {} : { body }),
  });

const anyVersion = { 'if-match': '*' };
const JSON_OF = (body: object) => JSON.stringify(body);
const newShipment = async () => (await merchant.create()).shipmentId;
async function unresolvedShipment(): Promise<string> {
  const shipmentId = await newShipment();
  await environment.sql(shard, 'update shipments set held = 1 where id = ?', [shipmentId]);
  await forceState(environment, company, shipmentId, 'READY_FOR_DISPATCH');
  await forceState(environment, company, shipmentId, 'DISPATCH_UNRESOLVED');
  return shipmentId;
}
async function settledDelivery(): Promise<string> {
  await one.create();
  const [row] = await environment.sql(
    shard,
    'select id from webhook_deliveries where company_id = ? order by position desc limit 1',
    [companyId],
  );
  return String(row?.['id']);
}
const range = (days: number) => ({
  from: new Date(Date.now() - days * 24 * 3600_000).toISOString(),
  to: new Date(Date.now() + 1000).toISOString(),
});

/** Each operation: its request, the status of the first response, and how often it took effect for the company. */
const OPERATIONS: readonly [name: string, status: number, count: string, prepare: () => Promise<Sent>][] = [
  [
    'a tracking link',
    201,
    'select count(*) as made from tracking_links where company_id = ?',
    async () => ({ path: linksOf(await newShipment()), body: '{"label":"a"}', otherBody: '{"label":"b"}' }),
  ],
  [
    'a webhook endpoint',
    201,
    'select count(*) as made from webhook_endpoints where company_id = ?',
    async () => ({
      path: ENDPOINTS,
      body: JSON_OF({ url: 'https://hooks.example/a', eventTypes: ['*'] }),
      otherBody: JSON_OF({ url: 'https://hooks.example/b', eventTypes: ['*'] }),
    }),
  ],
  [
    'a rotation of a signing secret',
    201,
    'select count(previous_secret) as made from webhook_endpoints where company_id = ?',
    async () => ({
      path: `${ENDPOINTS}/${one.endpoint.endpointId}/secret-rotations`,
      body: JSON_OF({ overlapSeconds: 60 }),
      otherBody: JSON_OF({ overlapSeconds: 61 }),
    }),
  ],
  [
    'a replay of a delivery',
    202,
    'select count(replay_of) as made from webhook_deliveries where company_id = ? and replay_id is null',
    async () => ({
      path: `/v2/external/webhook-deliveries/${await settledDelivery()}/replays`,
      otherPath: `/v2/external/webhook-deliveries/${await settledDelivery()}/replays`,
      body: '',
    }),
  ],
  [
    'a replay of a range',
    202,
    'select count(*) as made from webhook_replays where company_id = ?',
    async () => ({
      path: `${ENDPOINTS}/${one.endpoint.endpointId}/replays`,
      body: JSON_OF(range(1)),
      otherBody: JSON_OF(range(2)),
    }),
  ],
  [
    'a picture',
    201,
    "select count(*) as made from media_assets where company_id = ? and state = 'READY'",
    async () => ({
      path: `/v2/external/media-assets?externalReference=${newReference()}`,
      otherPath: `/v2/external/media-assets?externalReference=${newReference()}`,
      body: PNG,
      headers: { 'content-type': 'image/png' },
    }),
  ],
  [
    'a dispatch retry',
    200,
    "select count(*) as made from shipment_events where company_id = ? and type = 'shipment.dispatch_retried'",
    async () => ({
      path: `${SHIPMENTS}/${await unresolvedShipment()}/dispatch-retries`,
      otherPath: `${SHIPMENTS}/${await unresolvedShipment()}/dispatch-retries`,
      body: '',
      headers: anyVersion,
    }),
  ],
  [
    'a cancellation',
    200,
    "select count(*) as made from shipment_events where company_id = ? and type = 'shipment.cancelled'",
    async () => ({
      path: `${SHIPMENTS}/${await newShipment()}/cancellations`,
      body: JSON_OF({ reasonCode: 'OTHER' }),
      otherBody: JSON_OF({ reasonCode: 'PRICE' }),
      headers: anyVersion,
    }),
  ],
];

/** Ends a running rotation and a running replay, which would block the next request. */
async function makeRoom(): Promise<void> {
  for (const statement of [
    'update webhook_endpoints set previous_secret = null, previous_secret_expires_at = null where company_id = ?',
    "update webhook_replays set state = 'COMPLETED' where company_id = ?",
  ]) {
    await environment.sql(shard, statement, [companyId]);
  }
}

describe.each(OPERATIONS)('%s with an idempotency key', (_name, status, count, prepare) => {
  const made = async () => Number((await environment.sql(shard, count, [companyId]))[0]?.['made']);

  it('replays its response, and is 422 for another request with the same key', async () => {
    const { path, body, otherPath = path, otherBody = body, headers } = await prepare();
    const keyed = { ...headers, 'idempotency-key': newKey() };
    const before = await made();
    const first = await send(path, body, keyed);
    const text = await first.text();
    expect({ status: first.status, text }).toMatchObject({ status });
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const replay = await send(path, body, keyed);
    expect({ status: replay.status, text: await replay.text() }).toEqual({ status: 200, text });
    expect(replay.headers.get('idempotency-replayed')).toBe('true');
    for (const name of ['etag', 'location']) expect(replay.headers.get(name)).toBe(first.headers.get(name));
    await expectProblem(await send(otherPath, otherBody, keyed), { status: 422, code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(await made()).toBe(before + 1);
    await makeRoom();
  });

  it('takes effect once for eight concurrent requests', async () => {
    const { path, body, headers } = await prepare();
    const keyed = { ...headers, 'idempotency-key': newKey() };
    const before = await made();
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(path, body, keyed)));
    const texts = new Set(await Promise.all(answers.map((answer) => answer.text())));
    expect(texts.size).toBe(1);
    const replayed = answers.filter((answer) => answer.headers.get('idempotency-replayed') === 'true');
    expect([replayed.length, await made()]).toEqual([7, before + 1]);
  });
});

it('an idempotency key expires after a day, and its stored response is encrypted', async () => {
  const path = linksOf(await newShipment());
  const keyed = { 'idempotency-key': newKey() };
  const first = (await (await merchant.post(path, {}, keyed)).json()) as { url: string };
  const select = 'select * from idempotency_records where company_id = ? and key = ?';
  const [record] = await environment.sql(shard, select, [companyId, keyed['idempotency-key']]);
  expect(JSON.stringify(record)).not.toContain(first.url.slice(-32));
  expect(Number(record?.['expires_at']) / 1000 - Date.now()).toBeLessThanOrEqual(24 * 3600_000);
  const expire = 'update idempotency_records set expires_at = 1 where company_id = ? and key = ?';
  await environment.sql(shard, expire, [companyId, keyed['idempotency-key']]);
  const later = await merchant.post(path, {}, keyed);
  expect(later.status).toBe(201);
  expect(await later.json()).not.toMatchObject({ url: first.url });
});

it('a refused request does not bind its idempotency key', async () => {
  const shipmentId = await newShipment();
  const keyed = { 'idempotency-key': newKey(), 'if-match': '"99"' };
  const path = `${SHIPMENTS}/${shipmentId}/cancellations`;
  await expectProblem(await merchant.post(path, { reasonCode: 'OTHER' }, keyed), {
    status: 412,
    code: 'PRECONDITION_FAILED',
  });
  const other = await merchant.post(path, { reasonCode: 'PRICE' }, { ...keyed, 'if-match': '*' });
  expect({ status: other.status, replayed: other.headers.get('idempotency-replayed') }).toEqual({
    status: 200,
    replayed: null,
  });
});

it('idempotency keys are shared by tRPC and REST, and a short key is refused', async () => {
  const shipmentId = await newShipment();
  const client = trpcClient(environment, await environment.token(company));
  const idempotencyKey = newKey();
  const link = await client.trackingLinks.create.mutate({ shipmentId, label: 'desk', idempotencyKey });
  const replay = await merchant.post(linksOf(shipmentId), { label: 'desk' }, { 'idempotency-key': idempotencyKey });
  expect({ status: replay.status, link: await replay.json() }).toEqual({ status: 200, link });
  await expectProblem(await merchant.post(linksOf(shipmentId), {}, { 'idempotency-key': 'short' }), {
    status: 400,
    code: 'INVALID_IDEMPOTENCY_KEY',
    violations: ['Idempotency-Key TOO_SHORT'],
  });
});
