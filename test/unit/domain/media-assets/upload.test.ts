import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openShard, type TestShard } from '../../../support/dispatch/shard.ts';
import { addShipment } from '../../../support/dispatch/shipments.ts';
import { openStoreRoom } from './store-room.ts';

/* Failures and concurrent changes during an upload. */

let shard: TestShard;
beforeAll(async () => {
  shard = await openShard();
}, 60_000);
afterAll(() => shard.close());
beforeEach(() => shard.clear());

it('an upload is READY only when its bytes are stored; failed ones do not count towards the limit', async () => {
  const { room, upload, states } = openStoreRoom(shard);
  room.onPut = () => Promise.resolve('unavailable');
  for (let time = 0; time < 10; time += 1)
    expect(await upload('a')).toMatchObject({ ok: false, code: 'STORAGE_PROVIDER_UNAVAILABLE' });
  expect(new Set(await states())).toEqual(new Set(['UPLOADING']));
  room.onPut = () => Promise.resolve('stored');
  expect(await upload('a')).toMatchObject({ ok: true, value: { state: 'READY' } });
});

it('an upload is recorded before its bytes are sent', async () => {
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

it('an upload is refused if its reference gets a shipment meanwhile, and the event does not list it', async () => {
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

it('an upload with an unknown outcome gets the state in the database', async () => {
  const { room, upload } = openStoreRoom(shard);
  room.afterCommit = (outcome, index) => (index === 2 ? { status: 'unknown' } : outcome);
  expect(await upload('a')).toMatchObject({ ok: true });
  room.afterCommit = (outcome, index) => (index === 1 ? { status: 'unknown' } : outcome);
  expect(await upload('a')).toMatchObject({ ok: false, code: 'SERVICE_UNAVAILABLE' });
  // The second upload stored no object.
  expect(room.kept.size).toBe(1);
});
