import { afterAll, describe, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { merchantOf } from '../../scripts/shared/merchant.ts';
import { answering, type Receiver, type Respond, startReceiver, verified } from '../../scripts/shared/receiver.ts';
import { newSandbox } from '../../scripts/shared/sandbox.ts';
import type { JsonObject } from '../../scripts/shared/shipments.ts';
import { until } from '../../scripts/shared/until.ts';
import { webhooksOf } from '../../scripts/shared/webhooks.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';

const environment = sharedEnvironment();
const receivers: Receiver[] = [];
afterAll(() => Promise.all(receivers.map((receiver) => receiver.close())));

async function newReceiver(respond?: Respond): Promise<Receiver> {
  const receiver = await startReceiver(respond);
  receivers.push(receiver);
  return receiver;
}

/** A new sandbox with one endpoint. */
async function subscribed(respond?: Respond, changes?: JsonObject) {
  const sandbox = await newSandbox(environment);
  const receiver = await newReceiver(respond);
  const webhooks = await webhooksOf(environment, sandbox.merchant);
  const endpoint = await webhooks.add(receiver.url, changes);
  return { ...sandbox, receiver, webhooks, endpoint };
}

const deliveriesOf = (endpointId: string) =>
  environment.sql(
    'shard-1',
    `select event_type, status, attempt_count, next_attempt_at, lease_token from webhook_deliveries where endpoint_id = ? order by position`,
    [endpointId],
  );
const settledOf = (endpointId: string, count: number) =>
  until(`${count} deliveries are over`, async () => {
    const rows = (await deliveriesOf(endpointId)).filter(({ status }) => status !== 'PENDING' && status !== 'RETRYING');
    return rows.length >= count ? rows : undefined;
  });

describe('an event', () => {
  it('is sent exactly as it is in the feed, signed, and its delivery succeeds', async () => {
    const { create, receiver, endpoint, company } = await subscribed();
    const { shipmentId } = await create();
    const [first] = await receiver.waitFor(1);
    if (first === undefined) throw new Error('Nothing came');
    const event = verified(endpoint.signingSecret, first);
    expect(event).toMatchObject({ type: 'shipment.created', shipmentId, sequence: 1 });
    expect(first.headers).toMatchObject({ 'webhook-id': event.id, 'content-type': 'application/json' });
    const [row] = await environment.sql('shard-1', 'select body from events where id = ?', [event.id]);
    expect(first.text).toBe(row?.['body']);
    expect(await settledOf(endpoint.endpointId, 1)).toMatchObject([{ status: 'SUCCEEDED', attempt_count: 1 }]);
    expect(company.shard).toBe('shard-1');
  });

  it('is delivered after the earlier events of its shipment, for every transition', async () => {
    const { create, receiver, endpoint, play } = await subscribed();
    const { shipmentId } = await create();
    await play(shipmentId, 'HAPPY_PATH');
    const all = await receiver.waitFor(7);
    expect(all.map((one) => verified(endpoint.signingSecret, one).sequence)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('is sent to every endpoint subscribed to its type, and to no other', async () => {
    const { create, merchant, receiver, webhooks } = await subscribed(undefined, {
      eventTypes: ['shipment.cancelled'],
    });
    const other = await newReceiver();
    await webhooks.add(other.url, { eventTypes: ['shipment.created', 'shipment.approved'] });
    const stranger = await newReceiver();
    const strangers = await merchantOf(environment, await addCompany(environment));
    await (await webhooksOf(environment, strangers)).add(stranger.url);
    const { shipmentId } = await create();
    await merchant.cancel(shipmentId);
    await receiver.waitFor(1);
    await other.waitFor(1);
    expect(receiver.received.map(({ text }) => (JSON.parse(text) as { type: string }).type)).toEqual([
      'shipment.cancelled',
    ]);
    expect((JSON.parse(other.received[0]?.text ?? '') as { type: string }).type).toBe('shipment.created');
    expect(stranger.received).toEqual([]);
  });

  it('is signed with both secrets during the overlap, and with the new one afterwards', async () => {
    const { create, receiver, endpoint, webhooks } = await subscribed(undefined, { eventTypes: ['shipment.created'] });
    const rotated = (await (await webhooks.rotate(endpoint.endpointId, 3600)).json()) as { signingSecret: string };
    await create();
    const [first] = await receiver.waitFor(1);
    if (first === undefined) throw new Error('Nothing came');
    for (const secret of [endpoint.signingSecret, rotated.signingSecret]) verified(secret, first);
    const end = 'update webhook_endpoints set previous_secret_expires_at = created_at where id = ?';
    await environment.sql('shard-1', end, [endpoint.endpointId]);
    await create();
    const [, second] = await receiver.waitFor(2);
    if (second === undefined) throw new Error('Nothing came');
    verified(rotated.signingSecret, second);
    expect(() => verified(endpoint.signingSecret, second)).toThrow('No matching signature');
  });

  it('is skipped for a disabled endpoint', async () => {
    const { create, receiver, endpoint } = await subscribed(undefined, { enabled: false });
    await create();
    await until('it is approved', async () =>
      (await deliveriesOf(endpoint.endpointId)).length > 1 ? true : undefined,
    );
    for (const row of await deliveriesOf(endpoint.endpointId)) {
      expect(row).toMatchObject({ status: 'SKIPPED', attempt_count: 0, next_attempt_at: null });
    }
    expect(receiver.received).toEqual([]);
  });
});

// test/prove/webhook-transport.test.ts shows redirects to another receiver and broken connections.
describe('a failed delivery', () => {
  it.each([
    ['NON_2XX', 500, answering(500)],
    ['NON_2XX', 404, answering(404)],
    ['REDIRECT', 304, answering(304)],
  ])('is logged as %s (%s) and retried until it succeeds', async (error, status, fail) => {
    const { create, receiver, endpoint } = await subscribed(undefined, { eventTypes: ['shipment.created'] });
    receiver.respond = (received, response, index) => (index === 0 ? fail : answering(204))(received, response, index);
    await create();
    const [first, second] = await receiver.waitFor(2);
    expect(second?.text).toBe(first?.text);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(await settledOf(endpoint.endpointId, 1)).toMatchObject([{ status: 'SUCCEEDED', attempt_count: 2 }]);
    const attempts = await environment.sql(
      'shard-1',
      `select number, response_status, error from webhook_attempts
       where delivery_id in (select id from webhook_deliveries where endpoint_id = ?) order by number`,
      [endpoint.endpointId],
    );
    expect(attempts).toEqual([
      { number: 1, response_status: status, error },
      { number: 2, response_status: 204, error: null },
    ]);
  });

  it('waits as long as Retry-After says, in real seconds', async () => {
    const { create, receiver } = await subscribed(undefined, { eventTypes: ['shipment.created'] });
    receiver.respond = (received, response, index) =>
      (index === 0 ? answering(429, { 'retry-after': '2' }) : answering(200))(received, response, index);
    await create();
    const [first, second] = await receiver.waitFor(2);
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(2000);
  });

  it('blocks later events of its shipment, but no other shipment', async () => {
    const { create, merchant, receiver } = await subscribed(undefined, {
      eventTypes: ['shipment.created', 'shipment.cancelled'],
    });
    let failing = '';
    let failures = 2;
    receiver.respond = (received, response, index) => {
      const isFailing = received.text.includes(failing) && failing !== '' && failures > 0;
      if (isFailing) failures -= 1;
      answering(isFailing ? 500 : 200)(received, response, index);
    };
    const other = await create();
    await receiver.waitFor(1);
    const reference = `order-held-${other.shipmentId}`;
    failing = reference;
    const held = await create({ externalReference: reference });
    await merchant.cancel(held.shipmentId);
    await merchant.cancel(other.shipmentId);
    const all = await receiver.waitFor(6);
    const told = all.map(({ text }) => JSON.parse(text) as { type: string; shipmentId: string });
    expect(told.filter(({ shipmentId }) => shipmentId === held.shipmentId).map(({ type }) => type)).toEqual([
      'shipment.created',
      'shipment.created',
      'shipment.created',
      'shipment.cancelled',
    ]);
    expect(
      told.findIndex(({ type, shipmentId }) => type === 'shipment.cancelled' && shipmentId === other.shipmentId),
    ).toBeLessThan(5);
  });

  it('disables its endpoint at once on 410, and notifies the other endpoints', async () => {
    const { create, receiver, endpoint, webhooks } = await subscribed(answering(410), {
      eventTypes: ['shipment.created'],
    });
    const other = await newReceiver();
    await webhooks.add(other.url, { eventTypes: ['webhook_endpoint.disabled'] });
    await create();
    const [told] = await other.waitFor(1);
    if (told === undefined) throw new Error('Nothing came');
    const text = JSON.parse(told.text) as { type: string; shipmentId: null; sequence: number; data: JsonObject };
    expect(text).toMatchObject({ type: 'webhook_endpoint.disabled', shipmentId: null, sequence: 0 });
    expect(text.data).toMatchObject({
      reason: 'GONE',
      webhookEndpoint: { endpointId: endpoint.endpointId, state: 'AUTO_DISABLED', version: 1, consecutiveFailures: 1 },
    });
    expect(JSON.stringify(text)).not.toContain(endpoint.signingSecret.slice(6));
    expect(await webhooks.get(endpoint.endpointId)).toMatchObject({ state: 'AUTO_DISABLED', version: 1 });
    await create();
    expect(await settledOf(endpoint.endpointId, 2)).toMatchObject([{ status: 'EXHAUSTED' }, { status: 'SKIPPED' }]);
    expect(receiver.received).toHaveLength(1);
    expect((await webhooks.patch(endpoint.endpointId, { enabled: true })).status).toBe(200);
    receiver.respond = answering(200);
    await create();
    await receiver.waitFor(2);
  });
});
