import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { brokenInvariants } from '../../../scripts/shared/dispatch/invariants.ts';
import { openShard, type TestShard } from '../../../scripts/shared/dispatch/shard.ts';
import { runDue } from '../../../src/domain/dispatch/due.ts';
import { addDriver, addShipment, countStates, give, offerTo } from '../../support/dispatch/shipments.ts';

/* A driver's limit, and the waits of dispatch, against processes that know nothing of each other. */

vi.setConfig({ testTimeout: 60_000, hookTimeout: 20_000 });

let shard: TestShard;
let one: ReturnType<TestShard['process']>;
let two: ReturnType<TestShard['process']>;
beforeAll(async () => {
  shard = await openShard();
  [one, two] = [shard.process(), shard.process()];
});
afterAll(() => shard.close());
beforeEach(() => shard.clear());
afterEach(async () => expect(await brokenInvariants(shard)).toEqual([]));

test('50 shipments reach for one driver with three places, from two runs at once: three get one', async () => {
  const driverId = await addDriver(shard, one, { activeMax: 3 });
  await addShipments(50);
  shard.clock.advance(1);
  await Promise.all([runDue(one), runDue(two)]);
  expect(await countStates(shard)).toEqual({ OFFERED: 3, READY_FOR_DISPATCH: 47 });
  expect(await shard.rows('SELECT id, active_count FROM drivers')).toEqual([[driverId, 3]]);
});

test('50 offers of one driver sent at once, past any plan: his own row refuses all but three', async () => {
  const driverId = await addDriver(shard, one, { activeMax: 3 });
  const ids = await addShipments(50);
  for (const id of ids) await give(shard, one, id, { name: 'APPROVE' });
  const answers = await Promise.all(
    ids.map((id, index) => give(shard, index % 2 === 0 ? one : two, id, offerTo(shard, driverId))),
  );
  expect(answers.filter(({ ok }) => ok)).toHaveLength(3);
  expect(await countStates(shard)).toEqual({ OFFERED: 3, READY_FOR_DISPATCH: 47 });
});

test('an offer that nobody answers goes to the next driver, and back, but never twice to one', async () => {
  const [near, far] = [await addDriver(shard, one), await addDriver(shard, one, { latitude: null, longitude: null })];
  const [shipmentId = ''] = await addShipments(1);
  shard.clock.advance(1);
  for (let offer = 1; offer <= 4; offer += 1) {
    await runDue(one);
    shard.clock.advance(60);
  }
  const offers = await shard.rows('SELECT driver_id, state FROM offers WHERE shipment_id = ? ORDER BY offered_at', [
    shipmentId,
  ]);
  expect(offers).toEqual([
    [near, 'EXPIRED'],
    [far, 'EXPIRED'],
    [near, 'EXPIRED'],
    [far, 'OPEN'],
  ]);
});

test('without a driver it is looked for again every five seconds, for 15 minutes, and then no more', async () => {
  await addShipments(1);
  shard.clock.advance(1);
  const next = await runDue(one);
  expect(secondsUntil(next)).toBeCloseTo(5, 1);
  shard.clock.advance(898);
  expect(secondsUntil(await runDue(one))).toBeCloseTo(2, 1);
  expect(await countStates(shard)).toEqual({ READY_FOR_DISPATCH: 1 });
  shard.clock.advance(2);
  expect(await runDue(one)).toBeNull();
  expect(await countStates(shard)).toEqual({ DISPATCH_UNRESOLVED: 1 });
});

test('a driver who comes on duty while it waits is offered it', async () => {
  await addDriver(shard, one, { onDuty: 0 });
  await addShipments(1);
  shard.clock.advance(1);
  await runDue(one);
  await shard.rows('UPDATE drivers SET on_duty = 1');
  shard.clock.advance(5);
  await runDue(one);
  expect(await countStates(shard)).toEqual({ OFFERED: 1 });
});

async function addShipments(count: number) {
  return Promise.all(Array.from({ length: count }, () => addShipment(shard, one)));
}

function secondsUntil(instant: Awaited<ReturnType<typeof runDue>>): number {
  if (instant === null || instant === undefined) throw new Error('Nothing is due');
  return Number(instant - shard.clock.now()) / 1_000_000;
}
