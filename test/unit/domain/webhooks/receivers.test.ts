import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addSeconds } from '../../../../src/core/instant.ts';
import { disableOverdue } from '../../../../src/domain/webhooks/delivery.ts';
import { deleteEndpoint, updateEndpoint } from '../../../../src/domain/webhooks/endpoint.ts';
import { openShard, type TestShard } from '../../../support/dispatch/shard.ts';
import { secondsTo, status, withEvents } from './queue.ts';

/** Receivers that never answer, answer 410, are disabled, or resolve to other addresses. */

let shard: TestShard;
beforeAll(async () => {
  shard = await openShard();
}, 60_000);
afterAll(() => shard.close());
beforeEach(() => shard.clear());

describe('a receiver that never answers', () => {
  it('is tried ten times over three days and no more', async () => {
    const { queue, dependencies, world, deliveries, attempts } = await withEvents(shard, 1);
    world.answer = () => ({ ok: false, error: 'CONNECT' });
    const waits: (number | null | undefined)[] = [];
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      const wait = secondsTo(shard, await queue().run(dependencies));
      waits.push(wait ?? null);
      shard.clock.advance(wait ?? 0);
    }
    expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, null]);
    expect(await deliveries()).toEqual(['EXHAUSTED 10']);
    expect(await attempts()).toHaveLength(10);
    expect(world.sent).toHaveLength(10);
  });

  it('is disabled after five days and twenty failures, and the other endpoints are notified', async () => {
    const { queue, dependencies, world, endpointId, deliveries } = await withEvents(shard, 1);
    const long = addSeconds(shard.clock.now(), -5 * 24 * 3600);
    await shard.rows(`update webhook_endpoints set consecutive_failures = 19, failing_since = ${long} where id = ?`, [
      endpointId,
    ]);
    world.answer = () => status(500);
    await queue().run(dependencies);
    expect(await shard.rows('select state, version, consecutive_failures from webhook_endpoints')).toEqual([
      ['AUTO_DISABLED', 1, 20],
    ]);
    const [[body]] = (await shard.rows("select body from events where type = 'webhook_endpoint.disabled'")) as [
      [string],
    ];
    expect(JSON.parse(body)).toMatchObject({
      sequence: 0,
      data: { reason: 'FAILING', webhookEndpoint: { endpointId, consecutiveFailures: 20 } },
    });
    // The failed event and the new one about it are skipped; both can be replayed.
    expect(await deliveries()).toEqual(['SKIPPED 1', 'SKIPPED 0']);
  });

  it('is not disabled if a delivery succeeds after its row was read', async () => {
    const { queue, dependencies, world, endpoint, endpointId } = await withEvents(shard, 1);
    const failingSince = addSeconds(shard.clock.now(), -5 * 24 * 3600);
    const set = (failures: number, since: bigint | null) =>
      shard.rows(
        `update webhook_endpoints set consecutive_failures = ${failures}, failing_since = ${since} where id = ?`,
        [endpointId],
      );
    await set(19, failingSince);
    world.answer = async () => {
      await set(0, null);
      return status(500);
    };
    await queue().run(dependencies);
    const overdue = { ...endpoint, consecutiveFailures: 20, failingSince };
    expect(await disableOverdue(dependencies, overdue)).toBe(true);
    expect(await shard.rows('select state, version, consecutive_failures from webhook_endpoints')).toEqual([
      ['ENABLED', 0, 1],
    ]);
  });
});

describe('a receiver that answers 410', () => {
  it('is not disabled if its endpoint was updated during the attempt', async () => {
    const { queue, dependencies, world, process, endpointId, deliveries } = await withEvents(shard, 1);
    world.answer = async () => {
      await updateEndpoint({ ...process, ...dependencies }, shard.scope, {
        endpointId,
        precondition: { kind: 'any' },
        url: 'https://hooks.shop.example/new',
      });
      return status(410);
    };
    await queue().run(dependencies);
    expect(await shard.rows('select state, version from webhook_endpoints')).toEqual([['ENABLED', 1]]);
    expect(await deliveries()).toEqual(['EXHAUSTED 1']);
  });
});

describe('an endpoint that no longer receives events', () => {
  it.each(['disabled', 'deleted'] as const)('(%s) skips its pending deliveries', async (how) => {
    const { queue, dependencies, world, process, endpointId, deliveries } = await withEvents(shard, 3);
    const order = { endpointId, precondition: { kind: 'any' } } as const;
    const services = { ...process, ...dependencies };
    if (how === 'disabled') await updateEndpoint(services, shard.scope, { ...order, enabled: false });
    else await deleteEndpoint(services, shard.scope, order);
    expect(await queue().run(dependencies)).toBeNull();
    expect(await deliveries()).toEqual(['SKIPPED 0', 'SKIPPED 0', 'SKIPPED 0']);
    expect(world.sent).toEqual([]);
  });
});

describe('a name that resolves to other addresses', () => {
  it.each([
    ['BLOCKED_ADDRESS', ['10.0.0.7']],
    ['BLOCKED_ADDRESS', ['169.254.169.254']],
    ['BLOCKED_ADDRESS', ['93.184.216.34', '::1']],
    ['BLOCKED_ADDRESS', ['::ffff:127.0.0.1']],
    ['DNS', []],
  ])('fails with %s for %j, and nothing is sent', async (error, addresses) => {
    const { queue, dependencies, world, attempts } = await withEvents(shard, 1);
    world.addresses = addresses;
    await queue().run(dependencies);
    expect(world.sent).toEqual([]);
    expect(await attempts()).toEqual([[1, error]]);
    // The name is resolved again for the next attempt.
    world.addresses = ['93.184.216.34'];
    shard.clock.advance(5);
    await queue().run(dependencies);
    expect(world.sent.map(({ addresses: used }) => used)).toEqual([['93.184.216.34']]);
  });
});
