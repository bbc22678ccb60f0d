import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../../db/database.ts';
import { newId } from '../../../../scripts/shared/seed-values.ts';
import { until } from '../../../../scripts/shared/until.ts';
import { claimDeliveries, type DeliveryDependencies, settleAttempt } from '../../../../src/domain/webhooks/delivery.ts';
import { lookAtQueue } from '../../../../src/domain/webhooks/look.ts';
import { EndpointQueues } from '../../../../src/platform/deno/endpoint-queues.ts';
import type { WebhookAnswer } from '../../../../src/ports/webhook.ts';
import { openShard, type TestShard } from '../../../support/dispatch/shard.ts';
import { addShipment, give } from '../../../support/dispatch/shipments.ts';
import { kindsOf, secondsTo, status, withEvents } from './queue.ts';

/** Failures between an event and its receiver, on real SQL. */

let shard: TestShard;
beforeAll(async () => {
  shard = await openShard();
}, 60_000);
afterAll(() => shard.close());
beforeEach(() => shard.clear());

/** The same queue in another process. */
function elsewhere(dependencies: DeliveryDependencies): DeliveryDependencies {
  const firstLease = { holder: newId(), ms: 45_000 };
  return { ...dependencies, config: { ...dependencies.config, firstLease } };
}

describe('two queues of one endpoint', () => {
  it.each(['with the lease that they began with', 'without a lease'])('send no event twice %s', async (begun) => {
    const { queue, dependencies, world, deliveries } = await withEvents(shard, 12);
    if (begun === 'without a lease')
      await shard.rows('update webhook_deliveries set lease_token = null, lease_until = null');
    const others = [elsewhere(dependencies), elsewhere(dependencies)];
    await Promise.all([dependencies, ...others].map((one) => queue().run(one)));
    // A run that found all deliveries leased would look again later; here it does so at once.
    await queue().run(dependencies);
    expect(new Set(world.sent.map(({ headers }) => headers['webhook-id'])).size).toBe(12);
    expect(world.sent).toHaveLength(12);
    expect(new Set(await deliveries())).toEqual(new Set(['SUCCEEDED 1']));
  });
});

describe('a lease that a delivery begins with', () => {
  it('needs no commit before the request, and one after it', async () => {
    const { queue, dependencies, world } = await withEvents(shard, 1);
    let commits = 0;
    world.afterCommit = (_statements, outcome) => {
      commits += 1;
      return outcome;
    };
    await queue().run(dependencies);
    expect([world.sent.length, commits]).toEqual([1, 1]);
  });

  it('lets another process wait until it ends', async () => {
    const { queue, dependencies, world } = await withEvents(shard, 1);
    const other = elsewhere(dependencies);
    expect(secondsTo(shard, await queue().run(other))).toBe(45);
    expect(world.sent).toEqual([]);
    shard.clock.advance(46);
    await queue().run(other);
    expect(world.sent).toHaveLength(1);
  });

  it('hides none of the deliveries of another process behind it', async () => {
    const { queue, dependencies, world } = await withEvents(shard, 130);
    await shard.rows("update webhook_deliveries set lease_token = '0 ' || 'gone'");
    const [[last] = []] = await shard.rows('select max(position) from webhook_deliveries');
    const own = `0 ${dependencies.config.firstLease?.holder}`;
    await shard.rows('update webhook_deliveries set lease_token = ? where position = ?', [own, String(last)]);
    expect(secondsTo(shard, await queue().run(dependencies))).toBe(45);
    expect(world.sent).toHaveLength(1);
  });

  it('is not given to a delivery that waits for an earlier one of its shipment', async () => {
    const { process, shipmentIds } = await withEvents(shard, 1);
    await give(shard, process, shipmentIds[0] ?? newId(), { name: 'APPROVE' });
    expect(await shard.rows('select lease_token is null from webhook_deliveries order by position')).toEqual([
      [0],
      [1],
    ]);
  });

  it('does not repeat a request at once if its outcome cannot be recorded', async () => {
    const { queue, dependencies, world, deliveries } = await withEvents(shard, 1);
    const blocked = {
      ...dependencies,
      writer: { commit: () => Promise.resolve({ status: 'unavailable', reason: 'failed' } as const) },
    };
    const one = queue();
    expect(secondsTo(shard, await one.run(blocked))).toBe(45);
    await one.run(blocked);
    expect(world.sent).toHaveLength(1);
    shard.clock.advance(46);
    await one.run(dependencies);
    expect([world.sent.length, await deliveries()]).toEqual([2, ['SUCCEEDED 1']]);
  });
});

describe('the queues of one process', () => {
  it('look for an endpoint in both shards while its company moves', async () => {
    const { dependencies, endpointId, world } = await withEvents(shard, 1);
    const { promise: held, resolve: release } = Promise.withResolvers<WebhookAnswer>();
    world.answer = () => held;
    let looks = 0;
    const elsewhere: Database = {
      ...dependencies.database,
      id: 'shard-2',
      readAll: () => {
        looks += 1;
        return Promise.resolve({ ok: false });
      },
    };
    const databases = new Map([dependencies.database, elsewhere].map((database) => [database.id, database]));
    const queues = new EndpointQueues((name) => {
      const database = databases.get(name);
      return database === undefined ? undefined : { ...dependencies, database };
    }, shard.clock);
    await queues.wake('shard-1', endpointId);
    await until('something is being sent', () => world.sent[0]);
    await queues.wake('shard-2', endpointId);
    expect(await until('a look at the other shard', () => looks || undefined)).toBeGreaterThan(0);
    queues.stop();
    release(status(200));
  });
});

const NOTHING_IN_HAND = { busy: new Set<number>(), unrecorded: new Map<number, never>() };
const HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'Mirsal-Webhooks/1',
  'mirsal-webhook-endpoint': '01976e2d-4b10-7c63-9e52-a17f0d8c3b64',
  'webhook-id': 'x',
  'webhook-timestamp': '1',
  'webhook-signature': 'v1,x',
};

describe('a process that dies during a run', () => {
  it('leaves its claimed deliveries to the next process once the lease has expired', async () => {
    const { queue, dependencies, world, endpoint, deliveries } = await withEvents(shard, 2);
    await shard.rows('update webhook_deliveries set lease_token = null, lease_until = null');
    const { next = [] } = (await lookAtQueue(dependencies, endpoint.id, NOTHING_IN_HAND)) ?? {};
    expect(await claimDeliveries(dependencies, endpoint, next)).toHaveLength(2);
    expect(secondsTo(shard, await queue().run(dependencies))).toBe(30);
    expect(world.sent).toEqual([]);
    shard.clock.advance(31);
    expect(await queue().run(dependencies)).toBeNull();
    expect(await deliveries()).toEqual(['SUCCEEDED 1', 'SUCCEEDED 1']);
  });

  it('changes nothing when it returns after its lease has expired', async () => {
    const { queue, dependencies, endpoint, deliveries, attempts, world } = await withEvents(shard, 1);
    await shard.rows('update webhook_deliveries set lease_token = null, lease_until = null');
    const { next = [] } = (await lookAtQueue(dependencies, endpoint.id, NOTHING_IN_HAND)) ?? {};
    const [late] = (await claimDeliveries(dependencies, endpoint, next)) ?? [];
    if (late === undefined) throw new Error('Nothing was taken');
    shard.clock.advance(31);
    world.answer = () => status(500);
    await queue().run(dependencies);
    const ended = {
      responseStatus: 200,
      error: null,
      retryAfter: null,
      durationMs: 1,
      startedAt: shard.clock.now(),
      headers: HEADERS,
      response: null,
    };
    await settleAttempt(dependencies, late, ended);
    expect(await deliveries()).toEqual(['RETRYING 1']);
    expect(await attempts()).toEqual([[1, 'NON_2XX']]);
  });
});

describe('when the database’s answer is lost', () => {
  it('a settlement is sent again and applied once', async () => {
    const { queue, dependencies, world, deliveries, attempts } = await withEvents(shard, 1);
    let told = 0;
    world.afterCommit = (statements, outcome) => {
      const isSettlement = statements.some(({ sql }) => sql.includes('only_attempt'));
      told += isSettlement ? 1 : 0;
      return isSettlement && told === 1 ? { status: 'unknown' } : outcome;
    };
    await queue().run(dependencies);
    expect([await deliveries(), await attempts(), told]).toEqual([['SUCCEEDED 1'], [[1, null]], 2]);
  });

  it('a claim is recognised by its lease token', async () => {
    const { queue, dependencies, world, deliveries } = await withEvents(shard, 2);
    world.afterCommit = (statements, outcome) =>
      statements.some(({ sql }) => sql.includes('lease_token" = ?, "lease_until" = ?'))
        ? { status: 'unknown' }
        : outcome;
    await queue().run(dependencies);
    expect(await deliveries()).toEqual(['SUCCEEDED 1', 'SUCCEEDED 1']);
    expect(world.sent).toHaveLength(2);
  });

  it('the queue is run again soon', async () => {
    const { queue, dependencies } = await withEvents(shard, 1);
    const away = {
      ...dependencies,
      database: { ...dependencies.database, readAll: () => Promise.resolve({ ok: false as const }) },
    };
    expect(await queue().run(away)).toBeUndefined();
  });
});

describe('the order of a shipment’s events', () => {
  it('waits for three failed attempts of the previous event, and no longer', async () => {
    const { queue, dependencies, world, process, shipmentIds, deliveries } = await withEvents(shard, 1);
    await give(shard, process, shipmentIds[0] ?? fail(), { name: 'APPROVE' });
    await give(shard, process, shipmentIds[0] ?? fail(), { name: 'CANCEL', reasonCode: 'PRICE', comment: null });
    world.answer = () => status(500);
    for (const wait of [5, 300]) {
      expect(secondsTo(shard, await queue().run(dependencies))).toBe(wait);
      shard.clock.advance(wait);
    }
    expect(kindsOf(world.sent)).toEqual(['created', 'created']);
    await queue().run(dependencies);
    expect(kindsOf(world.sent)).toEqual(['created', 'created', 'created', 'approved']);
    expect(await deliveries()).toEqual(['RETRYING 3', 'RETRYING 1', 'PENDING 0']);
    world.answer = () => status(200);
    shard.clock.advance(5);
    await queue().run(dependencies);
    expect(kindsOf(world.sent).slice(4)).toEqual(['approved', 'cancelled']);
    shard.clock.advance(1800);
    expect(await queue().run(dependencies)).toBeNull();
    expect(await deliveries()).toEqual(['SUCCEEDED 4', 'SUCCEEDED 2', 'SUCCEEDED 1']);
  });

  it('does not block other shipments', async () => {
    const { queue, dependencies, world, deliveries, shipmentIds } = await withEvents(shard, 3);
    world.answer = ({ body }) => status(body.includes(shipmentIds[0] ?? '') ? 500 : 200);
    await queue().run(dependencies);
    expect(await deliveries()).toEqual(['RETRYING 1', 'SUCCEEDED 1', 'SUCCEEDED 1']);
  });
});

describe('a run', () => {
  it('that is stopped settles what it has sent and claims nothing more', async () => {
    const { queue, dependencies, world, deliveries } = await withEvents(shard, 6);
    const running = queue();
    world.answer = async () => {
      running.stop();
      // By then, a queue that did not stop would have sent more.
      await untilSent(world, 4);
      return status(200);
    };
    expect(await running.run(dependencies)).toBeUndefined();
    expect(world.sent).toHaveLength(4);
    expect(
      (await deliveries()).toSorted((one, other) => (one === other ? 0 : String(one) < String(other) ? -1 : 1)),
    ).toEqual(['PENDING 0', 'PENDING 0', ...Array.from({ length: 4 }, () => 'SUCCEEDED 1')]);
  });

  it('notices new events while it waits for a slow receiver', async () => {
    const { queue, dependencies, world, process, deliveries } = await withEvents(shard, 1);
    const slow = Promise.withResolvers<void>();
    world.answer = async (_request, index) => {
      if (index === 0) await slow.promise;
      return status(200);
    };
    const running = queue();
    const run = running.run(dependencies);
    await untilSent(world, 1);
    await addShipment(shard, process);
    expect(running.ring()).toBe(true);
    await untilSent(world, 2);
    slow.resolve();
    expect(await run).toBeNull();
    expect(running.ring()).toBe(false);
    expect(await deliveries()).toEqual(['SUCCEEDED 1', 'SUCCEEDED 1']);
  });
});

function untilSent({ sent }: { readonly sent: readonly unknown[] }, count: number): Promise<true> {
  return until(`${count} requests were sent`, () => (sent.length >= count ? true : undefined), { everyMs: 5 });
}

function fail(): never {
  throw new Error('There is no shipment');
}
