import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openShard, type TestShard } from '../../../scripts/shared/dispatch/shard.ts';
import { addShipment } from '../../support/dispatch/shipments.ts';
import { DAY_SECONDS, openStoreRoom } from './store-room.ts';

/* What becomes of pictures that nobody needs any more. */

let shard: TestShard;
beforeAll(async () => {
  shard = await openShard();
}, 60_000);
afterAll(() => shard.close());
beforeEach(() => shard.clear());

it('one whose shipment never came goes after seven days, with its object, and not before', async () => {
  const { room, upload, sweep, states, lists } = openStoreRoom(shard);
  await upload('a');
  shard.clock.advance(7 * DAY_SECONDS - 60);
  await sweep();
  expect([await states(), room.kept.size, await lists()]).toEqual([['READY'], 1, 1]);
  shard.clock.advance(120);
  await sweep();
  expect([await states(), room.kept.size, await lists()]).toEqual([[], 0, 0]);
});

it('one whose shipment came stays until the event that lists it is forgotten', async () => {
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

it('one that never became READY goes after an hour, though its object may be there', async () => {
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

it('while storage is away it stays known, but is attached no more', async () => {
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

it('one that goes leaves the list of those that stay', async () => {
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

it('one that a creation has just attached is not given up by a sweep that saw it before', async () => {
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

it('a sweep removes more than it looks at in one round, and at most a thousand', async () => {
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
