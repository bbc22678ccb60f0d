import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../../scripts/shared/seed-values.ts';
import { Sealer } from '../../../../src/access/sealer.ts';
import type { Uuid } from '../../../../src/core/uuid.ts';
import { type FeedRequest, listEvents } from '../../../../src/domain/events/feed.ts';
import { systemRandom } from '../../../../src/providers/system.ts';
import { openMemoryShard } from '../../../support/dispatch/memory-shard.ts';
import { addShipment, give } from '../../../support/dispatch/shipments.ts';
import { scopeOf } from '../../../support/dispatch/test-shard.ts';

/* The feed of events: oldest first, continued by cursor or event id, with cursors bound to their query. */

const shard = openMemoryShard();
const process = { ...shard.process(), cursors: new Sealer([Buffer.alloc(32, 1).toString('base64url')], systemRandom) };
const { scope } = shard;
const stranger = scopeOf(newId());
afterAll(() => shard.close());

let one: Uuid;
let other: Uuid;
beforeEach(async () => {
  await shard.clear();
  [one, other] = [await addShipment(shard, process), await addShipment(shard, process)];
  for (const id of [one, other]) {
    await give(shard, process, id, { name: 'CANCEL', reasonCode: 'OTHER', comment: null });
  }
});

async function feed(request: Partial<FeedRequest> = {}) {
  const page = await listEvents(process, scope, { limit: 10, ...request });
  if (!page.ok) throw new Error(`No page: ${JSON.stringify(page)}`);
  const { data, page: rest } = page.value;
  return { ...rest, ids: data.map(({ id }) => id as Uuid), told: data.map((event) => nameOf(event)) };
}

function nameOf({ type, shipmentId }: { readonly type: string; readonly shipmentId: string | null }): string {
  return `${shipmentId === one ? 'one' : 'other'} ${type.replace('shipment.', '')}`;
}

const refused = (request: Partial<FeedRequest>, of = scope) => listEvents(process, of, { limit: 10, ...request });
const ALL = ['one created', 'other created', 'one cancelled', 'other cancelled'];
const INVALID = { ok: false, code: 'INVALID_CURSOR' };
const UNKNOWN = {
  ok: false,
  code: 'INVALID_QUERY_PARAMETER',
  violations: [
    {
      field: 'after',
      code: 'NOT_IN_ENUM',
      limit: 'the id of an event of the last 30 days. To begin again, send from instead',
    },
  ],
};

describe('the feed', () => {
  test('returns the company’s events, oldest first, with decimals as strings', async () => {
    expect(await feed()).toMatchObject({ told: ALL, hasMore: false, nextCursor: null });
    const page = await listEvents(process, scope, { limit: 1 });
    expect(page).toMatchObject({ ok: true, value: { data: [{ data: { shipment: { declaredValue: '100' } } }] } });
    expect(await refused({}, stranger)).toMatchObject({ ok: true, value: { data: [] } });
  });

  test('continues by cursor', async () => {
    const first = await feed({ limit: 3 });
    expect([first.told, first.hasMore]).toEqual([ALL.slice(0, 3), true]);
    expect(await feed({ limit: 3, cursor: first.nextCursor ?? '' })).toMatchObject({
      told: ALL.slice(3),
      hasMore: false,
    });
  });

  test('continues after the last event seen', async () => {
    const { ids } = await feed();
    for (const [index, after] of ids.entries()) expect((await feed({ after })).told).toEqual(ALL.slice(index + 1));
  });

  test('continues by cursor after the last event seen', async () => {
    const { ids } = await feed();
    const after = ids[0] as Uuid;
    const first = await feed({ after, limit: 1 });
    expect(first.told).toEqual(ALL.slice(1, 2));
    expect((await feed({ after, limit: 5, cursor: first.nextCursor ?? '' })).told).toEqual(ALL.slice(2));
  });

  test('takes one database request, and a second one only if the event may have been deleted', async () => {
    const { ids } = await feed();
    let asked = 0;
    shard.wire.carry = (_batch, run) => {
      asked += 1;
      return run();
    };
    await feed();
    await feed({ after: ids[0] as Uuid });
    expect(asked).toBe(2);
    await feed({ after: ids.at(-1) as Uuid });
    expect(asked).toBe(4);
  });

  test('is filtered by event type and shipment', async () => {
    expect((await feed({ type: 'shipment.cancelled' })).told).toEqual(['one cancelled', 'other cancelled']);
    expect((await feed({ shipmentId: one })).told).toEqual(['one created', 'one cancelled']);
    expect((await feed({ shipmentId: one, type: 'shipment.created' })).told).toEqual(['one created']);
    const { ids } = await feed();
    expect((await feed({ shipmentId: one, after: ids[0] as Uuid })).told).toEqual(['one cancelled']);
  });

  test('has cursors bound to company and filters', async () => {
    const cursor = (await feed({ limit: 1 })).nextCursor ?? '';
    const { ids } = await feed();
    expect(await refused({ cursor }, stranger)).toEqual(INVALID);
    for (const change of [{ type: 'shipment.created' }, { shipmentId: one }, { after: ids[0] as Uuid }] as const) {
      expect(await refused({ cursor, ...change })).toEqual(INVALID);
      const own = (await feed({ ...change, limit: 1 })).nextCursor;
      if (own !== null) expect(await refused({ cursor: own })).toEqual(INVALID);
    }
  });

  test('refuses the id of an unknown event and of another company’s event', async () => {
    expect(await refused({ after: newId() })).toEqual(UNKNOWN);
    const { ids } = await feed();
    expect(await refused({ after: ids[0] }, stranger)).toEqual(UNKNOWN);
    // The last event exists, although nothing follows it.
    expect(await feed({ after: ids.at(-1) as Uuid })).toMatchObject({ told: [], hasMore: false });
  });

  test('is 503 when either of its database requests fails', async () => {
    const away = { ok: false, code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 };
    let carried = 0;
    shard.wire.carry = (_batch, run) => {
      carried += 1;
      if (carried === 2) throw new TypeError('The connection was reset');
      return run();
    };
    expect(await refused({ after: newId() })).toEqual(away);
    carried = 1;
    expect(await refused({ after: newId() })).toEqual(away);
  });

  test('throws for a stored envelope that is not JSON', async () => {
    await shard.rows("UPDATE events SET body = 'no JSON'");
    await expect(refused({})).rejects.toThrow('not JSON');
  });
});
