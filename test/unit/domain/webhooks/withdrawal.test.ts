import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../../scripts/shared/until.ts';
import { instantFromMillis } from '../../../../src/core/instant.ts';
import { deleteEndpoint, updateEndpoint } from '../../../../src/domain/webhooks/endpoint.ts';
import { rotateSecret } from '../../../../src/domain/webhooks/rotation.ts';
import { signedHeaders } from '../../../../src/domain/webhooks/signature.ts';
import { withdrawRequests } from '../../../../src/domain/webhooks/withdrawal.ts';
import { EndpointQueues } from '../../../../src/platform/deno/endpoint-queues.ts';
import type { EndpointWaker, OutgoingWebhook, WebhookAnswer } from '../../../../src/ports/webhook.ts';
import { openShard, type TestShard } from '../../../support/dispatch/shard.ts';
import { status, withEvents } from './queue.ts';

/** What still goes out after a change of an endpoint, while up to 48 deliveries are leased, on real SQL. */

let shard: TestShard;
beforeAll(async () => {
  shard = await openShard();
}, 60_000);
afterAll(() => shard.close());
beforeEach(() => shard.clear());

const NEW_URL = 'https://hooks.shop.example/new';
type World = Awaited<ReturnType<typeof withEvents>>;

const CHANGES = {
  deleted: ({ process, dependencies, endpointId }: World) =>
    deleteEndpoint({ ...process, ...dependencies }, shard.scope, { endpointId, precondition: { kind: 'any' } }),
  disabled: ({ process, dependencies, endpointId }: World) => {
    const order = { endpointId, precondition: { kind: 'any' }, enabled: false } as const;
    return updateEndpoint({ ...process, ...dependencies }, shard.scope, order);
  },
  readdressed: ({ process, dependencies, endpointId }: World) => {
    const order = { endpointId, precondition: { kind: 'any' }, url: NEW_URL } as const;
    return updateEndpoint({ ...process, ...dependencies }, shard.scope, order);
  },
  rotated: ({ process, dependencies, endpointId }: World) =>
    rotateSecret({ ...process, ...dependencies }, shard.scope, { endpointId, overlapSeconds: 0 }),
} as const;

/** A queue whose first answers are fast, so that it leases 48 ahead, and which then hangs until `release`. */
async function busyQueue() {
  const world = await withEvents(shard, 70);
  const held = Promise.withResolvers<WebhookAnswer>();
  world.world.answer = ({ url }, index) => (index < 4 || url.href === NEW_URL ? status(200) : held.promise);
  // Every answer counts as fast, also on a busy machine.
  const queues = new EndpointQueues(() => ({ ...world.dependencies, monotonicMs: () => 0 }), shard.clock);
  await queues.wake('shard-1', world.endpointId);
  await until('many are leased and some are being sent', async () => {
    const [[leased] = []] = await shard.rows('select count(*) from webhook_deliveries where lease_token is not null');
    return Number(leased) >= 48 && world.world.sent.length >= 20 ? true : undefined;
  });
  return { ...world, queues, release: () => held.resolve(status(200)) };
}

const inFlight = ({ dependencies, endpointId }: World, endpointWaker: EndpointWaker) =>
  withdrawRequests({ ...dependencies, endpointWaker }, shard.scope, { endpointId });

/** Whether a request was made from the endpoint as it was. */
async function isOld({ url, body, headers }: OutgoingWebhook, newSecret: string | undefined): Promise<boolean> {
  if (newSecret === undefined) return url.href !== NEW_URL;
  const at = instantFromMillis(Number(headers['webhook-timestamp']) * 1000);
  const expected = await signedHeaders({ id: headers['webhook-id'] ?? '', body, at }, [newSecret]);
  return headers['webhook-signature'] !== expected['webhook-signature'];
}

describe.each(Object.entries(CHANGES))('an endpoint that is %s', (how, change) => {
  it('gets no request after the answer, which says how many were in flight', async () => {
    const one = await busyQueue();
    const changed = await change(one);
    if (!changed.ok) throw new Error(changed.code);
    const newSecret = how === 'rotated' ? (changed.value as { signingSecret: string }).signingSecret : undefined;
    const askedAtMs = performance.now();
    const count = await inFlight(one, one.queues);
    expect(performance.now() - askedAtMs).toBeLessThan(1500);
    expect(count).toBe(16);
    const answered = one.world.sent.length;
    one.release();
    await until('nothing is open', async () => {
      const [[open] = []] = await shard.rows(
        "select count(*) from webhook_deliveries where status in ('PENDING', 'RETRYING')",
      );
      return open === 0 ? true : undefined;
    });
    const later = await Promise.all(one.world.sent.slice(answered).map((request) => isOld(request, newSecret)));
    expect(later.filter(Boolean)).toEqual([]);
    const statuses = new Set((await one.deliveries()).map((row) => String(row).split(' ')[0]));
    const isStopped = how === 'deleted' || how === 'disabled';
    expect(statuses).toEqual(new Set(isStopped ? ['SUCCEEDED', 'SKIPPED'] : ['SUCCEEDED']));
    one.queues.stop();
  });

  it('says that nothing is in flight once the requests have ended', async () => {
    const one = await busyQueue();
    await change(one);
    setTimeout(one.release, 300);
    expect(await inFlight(one, one.queues)).toBe(0);
    one.queues.stop();
  });
});

describe('the answer of a change', () => {
  it('says what may be in flight if the queue could not be told', async () => {
    const one = await busyQueue();
    await CHANGES.deleted(one);
    const deaf: EndpointWaker = { wake: () => Promise.resolve(), withdraw: () => Promise.resolve(undefined) };
    expect(await inFlight(one, deaf)).toBeGreaterThanOrEqual(48);
    const mute: EndpointWaker = { ...deaf, withdraw: () => new Promise(() => undefined) };
    const askedAtMs = performance.now();
    expect(await inFlight(one, mute)).toBeGreaterThanOrEqual(48);
    expect(performance.now() - askedAtMs).toBeLessThan(1500);
    one.release();
    one.queues.stop();
  });

  it('does not say 0 if the database does not answer', async () => {
    const one = await withEvents(shard, 1);
    const database = { ...one.dependencies.database, read: () => Promise.resolve({ ok: false as const }) };
    const queues = new EndpointQueues(() => undefined, shard.clock);
    const dependencies = { ...one.dependencies, database, endpointWaker: queues };
    const { endpointId } = one;
    expect(await withdrawRequests(dependencies, shard.scope, { endpointId })).toBeGreaterThan(0);
  });
});

describe('a request whose name is being resolved during the change', () => {
  it('is not sent, and its lease is given back', async () => {
    const one = await withEvents(shard, 3);
    const resolved = Promise.withResolvers<readonly string[]>();
    let asked = 0;
    const resolve = () => {
      asked += 1;
      return resolved.promise;
    };
    const queues = new EndpointQueues(() => ({ ...one.dependencies, resolver: { resolve } }), shard.clock);
    await queues.wake('shard-1', one.endpointId);
    await until('names are resolved', () => (asked === 3 ? true : undefined));
    await CHANGES.disabled(one);
    const answer = inFlight(one, queues);
    setTimeout(() => resolved.resolve(['93.184.216.34']), 100);
    expect(await answer).toBe(0);
    expect(one.world.sent).toEqual([]);
    await until('they are skipped', async () =>
      (await one.deliveries()).every((row) => row === 'SKIPPED 0') ? true : undefined,
    );
    queues.stop();
  });
});

describe('a receiver that answers 410', () => {
  it('gets nothing that was leased, and the rest is skipped', async () => {
    const { queue, dependencies, world, deliveries } = await withEvents(shard, 60);
    world.answer = (_request, index) => status(index < 8 ? 200 : 410);
    await queue({ sendsAtOnce: 4 }).run(dependencies);
    expect(world.sent.length).toBeLessThanOrEqual(12);
    const ends = await deliveries();
    expect(ends.filter((row) => row === 'SKIPPED 0').length).toBeGreaterThanOrEqual(48);
    expect(await shard.rows('select state from webhook_endpoints')).toEqual([['AUTO_DISABLED']]);
  });
});
