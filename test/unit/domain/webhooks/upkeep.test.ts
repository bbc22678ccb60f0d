import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { requireUuid } from '../../../../scripts/shared/seed-values.ts';
import { deleteEndpoint } from '../../../../src/domain/webhooks/endpoint.ts';
import { readAttempt } from '../../../../src/domain/webhooks/log.ts';
import { backlog as backlogAt } from '../../../../src/domain/webhooks/upkeep-store.ts';
import { housekeepShard } from '../../../../src/service/sweep.ts';
import { openShard, type TestShard } from '../../../support/dispatch/shard.ts';
import { addShipment } from '../../../support/dispatch/shipments.ts';
import { parseExposition, sampleOf } from '../../../support/exposition.ts';
import { status, withEvents } from './queue.ts';

/** The sweep of webhooks: which endpoints it wakes, and what it deletes. */

let shard: TestShard;
beforeAll(async () => {
  shard = await openShard();
}, 60_000);
afterAll(() => shard.close());
beforeEach(() => shard.clear());

const DAY_SECONDS = 24 * 3600;
const countsOf = async () =>
  (
    await shard.rows(
      'select (select count(body) from events), (select count(*) from webhook_deliveries), (select count(*) from webhook_attempts) + (select count(only_attempt) from webhook_deliveries), (select count(*) from shipment_events)',
    )
  )[0];

it('wakes exactly the endpoints with due deliveries', async () => {
  const { queue, dependencies, world, process, endpointId } = await withEvents(shard, 1);
  const woken: string[] = [];
  const sweep = () => housekeepShard({ ...process, wakeEndpoint: (id) => Promise.resolve(void woken.push(id)) });
  await sweep();
  expect(woken.splice(0)).toEqual([endpointId]);
  world.answer = () => status(500);
  await queue().run(dependencies);
  await sweep();
  expect(woken.splice(0)).toEqual([]);
  shard.clock.advance(5);
  await sweep();
  expect(woken.splice(0)).toEqual([endpointId]);
});

/** Copies the endpoint this many times. */
const addEndpoints = (count: number, endpointId: string) =>
  shard.rows(`insert into webhook_endpoints
    (id, company_id, url, event_types, state, secret, secret_hint, consecutive_failures, created_at, updated_at, version)
    with recursive n(i) as (values (1) union all select i + 1 from n where i < ${count})
    select '${endpointId}-' || i, company_id, url, event_types, state, secret, secret_hint, 0, created_at, updated_at, 1
    from webhook_endpoints, n`);

it('wakes those of many that have been due for the longest', async () => {
  const { process, endpointId } = await withEvents(shard, 1);
  const woken: string[] = [];
  await addEndpoints(200, endpointId);
  await shard.rows(`insert into webhook_deliveries
    (id, endpoint_id, company_id, event_id, event_type, status, attempt_count, next_attempt_at, created_at)
    select d.id || e.id, e.id, d.company_id, event_id, event_type, 'PENDING', 0, next_attempt_at, d.created_at
    from webhook_deliveries d, webhook_endpoints e where e.id <> d.endpoint_id`);
  await shard.rows('update webhook_deliveries set next_attempt_at = next_attempt_at + 5 where endpoint_id = ?', [
    endpointId,
  ]);
  shard.clock.advance(1);
  await housekeepShard({ ...process, wakeEndpoint: (id) => Promise.resolve(void woken.push(id)) });
  expect(woken).toHaveLength(200);
  expect(woken).not.toContain(endpointId);
});

it('wakes the endpoints that have been due for the longest by the clock of their company', async () => {
  const { process, endpointId } = await withEvents(shard, 1);
  const woken: string[] = [];
  const sweep = () => housekeepShard({ ...process, wakeEndpoint: (id) => Promise.resolve(void woken.push(id)) });
  const { companyId } = shard.scope;
  onTestFinished(async () => void (await shard.rows('delete from sandboxes')));
  await shard.rows(
    `insert into sandboxes (company_id, generation, dispatch_held, driver_id, relief_driver_id, created_at, clock_offset) values (?, 1, 0, 'one', 'two', 1, 3600000000)`,
    [companyId],
  );
  // In an hour by the real time, and due by the clock of the company. Each is the first of its endpoint.
  await shard.rows('update webhook_deliveries set next_attempt_at = next_attempt_at + 3000000000');
  await addEndpoints(201, endpointId);
  await shard.rows(`insert into webhook_deliveries
    (id, endpoint_id, company_id, event_id, event_type, status, attempt_count, next_attempt_at, created_at)
    select d.id || e.id, e.id, d.company_id, event_id, event_type, 'PENDING', 0, next_attempt_at - 60000000, d.created_at
    from webhook_deliveries d, webhook_endpoints e where e.id <> d.endpoint_id`);
  await shard.rows(
    `update webhook_deliveries set next_attempt_at = next_attempt_at + 1200000000 where endpoint_id = ?`,
    [`${endpointId}-1`],
  );
  await sweep();
  expect(woken).toHaveLength(200);
  expect(woken).not.toContain(endpointId);
  expect(woken).not.toContain(`${endpointId}-1`);
});

const backlogIn = ({ metrics }: ReturnType<TestShard['process']>) =>
  ['deliveries', 'oldest_seconds'].map((value) =>
    sampleOf(parseExposition(metrics.text()), `mirsal_webhook_backlog_${value}`, { database: 'shard-1' }),
  );

it('measures how many due deliveries were never tried, and the age of the oldest', async () => {
  const { queue, dependencies, process, world } = await withEvents(shard, 2);
  const sweep = () => housekeepShard({ ...process, wakeEndpoint: () => Promise.resolve() });
  const backlog = () => backlogIn(process);
  shard.clock.advance(90);
  await sweep();
  expect(backlog()).toEqual([2, expect.closeTo(90, 1)]);
  world.answer = () => status(500);
  await queue().run(dependencies);
  // A failed delivery that is due again was tried: it waits for its receiver, not for the service.
  shard.clock.advance(10);
  await sweep();
  expect(backlog()).toEqual([0, 0]);
});

/** Copies the delivery this many times, for another endpoint or company, or with an earlier time. */
function addDeliveries(count: number, { endpointId, companyId, seconds }: Readonly<Record<string, string | number>>) {
  return shard.rows(`insert into webhook_deliveries
    (id, endpoint_id, company_id, event_id, event_type, status, attempt_count, next_attempt_at, created_at)
    with recursive n(i) as (values (1) union all select i + 1 from n where i < ${count})
    select '${endpointId}-' || i, '${endpointId}', ${companyId === undefined ? 'company_id' : `'${companyId}'`}, event_id,
    event_type, 'PENDING', 0, next_attempt_at - ${seconds} * 1000000, created_at - ${seconds} * 1000000
    from (select * from webhook_deliveries limit 1), n`);
}

it('measures the age of the oldest delivery beyond the count limit, across all companies', async () => {
  const { process } = await withEvents(shard, 1);
  const sweep = () => housekeepShard({ ...process, wakeEndpoint: () => Promise.resolve() });
  await addDeliveries(12_000, { endpointId: 'a', seconds: 0 });
  await addDeliveries(1, { endpointId: 'z', seconds: 3600 });
  await sweep();
  expect(backlogIn(process)).toEqual([10_000, expect.closeTo(3600, 0)]);
  await shard.rows(`insert into webhook_endpoints
    (id, company_id, url, event_types, state, secret, secret_hint, consecutive_failures, created_at, updated_at, version)
    select 'zz', 'zz-company', url, event_types, state, secret, secret_hint, 0, created_at, updated_at, 1
    from webhook_endpoints`);
  await addDeliveries(1, { endpointId: 'zz', companyId: 'zz-company', seconds: 7200 });
  await sweep();
  expect(backlogIn(process)).toEqual([10_000, expect.closeTo(7200, 0)]);
});

it('reads the backlog from a covering index, without deliveries that were tried', async () => {
  const { sql } = backlogAt(shard.clock.now());
  const plan = await shard.rows(`explain query plan ${sql}`, ['0', '0']);
  const steps = plan.map((row) => String(row.at(-1))).filter((step) => / d .*next_attempt_at</.test(step));
  const search = 'SEARCH d USING COVERING INDEX webhook_deliveries_due (endpoint_id=? AND next_attempt_at<?)';
  expect(steps).toEqual([search, search]);
});

it('deletes events and deliveries after 30 days, but no timeline and no pending delivery', async () => {
  const { queue, dependencies, process } = await withEvents(shard, 3);
  await queue().run(dependencies);
  const sweep = () => housekeepShard({ ...process, wakeEndpoint: () => Promise.resolve() });
  shard.clock.advance(20 * DAY_SECONDS);
  await addShipment(shard, process);
  shard.clock.advance(10 * DAY_SECONDS - 60);
  await sweep();
  expect(await countsOf()).toEqual([4, 4, 3, 4]);
  shard.clock.advance(120);
  await sweep();
  expect(await countsOf()).toEqual([1, 1, 0, 4]);
  shard.clock.advance(30 * DAY_SECONDS);
  await sweep();
  // The last delivery was never tried, and its event is gone.
  expect(await countsOf()).toEqual([0, 1, 0, 4]);
  await queue().run(dependencies);
  expect(await shard.rows('select status from webhook_deliveries')).toEqual([['SKIPPED']]);
});

it('deletes what is old although the oldest rows of the shard are of a clock that is a year ahead', async () => {
  const { queue, dependencies, process } = await withEvents(shard, 2);
  await queue().run(dependencies);
  // More than one unit deletes, and in front of all others.
  await shard.rows(`insert into events (position, id, company_id, type, shipment_id, sequence, occurred_at, correlation_id, body)
    with recursive n(i) as (values (1) union all select i + 1 from n where i < 600)
    select -i, 'ahead-' || i, 'ahead', type, 'ahead', i, occurred_at + ${365 * DAY_SECONDS} * 1000000, correlation_id, body
    from (select * from events limit 1), n`);
  await shard.rows(`insert into webhook_deliveries
    (position, id, endpoint_id, company_id, event_id, event_type, status, attempt_count, completed_at, created_at)
    with recursive n(i) as (values (1) union all select i + 1 from n where i < 600)
    select -i, 'ahead-' || i, 'ahead', 'ahead', 'ahead', event_type, 'SUCCEEDED', 1,
    completed_at + ${365 * DAY_SECONDS} * 1000000, created_at + ${365 * DAY_SECONDS} * 1000000
    from (select * from webhook_deliveries limit 1), n`);
  shard.clock.advance(31 * DAY_SECONDS);
  await housekeepShard({ ...process, wakeEndpoint: () => Promise.resolve() });
  expect(await countsOf()).toMatchObject([600, 600, 0, 2]);
  shard.clock.advance(365 * DAY_SECONDS);
  await housekeepShard({ ...process, wakeEndpoint: () => Promise.resolve() });
  expect(await countsOf()).toEqual([0, 0, 0, 2]);
});

it('deletes nothing of a company that is being moved, but continues with the others', async () => {
  const { queue, dependencies, process } = await withEvents(shard, 2);
  await queue().run(dependencies);
  await shard.rows(`insert into events (position, id, company_id, type, shipment_id, sequence, occurred_at, correlation_id, body)
    select -1, 'its-event', 'leaving', type, 'its-shipment', sequence, occurred_at, correlation_id, body from events limit 1`);
  await shard.rows(`insert into idempotency_records
    (company_id, client_id, operation, key, fingerprint, status, response, etag, location, expires_at)
    select 'leaving', client_id, operation, key, fingerprint, status, response, etag, location, expires_at
    from idempotency_records limit 1`);
  await shard.rows("insert into company_moves values ('leaving', 'FROZEN', 'shard-2', null, 'run', 1)");
  const left = async () => [
    await shard.rows('select distinct company_id from events where body is not null'),
    await shard.rows('select distinct company_id from idempotency_records'),
    await shard.rows('select count(*) from webhook_deliveries'),
  ];
  shard.clock.advance(31 * DAY_SECONDS);
  await housekeepShard({ ...process, wakeEndpoint: () => Promise.resolve() });
  expect(await left()).toEqual([[['leaving']], [['leaving']], [[0]]]);
  await shard.rows('delete from company_moves');
  await housekeepShard({ ...process, wakeEndpoint: () => Promise.resolve() });
  expect(await left()).toEqual([[], [], [[0]]]);
});

it('deletes what attempts sent and got after seven days, and shows none of it before that', async () => {
  const { queue, dependencies, process, world } = await withEvents(shard, 2);
  const said = { bytes: new TextEncoder().encode('no such order'), isWhole: true };
  const answers = [status(500), status(200), status(200)].map((answer) => ({ ...answer, body: said }));
  world.answer = (_request, index) => answers[index] ?? status(200);
  await queue().run(dependencies);
  shard.clock.advance(5);
  await queue().run(dependencies);
  const exchanges = async () =>
    (
      await shard.rows(
        'select exchange from webhook_attempts union all select only_exchange from webhook_deliveries where only_attempt is not null',
      )
    ).flat();
  const sweep = () => housekeepShard({ ...process, wakeEndpoint: () => Promise.resolve() });
  const failedIds = (await shard.rows('select delivery_id from webhook_attempts where number = 1')).flat();
  const read = async () => {
    const id = { deliveryId: requireUuid(String(failedIds[0])), number: 1 };
    const found = await readAttempt({ ...process, ...dependencies }, shard.scope, id);
    return found.ok ? found.value : undefined;
  };
  const before = await exchanges();
  expect(before).toHaveLength(3);
  for (const exchange of before) expect(exchange).toMatch(/^test\.[\w-]+\.[\w-]+$/);
  shard.clock.advance(7 * DAY_SECONDS - 60);
  await sweep();
  expect(await exchanges()).toEqual(before);
  const { headers } = world.sent[0] ?? {};
  expect(await read()).toMatchObject({ request: { headers }, response: { status: 500, body: 'no such order' } });
  shard.clock.advance(120);
  // It is too old before the sweep has found it.
  const late = await read();
  expect(late).toMatchObject({ response: null, error: 'NON_2XX', request: { body: world.sent[0]?.body } });
  expect(Object.keys(late?.request.headers ?? {})).toEqual([
    'content-type',
    'user-agent',
    'mirsal-webhook-endpoint',
    'webhook-id',
  ]);
  await sweep();
  expect(await exchanges()).toEqual([null, null, null]);
  expect(await read()).toEqual(late);
  await shard.rows('delete from webhook_endpoints');
  expect(await read()).toMatchObject({ request: { url: null }, response: null });
  // The delivery of an event that is no longer kept is found in lists only.
  await shard.rows('update events set body = null');
  expect(await read()).toBeUndefined();
});

it('deletes a deleted endpoint once it has no pending deliveries', async () => {
  const { queue, dependencies, process, endpointId } = await withEvents(shard, 1);
  const sweep = () => housekeepShard({ ...process, wakeEndpoint: () => Promise.resolve() });
  await deleteEndpoint({ ...process, ...dependencies }, shard.scope, { endpointId, precondition: { kind: 'any' } });
  await sweep();
  expect(await shard.rows('select state from webhook_endpoints')).toEqual([['DELETED']]);
  await queue().run(dependencies);
  await sweep();
  expect(await shard.rows('select state from webhook_endpoints')).toEqual([]);
});
