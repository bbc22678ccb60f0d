import type { ServerResponse } from 'node:http';
import { afterAll, expect, it } from 'vitest';
import { addCompany } from '../../scripts/shared/companies.ts';
import { addPerson, addSession } from '../../scripts/shared/people.ts';
import { answering } from '../../scripts/shared/receiver.ts';
import type { JsonObject } from '../../scripts/shared/shipments.ts';
import { until } from '../../scripts/shared/until.ts';
import { ENDPOINTS } from '../../scripts/shared/webhooks.ts';
import { readReplay } from '../support/deliveries.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedEnvironment } from '../support/shared-environment.ts';
import { receivers, type Subscription, subscribe } from '../support/subscription.ts';
import { trpcClient } from '../support/trpc.ts';

const environment = sharedEnvironment();
const { start, close } = receivers();
afterAll(close);

const CREATED = { eventTypes: ['shipment.created'] };
const DAY_MS = 24 * 3600 * 1000;

const at = (offsetMs: number) => new Date(Date.now() + offsetMs).toISOString();
const pathOf = ({ endpoint }: Subscription) => `${ENDPOINTS}/${endpoint.endpointId}/replays`;
const replay = (one: Subscription, changes: JsonObject = {}) =>
  one.merchant.post(pathOf(one), { from: at(-DAY_MS), to: at(DAY_MS), ...changes });
const replayed = async (one: Subscription, response: Response) => {
  const { replayId } = (await response.json()) as { replayId: string };
  return until('the replay is over', async () => {
    const body = await readReplay(await one.merchant.get(`${pathOf(one)}/${replayId}`));
    return body.state !== 'RUNNING' && body.succeeded + body.exhausted === body.queued ? body : undefined;
  });
};

it('replays a range in order and reports its progress', async () => {
  const one = await subscribe(environment, await start(), { eventTypes: ['shipment.created', 'shipment.cancelled'] });
  const { shipmentId } = await one.create();
  await one.create();
  await one.merchant.cancel(shipmentId);
  await one.settled(3);
  const response = await replay(one);
  expect(response.status).toBe(202);
  expect(await response.clone().json()).toMatchObject({ matched: 3 });
  expect(await replayed(one, response)).toMatchObject({ state: 'COMPLETED', matched: 3, queued: 3, succeeded: 3 });
  const told = one.receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(told.slice(3))).toEqual(new Set(told.slice(0, 3)));
  const ofOne = one.receiver.received.filter(({ text }) => text.includes(shipmentId));
  expect(ofOne.map(({ text }) => (JSON.parse(text) as { type: string }).type)).toEqual([
    'shipment.created',
    'shipment.cancelled',
    'shipment.created',
    'shipment.cancelled',
  ]);
  // A second replay includes the original deliveries, but not the replayed ones.
  expect(await replayed(one, await replay(one))).toMatchObject({ matched: 3, queued: 3 });
});

it('delivers the events that were skipped while the endpoint was disabled', async () => {
  const one = await subscribe(environment, await start(), { ...CREATED, enabled: false });
  await one.create();
  await one.settled(1);
  const refused = await expectProblem(await replay(one), { status: 409, code: 'INVALID_STATE_TRANSITION' });
  expect(refused['currentState']).toBe('DISABLED');
  await one.webhooks.patch(one.endpoint.endpointId, { enabled: true });
  await one.create();
  await one.settled(2);
  expect(await replayed(one, await replay(one, { statuses: ['SKIPPED'] }))).toMatchObject({ matched: 1, succeeded: 1 });
  expect(one.receiver.received).toHaveLength(2);
});

/** Copies the first delivery of the endpoint this many times, each for another shipment. */
const multiply = (one: Subscription, count: number, status: 'EXHAUSTED' | 'SKIPPED') =>
  environment.sql(
    'shard-1',
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
     insert into webhook_deliveries (id, endpoint_id, company_id, event_id, event_type, shipment_id, status, attempt_count, created_at, completed_at)
     select lower(hex(randomblob(16))), endpoint_id, company_id, event_id, event_type, lower(hex(randomblob(16))), ?, 0, created_at + i, created_at + i
     from webhook_deliveries, n where endpoint_id = ?`,
    [status, one.endpoint.endpointId],
  );

it('lists what failed for good until it is sent again', async () => {
  const one = await subscribe(environment, await start(), CREATED);
  await one.create();
  const [delivery] = await one.settled(1);
  const call = trpcClient(environment, await addSession(environment, await addPerson(environment, one.company)));
  const unsent = async () =>
    (await call.webhookDeliveries.listUnsent.query({})).data.map(({ deliveryId }) => deliveryId);
  const change = (values: string, deliveryId = '') =>
    environment.sql('shard-1', `update webhook_deliveries set ${values} where id = ?`, [deliveryId]);
  expect(await unsent()).toEqual([]);
  await change("status = 'EXHAUSTED'", delivery?.deliveryId);
  expect(await unsent()).toEqual([delivery?.deliveryId]);
  const { endpointId } = one.endpoint;
  const recovery = () => call.webhookEndpoints.recovery.query({ endpointId });
  const missed = { from: delivery?.createdAt, matched: 1 };
  expect(await recovery()).toEqual(missed);
  const since = (days: number) => call.webhookEndpoints.recovery.query({ endpointId, from: at(-days * DAY_MS) });
  expect(await since(6.9)).toMatchObject({ matched: 1 });
  await expect(since(7)).rejects.toMatchObject({
    data: { problem: { code: 'VALIDATION_FAILED', violations: [{ field: 'from', code: 'OUT_OF_RANGE' }] } },
  });
  await one.webhooks.patch(one.endpoint.endpointId, { enabled: false });
  expect(await unsent()).toEqual([]);
  await one.webhooks.patch(one.endpoint.endpointId, { enabled: true });
  const again = await call.webhookDeliveries.replay.mutate({ deliveryId: delivery?.deliveryId ?? '' });
  expect(await unsent()).toEqual([]);
  await one.settled(2);
  expect(await unsent()).toEqual([]);
  expect(await recovery()).toEqual({ from: null, matched: 0 });
  await change("status = 'EXHAUSTED'", again.deliveryId);
  expect(await unsent()).toEqual([again.deliveryId]);
  expect(await recovery()).toEqual(missed);
  const stranger = await addSession(environment, await addPerson(environment, await addCompany(environment)));
  expect((await trpcClient(environment, stranger).webhookDeliveries.listUnsent.query({})).data).toEqual([]);
  await change(`created_at = created_at - ${8 * DAY_MS} * 1000`, again.deliveryId);
  await change(`created_at = created_at - ${8 * DAY_MS} * 1000`, delivery?.deliveryId);
  expect(await unsent()).toEqual([]);
  expect(await recovery()).toEqual({ from: null, matched: 0 });
});

it('continues in the background as the receiver answers, and allows no second replay meanwhile', async () => {
  const one = await subscribe(environment, await start(), CREATED);
  await one.create();
  await one.settled(1);
  await multiply(one, 150, 'EXHAUSTED');
  const held: ServerResponse[] = [];
  one.receiver.respond = (_received, response) => void held.push(response);
  const response = await replay(one, { statuses: ['EXHAUSTED'] });
  const { replayId } = (await response.clone().json()) as { replayId: string };
  await one.receiver.waitFor(2);
  const progress = await readReplay(await one.merchant.get(`${pathOf(one)}/${replayId}`));
  expect(progress).toMatchObject({ state: 'RUNNING', matched: 150, queued: 100, succeeded: 0, completedAt: null });
  for (const refused of await Promise.all([replay(one), replay(one)])) {
    await expectProblem(refused, { status: 409, code: 'REPLAY_IN_PROGRESS' });
  }
  one.receiver.respond = answering(200);
  for (const waiting of held) waiting.end();
  expect(await replayed(one, response)).toMatchObject({
    state: 'COMPLETED',
    matched: 150,
    queued: 150,
    succeeded: 150,
  });
  expect(one.receiver.received).toHaveLength(151);
});

it('is refused while another replay of the endpoint runs', async () => {
  const one = await subscribe(environment, await start(), CREATED);
  await one.create();
  await one.settled(1);
  const responses = await Promise.all(Array.from({ length: 6 }, () => replay(one)));
  expect(responses.filter(({ status }) => status === 202).length).toBeGreaterThanOrEqual(1);
  for (const response of responses.filter(({ status }) => status !== 202)) {
    await expectProblem(response, { status: 409, code: 'REPLAY_IN_PROGRESS' });
  }
});

it.each([
  [{ from: at(-8 * DAY_MS), to: at(0) }, ['to OUT_OF_RANGE']],
  [{ from: at(0), to: at(-DAY_MS) }, ['to OUT_OF_RANGE']],
  [{ from: '2026-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }, ['to OUT_OF_RANGE']],
  [{ from: 'yesterday', to: at(0) }, ['from INVALID_INSTANT']],
  [{ to: at(0) }, ['from REQUIRED']],
  [{ from: at(-DAY_MS), to: at(0), statuses: [] }, ['statuses TOO_FEW_ITEMS']],
  [{ from: at(-DAY_MS), to: at(0), statuses: ['PENDING'] }, ['statuses[0] NOT_IN_ENUM']],
  [{ from: at(-DAY_MS), to: at(0), all: true }, ['all UNKNOWN_PROPERTY']],
])('refuses %j', async (body, violations) => {
  const one = await subscribe(environment, await start());
  const response = await one.merchant.post(pathOf(one), body);
  await expectProblem(response, { status: 422, code: 'VALIDATION_FAILED', violations });
  expect(one.receiver.received).toEqual([]);
});

it('refuses a range of more than ten thousand deliveries', async () => {
  const one = await subscribe(environment, await start(), CREATED);
  await one.create();
  await one.settled(1);
  await multiply(one, 10_000, 'SKIPPED');
  const response = await replay(one);
  await expectProblem(response, { status: 422, code: 'VALIDATION_FAILED', violations: ['to OUT_OF_RANGE'] });
  expect(one.receiver.received).toHaveLength(1);
});
