import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openShard, type TestShard } from '../../../support/dispatch/shard.ts';
import { addShipment } from '../../../support/dispatch/shipments.ts';
import { DAY_SECONDS, openStoreRoom } from './store-room.ts';

/* Removal of pictures that are no longer needed. */

let shard: TestShard;
beforeAll(async () => {
  shard = await openShard();
}, 60_000);
afterAll(() => shard.close());
beforeEach(() => shard.clear());

it('a picture without a shipment is removed after seven days, with its object', async () => {
  const { room, upload, sweep, states, lists } = openStoreRoom(shard);
  await upload('a');
  shard.clock.advance(7 * DAY_SECONDS - 60);
  await sweep();
  expect([await states(), room.kept.size, await lists()]).toEqual([['READY'], 1, 1]);
  shard.clock.advance(120);
  await sweep();
  expect([await states(), room.kept.size, await lists()]).toEqual([[], 0, 0]);
});

it('a picture of a shipment is kept until the event that lists it is deleted', async () => {
  const { room, process, upload, sweep, states } = openStoreRoom(shard);
  await upload('a');
  shard.clock.advance(6 * DAY_SECONDS);
  await addShipment(shard, process, { externalReference: 'a' });
  for (const days of [2, 27.9]) {
    shard.clock.advance(days * DAY_SECONDS);
    await sweep();
    expect([await states(), room.kept.size]).toEqual([['READY'], 1]);
  }
  shard.clock.advance(DAY_SECONDS);
  await sweep();
  expect([await states(), room.kept.size]).toEqual([[], 0]);
});

it('a picture that never became READY is removed after an hour, with its object', async () => {
  const { room, process, upload, sweep, states } = openStoreRoom(shard);
  room.onPut = async () => {
    await addShipment(shard, process, { externalReference: 'a' });
    return 'stored';
  };
  await upload('a');
  room.onPut = () => Promise.resolve('unavailable');
  await upload('b');
  shard.clock.advance(3590);
  await sweep();
  expect([await states(), room.kept.size]).toEqual([['UPLOADING', 'UPLOADING'], 1]);
  shard.clock.advance(20);
  await sweep();
  expect([await states(), room.kept.size]).toEqual([[], 0]);
});

it('an expired picture is kept while storage fails, but no longer listed in events', async () => {
  const { room, process, upload, sweep, states } = openStoreRoom(shard);
  await upload('a');
  shard.clock.advance(8 * DAY_SECONDS);
  room.onRemove = () => 'unavailable';
  await sweep();
  expect([await states(), room.kept.size]).toEqual([['EXPIRED'], 1]);
  await addShipment(shard, process, { externalReference: 'a' });
  const [[body] = []] = await shard.rows('select body from events');
  expect(String(body)).not.toContain('timelineMedia');
  room.onRemove = () => 'removed';
  await sweep();
  expect([await states(), room.kept.size]).toEqual([[], 0]);
});

it('a removed picture is no longer listed, unlike newer ones of its reference', async () => {
  const { process, upload, sweep } = openStoreRoom(shard);
  await upload('a', { sortOrder: 1 });
  shard.clock.advance(6 * DAY_SECONDS);
  const young = [await upload('a', { sortOrder: 9 }), await upload('a', { sortOrder: 2 })];
  shard.clock.advance(2 * DAY_SECONDS);
  await sweep();
  await addShipment(shard, process, { externalReference: 'a' });
  const [[body] = []] = await shard.rows('select body from events');
  const ids = young.map((one) => (one.ok ? one.value.mediaAssetId : undefined)).toReversed();
  expect(JSON.parse(String(body))).toMatchObject({
    data: { shipment: { timelineMedia: ids.map((mediaAssetId) => ({ mediaAssetId })) } },
  });
});

it('a picture that a creation has just used is not removed by a sweep that read it before', async () => {
  const { room, process, upload, sweep, states } = openStoreRoom(shard);
  await upload('a');
  await upload('b');
  shard.clock.advance(8 * DAY_SECONDS);
  room.afterRead = async () => {
    room.afterRead = () => Promise.resolve();
    await addShipment(shard, process, { externalReference: 'a' });
  };
  await sweep();
  expect([await states(), room.kept.size]).toEqual([['READY'], 1]);
});

it('one sweep removes up to a thousand pictures, in several rounds', async () => {
  const { room, process, upload, sweep } = openStoreRoom(shard);
  await upload('a');
  const columns = 'company_id, external_reference, sort_order, state';
  const rest = 'sha256, size_bytes, content_type, created_at, due_at';
  const args = {
    sql: `insert into media_assets (id, ${columns}, object_key, ${rest})
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 1050)
    select id || i, ${columns}, object_key || i, ${rest} from media_assets, n`,
    args: [],
  };
  expect(await process.writer.commit({ statements: [args] })).toEqual({ status: 'committed' });
  shard.clock.advance(8 * DAY_SECONDS);
  await sweep();
  const count = async () => (await shard.rows('select count(*) from media_assets')).flat();
  expect(await count()).toEqual([51]);
  await sweep();
  expect(await count()).toEqual([0]);
  expect(room.kept.size).toBe(0);
});
