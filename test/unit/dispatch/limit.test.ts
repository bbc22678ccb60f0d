import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { brokenInvariants } from '../../../scripts/shared/dispatch/invariants.ts';
import { openShard, type TestShard } from '../../../scripts/shared/dispatch/shard.ts';
import { runDue } from '../../../src/domain/dispatch/due.ts';
import { addDriver, addShipment, countStates, give, offerTo } from '../../support/dispatch/shipments.ts';

/* A driver's limit and the waiting times of dispatch, with two processes that do not share memory. */

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

test('two concurrent runs offer 50 shipments to one driver with three places: three are offered', async () => {
  const driverId = await addDriver(shard, one, { activeMax: 3 });
  await addShipments(50);
  shard.clock.advance(1);
  await Promise.all([runDue(one), runDue(two)]);
  expect(await countStates(shard)).toEqual({ OFFERED: 3, READY_FOR_DISPATCH: 47 });
  expect(await shard.rows('SELECT id, active_count FROM drivers')).toEqual([[driverId, 3]]);
});

test('of 50 concurrent offers to one driver, the database accepts three', async () => {
  const driverId = await addDriver(shard, one, { activeMax: 3 });
  const ids = await addShipments(50);
  for (const id of ids) await give(shard, one, id, { name: 'APPROVE' });
  const answers = await Promise.all(
    ids.map((id, index) => give(shard, index % 2 === 0 ? one : two, id, offerTo(shard, driverId))),
  );
  expect(answers.filter(({ ok }) => ok)).toHaveLength(3);
  expect(await countStates(shard)).toEqual({ OFFERED: 3, READY_FOR_DISPATCH: 47 });
});

test('an expired offer goes to the next driver and back, but never twice in a row to the same one', async () => {
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

test('a shipment without a driver is retried every five seconds for 15 minutes, and then unresolved', async () => {
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

test('a waiting shipment is offered to a driver who comes on duty', async () => {
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
