import { afterAll, describe, expect, it } from 'vitest';
import { answering, type Respond, verified } from '../../scripts/shared/receiver.ts';
import { newSandbox, SANDBOX } from '../../scripts/shared/sandbox.ts';
import { DELIVERIES, ENDPOINTS } from '../../scripts/shared/webhooks.ts';
import { readDelivery, readDeliveryPage, readDeliveryWithAttempts, readExchange } from '../support/deliveries.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { receivers, subscribe } from '../support/subscription.ts';

const environment = sharedEnvironment();
const { start, close } = receivers();
afterAll(close);

const CREATED = { eventTypes: ['shipment.created'] };

describe('the delivery log', () => {
  it('shows a delivery and its attempts, but never the response body', async () => {
    const one = await subscribe(environment, await start(), CREATED);
    one.receiver.respond = (received, response, index) => answering(index === 0 ? 503 : 202)(received, response, index);
    const { shipmentId } = await one.create();
    const [delivery] = await one.settled(1);
    const { endpointId } = one.endpoint;
    expect(delivery).toMatchObject({
      endpointId,
      shipmentId,
      eventType: 'shipment.created',
      status: 'SUCCEEDED',
      // An answer that asks for a pause is shown, and is no attempt.
      attemptCount: 1,
      nextAttemptAt: null,
      replayOf: null,
    });
    const response = await one.merchant.get(`${DELIVERIES}/${delivery?.deliveryId}`);
    expect(await response.clone().text()).not.toContain('thank you');
    const { attempts } = await readDeliveryWithAttempts(response);
    expect(attempts.map(({ number, responseStatus, error }) => [number, responseStatus, error])).toEqual([
      [1, 503, 'NON_2XX'],
      [2, 202, null],
    ]);
    expect(await one.webhooks.get(endpointId)).toMatchObject({ version: 0, consecutiveFailures: 0 });
  });

  it('is filtered by endpoint, status, event type and shipment, and paged', async () => {
    const one = await subscribe(environment, await start(), { eventTypes: ['shipment.created', 'shipment.cancelled'] });
    const idle = await one.webhooks.add('https://hooks.shop.example/', { enabled: false, ...CREATED });
    const [first, second] = [await one.create(), await one.create()];
    await one.merchant.cancel(first.shipmentId);
    await one.settled(3);
    const idsOf = async (query: string) =>
      (await one.deliveries(query)).map(({ eventType, shipmentId }) => [eventType, shipmentId]);
    expect(await idsOf(`&endpointId=${idle.endpointId}`)).toEqual([
      ['shipment.created', second.shipmentId],
      ['shipment.created', first.shipmentId],
    ]);
    expect(await idsOf('&status=SKIPPED')).toHaveLength(2);
    expect(await idsOf('&eventType=shipment.cancelled')).toEqual([['shipment.cancelled', first.shipmentId]]);
    expect(await idsOf(`&shipmentId=${second.shipmentId}&status=SUCCEEDED`)).toEqual([
      ['shipment.created', second.shipmentId],
    ]);
    const all = await one.deliveries();
    const paged: unknown[] = [];
    for (let query = '?limit=2'; ; ) {
      const { data, page } = await readDeliveryPage(await one.merchant.get(`${DELIVERIES}${query}`));
      paged.push(...data);
      if (page.nextCursor === null) break;
      query = `?limit=2&cursor=${page.nextCursor}`;
    }
    expect(paged).toEqual(all);
    expect(all).toHaveLength(5);
  });

  it.each([
    ['?status=LOST', 'INVALID_QUERY_PARAMETER', ['status NOT_IN_ENUM']],
    ['?endpointId=7', 'INVALID_QUERY_PARAMETER', ['endpointId PATTERN_MISMATCH']],
    ['?eventType=all', 'INVALID_QUERY_PARAMETER', ['eventType NOT_IN_ENUM']],
    ['?cursor=x', 'INVALID_CURSOR', undefined],
  ])('refuses %s', async (query, code, violations) => {
    const one = await subscribe(environment, await start());
    const problem = { status: 400, code, ...(violations === undefined ? {} : { violations }) };
    await expectProblem(await one.merchant.get(`${DELIVERIES}${query}`), problem);
  });
});

describe('an attempt', () => {
  const BINARY = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00]);
  const ANSWERS: readonly Respond[] = [
    (_received, response) =>
      void response
        .writeHead(503, { 'content-type': 'text/plain', 'retry-after': '1', 'set-cookie': 'sid=1', 'cf-ray': '8c-RUH' })
        .end('down for maintenance · صيانة'),
    (_received, response) => void response.writeHead(500).end('م'.repeat(5_000_000)),
    (_received, response) => void response.writeHead(500).end(BINARY),
    (_received, response) => {
      for (let index = 0; index < 1000; index += 1) response.setHeader(`x-${index}`, '1');
      // It never ends.
      response.writeHead(202).write('{"ok":');
    },
  ];

  it('shows what was sent and what came back, as far as it is text and short', async () => {
    const one = await subscribe(environment, await start(), CREATED);
    const shown: Awaited<ReturnType<typeof readExchange>>[] = [];
    const paths: string[] = [];
    for (const [index, answer] of ANSWERS.entries()) {
      const from = one.receiver.received.length;
      // The second attempt of each delivery succeeds.
      one.receiver.respond = (received, response, at) =>
        (at === from ? answer : answering(200))(received, response, at);
      await one.create();
      const deliveryId = (await one.settled(index + 1)).at(-1)?.deliveryId;
      const path = `${DELIVERIES}/${deliveryId}/attempts`;
      const exchange = await readExchange(await one.merchant.get(`${path}/1`));
      const received = one.receiver.received[from];
      expect(exchange.request).toMatchObject({ url: one.receiver.url, body: received?.text });
      expect(received?.headers).toMatchObject(exchange.request.headers);
      expect(exchange.request.headers).toHaveProperty('webhook-signature');
      shown.push(exchange);
      paths.push(path);
    }
    const [path] = paths;
    expect(shown.map(({ error }) => error)).toEqual(['NON_2XX', 'NON_2XX', 'NON_2XX', null]);
    const [first, long, binary, endless] = shown.map(({ response }) => response);
    expect(first).toMatchObject({ status: 503, body: 'down for maintenance · صيانة', truncated: false });
    expect(first?.headers).toMatchObject({ 'content-type': 'text/plain', 'retry-after': '1', 'cf-ray': '8c-RUH' });
    expect(first?.headers).not.toHaveProperty('set-cookie');
    expect(long).toMatchObject({ status: 500, body: 'م'.repeat(2048), truncated: true });
    expect(binary).toMatchObject({ status: 500, body: '', truncated: true });
    expect(endless).toMatchObject({ status: 202, body: '{"ok":', truncated: true });
    expect(Object.keys(endless?.headers ?? {}).filter((name) => /^x-\d/.test(name))).toEqual([]);

    for (const [number, fault] of [
      ['0', 'OUT_OF_RANGE'],
      ['-1', 'OUT_OF_RANGE'],
      ['1000000000', 'OUT_OF_RANGE'],
      ['1e9', 'TYPE_MISMATCH'],
    ]) {
      const refused = { status: 400, code: 'INVALID_PATH_PARAMETER', violations: [`number ${fault}`] };
      await expectProblem(await one.merchant.get(`${path}/${number}`), refused);
    }
    await expectProblem(await one.merchant.get(`${path}/3`), { status: 404, code: 'RESOURCE_NOT_FOUND' });
    const other = await newSandbox(environment);
    await expectProblem(await other.merchant.get(`${path}/1`), { status: 404, code: 'RESOURCE_NOT_FOUND' });
    await one.webhooks.delete(one.endpoint.endpointId);
    expect(await readExchange(await one.merchant.get(`${path}/1`))).toEqual(shown[0]);
  });

  it('of a delivery that was sent before exchanges were kept shows the request without time and signature', async () => {
    const one = await subscribe(environment, await start(), CREATED);
    await one.create();
    const [delivery] = await one.settled(1);
    const id = delivery?.deliveryId ?? '';
    await environment.sql('shard-1', 'update webhook_deliveries set only_exchange = null where id = ?', [id]);
    const { request, response } = await readExchange(await one.merchant.get(`${DELIVERIES}/${id}/attempts/1`));
    expect(response).toBeNull();
    expect(request).toEqual({
      url: one.receiver.url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Mirsal-Webhooks/1',
        'mirsal-webhook-endpoint': delivery?.endpointId,
        'webhook-id': delivery?.eventId,
      },
      body: one.receiver.received[0]?.text,
    });
  });
});

describe('a replay of one delivery', () => {
  it('sends the same bytes under the same webhook-id, as a new delivery', async () => {
    const one = await subscribe(environment, await start(), CREATED);
    await one.create();
    const [delivery] = await one.settled(1);
    const response = await one.merchant.post(`${DELIVERIES}/${delivery?.deliveryId}/replays`);
    expect(response.status).toBe(202);
    const replay = await readDelivery(response);
    expect(replay).toMatchObject({ replayOf: delivery?.deliveryId, eventId: delivery?.eventId });
    const [first, second] = await one.receiver.waitFor(2);
    if (first === undefined || second === undefined) throw new Error('Nothing came');
    expect(second.text).toBe(first.text);
    expect(verified(one.endpoint.signingSecret, second).id).toBe(second.headers['webhook-id']);
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
  });

  it('is refused when the endpoint is disabled or deleted', async () => {
    const one = await subscribe(environment, await start(), { ...CREATED, enabled: false });
    await one.create();
    const [delivery] = await one.settled(1);
    const path = `${DELIVERIES}/${delivery?.deliveryId}/replays`;
    const refused = await expectProblem(await one.merchant.post(path), {
      status: 409,
      code: 'INVALID_STATE_TRANSITION',
    });
    expect(refused['currentState']).toBe('DISABLED');
    await one.webhooks.patch(one.endpoint.endpointId, { enabled: true });
    expect((await one.merchant.post(path)).status).toBe(202);
    await one.receiver.waitFor(1);
    await one.webhooks.delete(one.endpoint.endpointId);
    await expectProblem(await one.merchant.post(path), { status: 404, code: 'RESOURCE_NOT_FOUND' });
    expect((await one.merchant.get(`${DELIVERIES}/${delivery?.deliveryId}`)).status).toBe(200);
  });
});

describe('a test event', () => {
  const send = (one: Awaited<ReturnType<typeof subscribe>>, eventType: string) =>
    one.merchant.post(`${ENDPOINTS}/${one.endpoint.endpointId}/test-events`, { eventType });

  it('is sent at once, and the answer shows the signed request and the response', async () => {
    const one = await subscribe(environment, await start(answering(418)), { enabled: false });
    const response = await send(one, 'shipment.delivered');
    expect(response.status).toBe(200);
    const result = (await response.json()) as Record<string, unknown>;
    const [received] = one.receiver.received;
    if (received === undefined) throw new Error('Nothing came');
    const event = verified(one.endpoint.signingSecret, received);
    expect(event).toMatchObject({
      type: 'shipment.delivered',
      previousState: 'OUT_FOR_DELIVERY',
      shipmentId: null,
      test: true,
    });
    expect(event.data.shipment.state).toBe('DELIVERED');
    expect(result).toMatchObject({
      eventId: event.id,
      url: one.receiver.url,
      body: received.text,
      responseStatus: 418,
      error: 'NON_2XX',
    });
    expect(received.headers).toMatchObject(result['headers'] as object);
    expect(await one.deliveries()).toEqual([]);
    expect(await one.webhooks.get(one.endpoint.endpointId)).toMatchObject({ consecutiveFailures: 0 });
  });

  it('can have every event type, and no other', async () => {
    const one = await subscribe(environment, await start());
    for (const type of ['webhook.test', 'webhook_endpoint.disabled', 'tracking_link.created', 'shipment.created']) {
      expect(await (await send(one, type)).json()).toMatchObject({ responseStatus: 200, error: null });
    }
    const response = await send(one, '*');
    await expectProblem(response, { status: 422, code: 'VALIDATION_FAILED', violations: ['eventType NOT_IN_ENUM'] });
    expect(one.receiver.received).toHaveLength(4);
  });
});

it('deliveries fail as often as the sandbox fault says, then succeed', async () => {
  const one = await subscribe(environment, await start(), CREATED);
  expect((await one.merchant.post(`${SANDBOX}/faults`, { target: 'WEBHOOK_DELIVERY', count: 2 })).status).toBe(201);
  await one.create();
  const [delivery] = await one.settled(1);
  const { attempts } = await readDeliveryWithAttempts(await one.merchant.get(`${DELIVERIES}/${delivery?.deliveryId}`));
  expect(attempts.map(({ error }) => error)).toEqual(['CONNECT', 'CONNECT', null]);
  expect(one.receiver.received).toHaveLength(1);
});
