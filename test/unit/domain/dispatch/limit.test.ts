import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { brokenInvariants } from '../../../../scripts/shared/dispatch-invariants.ts';
import { literalDecimal } from '../../../../src/core/decimal.ts';
import { addSeconds } from '../../../../src/core/instant.ts';
import { runDue } from '../../../../src/domain/dispatch/due.ts';
import { setDriverDuty } from '../../../../src/domain/drivers/fleet.ts';
import { openShard, type TestShard } from '../../../support/dispatch/shard.ts';
import { addDriver, addShipment, countStates, give, offerTo } from '../../../support/dispatch/shipments.ts';

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

test('a shipment that names a driver is offered to no other', async () => {
  const [first, second] = [await addDriver(shard, one), await addDriver(shard, one)];
  const shipmentId = await addShipment(shard, one);
  await give(shard, one, shipmentId, { name: 'APPROVE' });
  await shard.rows('UPDATE shipments SET driver_id = ?', [first]);
  expect((await give(shard, one, shipmentId, offerTo(shard, second))).ok).toBe(false);
  expect(await shard.rows('SELECT * FROM offers')).toEqual([]);
  await shard.rows('UPDATE shipments SET driver_id = NULL');
  expect((await give(shard, one, shipmentId, offerTo(shard, second))).ok).toBe(true);
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

test('two silent drivers do not keep a shipment from a third one who is farther away', async () => {
  const silent = [await addDriver(shard, one), await addDriver(shard, one)];
  const third = await addDriver(shard, one, { longitude: literalDecimal('47.5') });
  await addShipments(1);
  shard.clock.advance(1);
  for (let offer = 1; offer <= 3; offer += 1) {
    await runDue(one);
    shard.clock.advance(60);
  }
  const offered = (await shard.rows('SELECT driver_id FROM offers ORDER BY offered_at')).flat();
  expect(new Set(offered.slice(0, 2))).toEqual(new Set(silent));
  expect(offered[2]).toBe(third);
});

test('a shipment without a driver waits for 15 minutes without being written, and is then unresolved', async () => {
  const [shipmentId = ''] = await addShipments(1);
  const row = () => shard.rows('SELECT due_at, version FROM shipments WHERE id = ?', [shipmentId]);
  shard.clock.advance(1);
  // The next look for free drivers.
  expect(secondsUntil(await runDue(one))).toBeCloseTo(5, 0);
  const waiting = await row();
  for (const seconds of [5, 600, 293]) {
    shard.clock.advance(seconds);
    await runDue(one);
    expect(await row()).toEqual(waiting);
  }
  expect(secondsUntil(await runDue(one))).toBeLessThan(5);
  shard.clock.advance(2);
  expect(await runDue(one)).toBeNull();
  expect(await countStates(shard)).toEqual({ DISPATCH_UNRESOLVED: 1 });
  const events = 'SELECT reason_code FROM shipment_events WHERE shipment_id = ? ORDER BY sequence DESC LIMIT 1';
  expect(await shard.rows(events, [shipmentId])).toEqual([['NO_DRIVER']]);
});

test.each(['goes on duty', 'finishes a shipment'])(
  'a shipment that waits is offered to a driver who %s',
  async (how) => {
    const driverId = await addDriver(shard, one, { activeMax: 1, onDuty: how === 'goes on duty' ? 0 : 1 });
    const first = await addShipment(shard, one);
    shard.clock.advance(1);
    await runDue(one);
    await addShipments(1);
    shard.clock.advance(2);
    await runDue(one);
    if (how === 'goes on duty') {
      expect(await countStates(shard)).toEqual({ READY_FOR_DISPATCH: 2 });
      expect(await setDriverDuty(one, { driverId, version: 0 }, true)).toMatchObject({ ok: true });
    } else {
      expect(await countStates(shard)).toEqual({ OFFERED: 1, READY_FOR_DISPATCH: 1 });
      expect(await give(shard, one, first, { name: 'CANCEL', reasonCode: 'OTHER', comment: null })).toMatchObject({
        ok: true,
      });
    }
    // Before the next look nothing happens.
    await runDue(one);
    expect((await countStates(shard))['OFFERED']).toBeUndefined();
    shard.clock.advance(5);
    await runDue(one);
    expect((await countStates(shard))['OFFERED']).toBe(1);
  },
);

test('a process that has just started looks for drivers who were free before it', async () => {
  await addShipments(1);
  shard.clock.advance(1);
  await runDue(one);
  const driverId = await addDriver(shard, one, { onDuty: 0 });
  await setDriverDuty(one, { driverId, version: 0 }, true);
  shard.clock.advance(600);
  await runDue(shard.process());
  expect(await countStates(shard)).toEqual({ OFFERED: 1 });
});

test('no driver is looked for earlier than the lead before the pickup window', async () => {
  await addDriver(shard, one);
  const scheduling = { ...one, waits: { ...one.waits, leadSeconds: 3600 } };
  const start = addSeconds(shard.clock.now(), 2 * 3600);
  const shipmentId = await addShipment(shard, scheduling, {
    pickupWindowStart: start,
    pickupWindowEnd: addSeconds(start, 3600),
  });
  shard.clock.advance(1);
  expect(secondsUntil(await runDue(one))).toBeCloseTo(3599, 0);
  expect(await countStates(shard)).toEqual({ READY_FOR_DISPATCH: 1 });
  shard.clock.advance(3598);
  await runDue(one);
  expect(await countStates(shard)).toEqual({ READY_FOR_DISPATCH: 1 });
  shard.clock.advance(2);
  await runDue(one);
  expect(await countStates(shard)).toEqual({ OFFERED: 1 });
  // The 15 minutes of the search began with the lead.
  const since = await shard.rows('SELECT ready_since FROM shipments WHERE id = ?', [shipmentId]);
  expect(since).toEqual([[Number(addSeconds(start, -3600))]]);
});

test('a scheduled shipment that no service level can carry is unresolved at once, and a retry schedules it again', async () => {
  await addDriver(shard, one);
  const scheduling = { ...one, waits: { ...one.waits, leadSeconds: 3600 } };
  const start = addSeconds(shard.clock.now(), 2 * 3600);
  const window = { pickupWindowStart: start, pickupWindowEnd: addSeconds(start, 3600) };
  const shipmentId = await addShipment(shard, scheduling, window);
  await shard.rows('UPDATE shipments SET service_level_code = NULL');
  shard.clock.advance(1);
  await runDue(one);
  expect(await countStates(shard)).toEqual({ DISPATCH_UNRESOLVED: 1 });
  await give(shard, one, shipmentId, { name: 'RETRY_DISPATCH', serviceLevelCode: 'STANDARD' });
  expect(secondsUntil(await runDue(one))).toBeCloseTo(3599, 0);
  expect(await countStates(shard)).toEqual({ READY_FOR_DISPATCH: 1 });
  shard.clock.advance(3600);
  await runDue(one);
  expect(await countStates(shard)).toEqual({ OFFERED: 1 });
});

test('after twelve offers the search ends, and a retry begins another', async () => {
  const shipmentId = await addShipment(shard, one);
  for (const latitude of ['24.7', '24.71']) await addDriver(shard, one, { latitude: literalDecimal(latitude) });
  shard.clock.advance(1);
  for (let offer = 1; offer <= 12; offer += 1) {
    await runDue(one);
    expect(await countStates(shard)).toEqual({ OFFERED: 1 });
    shard.clock.advance(60);
  }
  await runDue(one);
  expect(await countStates(shard)).toEqual({ DISPATCH_UNRESOLVED: 1 });
  const events = 'SELECT reason_code FROM shipment_events WHERE shipment_id = ? ORDER BY sequence DESC LIMIT 1';
  expect(await shard.rows(events, [shipmentId])).toEqual([['OFFERS_DECLINED']]);
  expect(await shard.rows('SELECT count(*) FROM offers', [])).toEqual([[12]]);
  await give(shard, one, shipmentId, { name: 'RETRY_DISPATCH', serviceLevelCode: 'STANDARD' });
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
