import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '../../../../scripts/shared/seed-values.ts';
import { LaneQueue } from '../../../../src/service/lane-queue.ts';
import { openShard, type TestShard } from '../../../support/dispatch/shard.ts';
import { addShipment, give } from '../../../support/dispatch/shipments.ts';

/* A process that was paused while others worked, and then continues with stale data. */

vi.setConfig({ testTimeout: 20_000, hookTimeout: 20_000 });
let shard: TestShard;
beforeAll(async () => {
  shard = await openShard();
});
afterAll(() => shard.close());

const CANCEL = { name: 'CANCEL', reasonCode: 'OTHER', comment: null } as const;

test('a paused process does not overwrite newer rows with its cached ones', async () => {
  const [stopped, other] = [shard.process(), shard.process()];
  const lane = new LaneQueue(() => 0);
  const shipmentId = await addShipment(shard, stopped);
  const order = { shipmentId, actor: 'SYSTEM', precondition: { kind: 'any' }, correlationId: newId() } as const;
  expect(await lane.execute(stopped, shard.scope, { ...order, command: { name: 'APPROVE' } })).toMatchObject({
    ok: true,
  });
  // The lane caches the approved row from here on.
  expect(await give(shard, other, shipmentId, CANCEL)).toMatchObject({ ok: true });
  const late = await lane.execute(stopped, shard.scope, {
    ...order,
    command: { name: 'GIVE_UP', reasonCode: 'NO_DRIVER' },
  });
  expect(late).toMatchObject({ ok: false, code: 'INVALID_STATE_TRANSITION', members: { currentState: 'CANCELLED' } });
  expect(await shard.rows('SELECT state, version FROM shipments WHERE id = ?', [shipmentId])).toEqual([
    ['CANCELLED', 2],
  ]);
  expect(await shard.rows('SELECT count(*) FROM shipment_events WHERE shipment_id = ?', [shipmentId])).toEqual([[3]]);
});
