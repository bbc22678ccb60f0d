import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../../scripts/shared/until.ts';
import { updateEndpoint } from '../../../../src/domain/webhooks/endpoint.ts';
import { endpointsWaiting } from '../../../../src/domain/webhooks/upkeep-store.ts';
import type { WebhookAnswer } from '../../../../src/ports/webhook.ts';
import { openShard, type TestShard } from '../../../support/dispatch/shard.ts';
import { give } from '../../../support/dispatch/shipments.ts';
import { kindsOf, secondsTo, status, withEvents } from './queue.ts';

/** Receivers that ask for a pause, on real SQL. */

let shard: TestShard;
beforeAll(async () => {
  shard = await openShard();
}, 60_000);
afterAll(() => shard.close());
beforeEach(() => shard.clear());

const counters = async () =>
  (await shard.rows('select consecutive_failures, failing_since is null, pause_count from webhook_endpoints'))[0];

describe('a receiver that answers 429, 502, 503 or 504', () => {
  it.each([429, 502, 503, 504])(
    '(%i) pauses the endpoint for all deliveries, and no attempt is counted',
    async (code) => {
      const { queue, dependencies, world, deliveries, attempts } = await withEvents(shard, 40);
      world.answer = () => status(code, '30');
      expect(secondsTo(shard, await queue({ sendsAtOnce: 16 }).run(dependencies))).toBe(30);
      expect(world.sent.length).toBeLessThanOrEqual(16);
      expect(new Set(await deliveries())).toEqual(new Set(['PENDING 0']));
      expect((await attempts()).every(([number, error]) => number === 1 && error === 'NON_2XX')).toBe(true);
      expect(await counters()).toEqual([0, 0, 1]);
      // Those that were never taken have the lease that they began with.
      const taken = `select count(*) from webhook_deliveries where lease_token not like '% ' || ?`;
      expect(await shard.rows(taken, [dependencies.config.firstLease?.holder ?? ''])).toEqual([[0]]);
    },
  );

  it('gets one request after the pause, then a few more with each answer', async () => {
    const { queue, dependencies, world, deliveries } = await withEvents(shard, 40);
    const running = queue({ sendsAtOnce: 16 });
    world.answer = () => status(503, '30');
    await running.run(dependencies);
    shard.clock.advance(30);
    const from = world.sent.length;
    const widths: number[] = [];
    let open = 0;
    world.answer = async () => {
      open += 1;
      widths.push(open);
      await new Promise((resolve) => setTimeout(resolve, 20));
      open -= 1;
      return status(200);
    };
    expect(await running.run(dependencies)).toBeNull();
    expect(world.sent.length - from).toBe(40);
    // The first is alone, and each answer lets one more be sent at once.
    expect(widths.slice(0, 3)).toEqual([1, 1, 2]);
    expect(Math.max(...widths.slice(0, 7))).toBeLessThanOrEqual(4);
    expect(new Set(await deliveries())).toEqual(new Set(['SUCCEEDED 1']));
    expect(await counters()).toEqual([0, 1, 0]);
  });

  it('is asked again after 5 s, then twice as long, up to 5 minutes, by the delivery that waits longest', async () => {
    const { queue, dependencies, world, deliveries } = await withEvents(shard, 2);
    const running = queue({ sendsAtOnce: 1 });
    world.answer = () => status(503);
    const waits: (number | null | undefined)[] = [];
    for (let round = 0; round < 9; round += 1) {
      const wait = secondsTo(shard, await running.run(dependencies));
      waits.push(wait);
      shard.clock.advance(wait ?? 0);
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300]);
    expect(world.sent).toHaveLength(9);
    // After the third answer the first delivery lets others go first: it may be the reason itself.
    const ids = world.sent.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids.slice(0, 3)).size).toBe(1);
    expect(new Set(ids).size).toBe(2);
    expect(await deliveries()).toEqual(['PENDING 0', 'PENDING 0']);
  });

  it('shows a bounded number of its answers, and the attempt after them', async () => {
    const { queue, dependencies, world, deliveries, attempts } = await withEvents(shard, 1);
    world.answer = () => status(503, '1');
    for (let round = 0; round < 14; round += 1) {
      const wait = secondsTo(shard, await queue().run(dependencies));
      shard.clock.advance(wait ?? 0);
    }
    world.answer = () => status(200);
    expect(await queue().run(dependencies)).toBeNull();
    expect(await deliveries()).toEqual(['SUCCEEDED 1']);
    expect((await attempts()).map(([number]) => number)).toEqual(Array.from({ length: 11 }, (_, index) => index + 1));
  });

  it.each([
    ['0', 5],
    ['Sat, 21 Nov 2020 09:10:00 GMT', 5],
    ['soon', 5],
    ['99999999', 3600],
    ['1.336', 1],
  ])('with Retry-After %j waits %i seconds', async (retryAfter, seconds) => {
    const { queue, dependencies, world } = await withEvents(shard, 1);
    world.answer = () => status(429, retryAfter);
    expect(secondsTo(shard, await queue().run(dependencies))).toBe(seconds);
  });

  it('does not let the next event of a shipment pass, however often it asks', async () => {
    const { queue, dependencies, world, process, shipmentIds } = await withEvents(shard, 1);
    const [shipmentId] = shipmentIds;
    if (shipmentId === undefined) throw new Error('There is no shipment');
    await give(shard, process, shipmentId, { name: 'APPROVE' });
    world.answer = () => status(503, '1');
    for (let round = 0; round < 6; round += 1) {
      const wait = secondsTo(shard, await queue().run(dependencies));
      shard.clock.advance(wait ?? 0);
    }
    expect(new Set(kindsOf(world.sent))).toEqual(new Set(['created']));
    world.answer = () => status(200);
    await queue().run(dependencies);
    expect(kindsOf(world.sent).slice(-2)).toEqual(['created', 'approved']);
  });

  it('is never disabled for that, and the time without a success counts on', async () => {
    const { queue, dependencies, world } = await withEvents(shard, 1);
    const long = shard.clock.now() - 6n * 86_400_000_000n;
    await shard.rows(`update webhook_endpoints set consecutive_failures = 19, failing_since = ${long}`);
    world.answer = () => status(503, '1');
    await queue().run(dependencies);
    const select = 'select state, consecutive_failures, failing_since from webhook_endpoints';
    expect(await shard.rows(select)).toEqual([['ENABLED', 19, Number(long)]]);
    shard.clock.advance(1);
    world.answer = () => status(500);
    await queue().run(dependencies);
    expect((await shard.rows('select state from webhook_endpoints'))[0]).toEqual(['AUTO_DISABLED']);
  });

  it('is not paused longer by an answer of a request that was sent before', async () => {
    const { queue, dependencies, world } = await withEvents(shard, 2);
    const slow = Promise.withResolvers<WebhookAnswer>();
    world.answer = (_request, index) => (index === 0 ? slow.promise : status(429, '30'));
    const run = queue().run(dependencies);
    await until('the endpoint is paused', async () => ((await counters())?.[2] === 1 ? true : undefined));
    slow.resolve(status(200));
    expect(secondsTo(shard, await run)).toBe(30);
    // A success of that kind does not end the pause either.
    expect((await counters())?.[2]).toBe(1);
  });

  it('does not pause the address that its owner has replaced it with', async () => {
    const { queue, dependencies, world, process, endpointId, deliveries } = await withEvents(shard, 1);
    const change = { endpointId, precondition: { kind: 'any' }, url: 'https://hooks.shop.example/new' } as const;
    world.answer = async ({ url }) => {
      if (url.pathname === '/new') return status(200);
      await updateEndpoint({ ...process, ...dependencies }, shard.scope, change);
      return status(503, '3600');
    };
    expect(await queue().run(dependencies)).toBeNull();
    expect(await deliveries()).toEqual(['SUCCEEDED 1']);
  });

  it('is not woken by sweeps until shortly before the end', async () => {
    const { queue, dependencies, world, endpointId } = await withEvents(shard, 1);
    world.answer = () => status(429, '300');
    await queue().run(dependencies);
    const waiting = async () => {
      const answer = await dependencies.database.read(endpointsWaiting(shard.clock.now()));
      return answer.ok ? answer.rows.map(({ id }) => id) : [];
    };
    expect(await waiting()).toEqual([]);
    shard.clock.advance(250);
    expect(await waiting()).toEqual([endpointId]);
  });
});
