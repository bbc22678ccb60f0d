import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openShard, type TestShard } from '../../../scripts/shared/dispatch/shard.ts';
import { addShipment } from '../../support/dispatch/shipments.ts';
import { openStoreRoom } from './store-room.ts';

/* What may come between an upload and its end. */

let shard: TestShard;
beforeAll(async () => {
  shard = await openShard();
}, 60_000);
afterAll(() => shard.close());
beforeEach(() => shard.clear());

it('is READY only when its bytes are stored: while storage is away nothing is, and no place is taken', async () => {
  const { room, upload, states } = openStoreRoom(shard);
  room.onPut = () => Promise.resolve('unavailable');
  for (let time = 0; time < 10; time += 1)
    expect(await upload('a')).toMatchObject({ ok: false, code: 'STORAGE_PROVIDER_UNAVAILABLE' });
  expect(new Set(await states())).toEqual(new Set(['UPLOADING']));
  room.onPut = () => Promise.resolve('stored');
  expect(await upload('a')).toMatchObject({ ok: true, value: { state: 'READY' } });
});

it('is noted before its bytes are on their way', async () => {
  const { room, upload, states } = openStoreRoom(shard);
  const seen: unknown[] = [];
  room.onPut = async () => {
    seen.push(...(await states()));
    return 'stored';
  };
  await upload('a');
  expect(seen).toEqual(['UPLOADING']);
  expect(await states()).toEqual(['READY']);
});

it('is refused when its reference got a shipment meanwhile, whose event does not list it', async () => {
  const { room, process, upload, states } = openStoreRoom(shard);
  room.onPut = async () => {
    await addShipment(shard, process, { externalReference: 'a' });
    return 'stored';
  };
  expect(await upload('a')).toMatchObject({ ok: false, code: 'EXTERNAL_REFERENCE_CONFLICT' });
  expect(await states()).toEqual(['UPLOADING']);
  const [[body] = []] = await shard.rows('select body from events');
  expect(String(body)).not.toContain('timelineMedia');
});

it('that nobody heard the end of is what the database says', async () => {
  const { room, upload } = openStoreRoom(shard);
  room.afterCommit = (outcome, index) => (index === 2 ? { status: 'unknown' } : outcome);
  expect(await upload('a')).toMatchObject({ ok: true });
  room.afterCommit = (outcome, index) => (index === 1 ? { status: 'unknown' } : outcome);
  expect(await upload('a')).toMatchObject({ ok: false, code: 'SERVICE_UNAVAILABLE' });
  // Nothing of the second was stored.
  expect(room.kept.size).toBe(1);
});
